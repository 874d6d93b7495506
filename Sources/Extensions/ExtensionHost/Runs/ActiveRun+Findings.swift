internal import APNs
internal import DeviceModel

extension ActiveRun {
    /// An answer that took longer than this is likely to come too late on a device (X1, `nse.slow`).
    private static let slow = Duration.seconds(20)

    /// Adds findings, each once.
    func note(_ findings: [Finding]) {
        for finding in findings where !record.findings.contains(finding) { record.findings.append(finding) }
    }

    /// Adds what was odd about a run that is over.
    func addFindings(settings: ExtensionSettings) {
        func add(_ id: String, _ severity: Finding.Severity, _ message: String, fix: String? = nil) {
            record.findings.append(Finding(id, severity, at: "", message, source: "C.3", fix: fix))
        }
        let answers = record.ignoredAnswerCount
        if answers > 0, isAnswered, record.answerSource != .bestAttempt {
            add(
                "nse.handler.calledTwice", .warning,
                "The content handler was called \(answers + 1) times; the first call counts.",
                fix: "Return after contentHandler(content), or set the handler to nil after the call.")
        }
        if hasLateAnswer || (answers > 0 && record.expiredAt != nil) {
            add("nse.handler.afterExpiry", .warning, "The content handler was called too late; the call was ignored.")
        }
        switch record.end {
        case .expired:
            add(
                "nse.handler.never", .warning, "The content handler was not called within the time limit.",
                fix: "Call contentHandler(bestAttemptContent) in serviceExtensionTimeWillExpire().")
        case .exited:
            add(
                "nse.handler.never", .warning,
                "The extension ended by itself (\(record.detail)) before it called the content handler.")
        case .crashed: add("nse.crash", .error, "The extension crashed: \(record.detail).")
        case .startupTimedOut:
            add(
                "nse.startup", .error,
                "The extension was killed during start-up: didReceive was not called within \(settings.startupLimit).",
                fix: "Move heavy work from initializers to didReceive.")
        case .unreachable: add("nse.unreachable", .error, "The extension could not be reached: \(record.detail).")
        case .protocolError:
            add("nse.protocol", .error, "The extension violated the protocol: \(record.detail).")
        case .answered:
            let elapsed = max(record.endedAt.since(record.startedAt), .milliseconds(Int64(milliseconds)))
            guard elapsed > Self.slow else { break }
            add(
                "nse.slow", .warning, "The content handler was called only after \(elapsed).",
                fix: "Return the available content after a few seconds; the limit is \(settings.killAfter).")
        case .outOfMemory, .cancelled: break
        }
    }
}

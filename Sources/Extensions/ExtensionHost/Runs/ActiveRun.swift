internal import DeviceModel
internal import JSON
internal import NIOCore
internal import Time

/// A request from its submission until it is reported. Owned by the host's event loop.
final class ActiveRun {
    enum Phase {
        case waiting
        /// Sent to the extension; `didReceive` not yet called.
        case starting
        case working
        /// `serviceExtensionTimeWillExpire` was called; the timer ends the last chance.
        case expiring(Scheduled<Void>)
        /// The handler was called while `didReceive` runs; the timer limits the wait for its return.
        case answered(Scheduled<Void>)
        case timeIsUp
        case over
    }

    /// nil while the run waits, and once it is over.
    var runner: (any Runner)?
    let number: Int
    let request: ExtensionRequest
    let submittedAt: Instant
    var phase = Phase.waiting
    var record: ExtensionRun
    var bestAttempt: NotificationContent?
    /// In real time.
    var begunAt = NIODeadline.now()
    /// The run was retried after its process ended without reading it.
    var wasRetried = false
    /// The handler was called before `didReceive` returned; `returned` follows.
    var awaitsReturn = false
    var hasReturned = false
    var centerCallCount = 0
    /// Of the recorded calls' arguments.
    var centerByteCount = 0
    private var knownFindings: Set<Finding> = []
    private var omittedFindingCount = 0

    init(_ request: ExtensionRequest, number: Int, at instant: Instant) {
        self.request = request
        self.number = number
        submittedAt = instant
        record = ExtensionRun(.cancelled, startedAt: instant, endedAt: instant)
    }

    var service: ServiceExtension { request.app.extension ?? ServiceExtension() }

    var isAnswered: Bool { record.answerSource != nil }

    var isOver: Bool { if case .over = phase { true } else { false } }

    /// Real time since `begunAt`.
    var milliseconds: Double { Double((NIODeadline.now() - begunAt).nanoseconds) / 1e6 }

    func resetForRetry() {
        phase = .waiting
        runner = nil
        wasRetried = true
        (centerCallCount, centerByteCount, omittedFindingCount) = (0, 0, 0)
        knownFindings = []
        record = ExtensionRun(.cancelled, startedAt: record.startedAt, endedAt: record.startedAt)
    }
}

/// Executes runs: a process, or an exchange with a server.
protocol Runner: AnyObject {
    func start(_ run: ActiveRun, at instant: Instant)
    func expire(_ run: ActiveRun)
    /// Ends a run early with this result.
    func giveUp(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String)
    /// Drops a finished run, after completing its record.
    func release(_ run: ActiveRun)
}

extension ActiveRun {
    /// Above this, an answer is likely too late on a device (X1, `nse.slow`).
    private static let slow = Duration.seconds(20)

    /// Different findings to keep of a run's contents.
    static let keptFindings = 100

    /// Deduplicates, keeps the first, and counts the others.
    func add(_ findings: [Finding]) {
        for finding in findings where !knownFindings.contains(finding) {
            guard knownFindings.count < Self.keptFindings else {
                omittedFindingCount += 1
                continue
            }
            knownFindings.insert(finding)
            record.findings.append(finding)
        }
    }

    /// Reports a line that would have been a message.
    func add(_ problem: JSONProblem) {
        add([
            Finding(
                "nse.message.invalid", .error, at: "",
                "A line looks like a message, but is read as output, because it is \(problem.message).",
                source: "docs/service-extension-protocol.md", fix: "Write messages with a JSON library, in UTF-8.")
        ])
    }

    /// Of all log lines of a run, in bytes.
    private static let keptLogByteCount = 256 << 10

    /// Drops the oldest lines above the limits.
    func add(_ line: ExtensionRun.LogLine, keeping limit: Int) {
        func byteCount(_ line: ExtensionRun.LogLine) -> Int { line.level.utf8.count + line.message.utf8.count }
        record.log.append(line)
        var total = record.log.reduce(0) { $0 + byteCount($1) }
        while let oldest = record.log.first, record.log.count > limit || total > Self.keptLogByteCount {
            total -= byteCount(oldest)
            record.log.removeFirst()
        }
    }

    /// Reports a call about donations that has no effect.
    func refused(_ subject: String, _ reason: String) {
        add([Finding("donation.refused", .error, at: "", "\(subject) was not taken: \(reason.prefix(1000)).")])
    }

    func addFindings(settings: ExtensionSettings) {
        func add(_ id: String, _ severity: Finding.Severity, _ message: String, fix: String? = nil) {
            record.findings.append(Finding(id, severity, at: "", message, source: "C.3", fix: fix))
        }
        if omittedFindingCount > 0 { record.findings.append(.others(omittedFindingCount)) }
        let answers = record.ignoredAnswerCount
        if answers > 0, isAnswered, record.answerSource != .bestAttempt {
            add(
                "nse.handler.calledTwice", .warning,
                "The content handler was called \(answers + 1) times; the first call counts.",
                fix: "Return after contentHandler(content), or set the handler to nil after the call.")
        }
        if answers > 0, record.expiredAt != nil || record.end == .startupTimedOut {
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
        case .protocolError: add("nse.protocol", .error, "The extension violated the protocol: \(record.detail).")
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

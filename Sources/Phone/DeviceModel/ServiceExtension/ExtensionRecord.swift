internal import Time

/// A service extension's run and its result for the notification (C.3), stored with it.
package struct ExtensionRecord: Sendable, Hashable, Codable {
    package var run: ExtensionRun
    package var app: String
    package var verdict: ExtensionDecision.Verdict
    /// Such as `nse.modified`.
    package var rule: String

    /// - Parameter statesAlert: Whether the provider sent `apns-push-type: alert`.
    package init(_ run: ExtensionRun, app: App, statesAlert: Bool) {
        let facts = ExtensionDecision.Facts(run: run, isFiltering: app.has(.filtering), statesAlert: statesAlert)
        let row = ExtensionDecision.rows.first { $0.applies(facts) } ?? ExtensionDecision.otherwise
        self.run = run
        if ExtensionDecision.alertRules.contains(row.rule) {
            self.run.findings.append(FindingRule.named("nse.handler.dropsAlert").finding(at: ""))
        }
        self.app = app.bundleID
        verdict = row.verdict
        rule = row.rule
    }

    /// Replaces the payload's content on delivery.
    package var content: NotificationContent? { verdict == .modified ? run.answer : nil }

    package var sentence: String { row.sentence }

    package var source: String { row.source }

    private var row: ExtensionDecision.Row {
        ExtensionDecision.rows.first { $0.rule == rule } ?? ExtensionDecision.otherwise
    }

    /// Milliseconds on the device's clock.
    package var duration: Int64 { run.endedAt.milliseconds(since: run.startedAt) }
}

/// The rules of `ExtensionRecord`; the first that applies decides.
package enum ExtensionDecision {
    package enum Verdict: String, CaseIterable, Codable, Sendable {
        case modified
        case original
        /// Delivers nothing: the extension asked for that and has the entitlement.
        case suppressed
        /// Delivers nothing: the extension died, and its app has the filtering entitlement.
        case discarded
    }

    struct Facts {
        let run: ExtensionRun
        /// The app has `com.apple.developer.usernotifications.filtering`.
        let isFiltering: Bool
        let statesAlert: Bool

        var answer: NotificationContent? { run.answer }
        var hasDied: Bool { [.crashed, .exited, .outOfMemory].contains(run.end) && run.answer == nil }
        var isEmpty: Bool { answer.map { !$0.hasAlert && $0.attachments.isEmpty && $0.sound == nil } ?? false }
        var hasNoAlert: Bool { answer.map { !$0.hasAlert } ?? false }
    }

    struct Row: Sendable {
        let rule: String
        let verdict: Verdict
        let source: String
        let sentence: String
        let applies: @Sendable (Facts) -> Bool

        init(
            _ rule: String, _ verdict: Verdict, _ source: String, _ sentence: String,
            when applies: @escaping @Sendable (Facts) -> Bool
        ) {
            (self.rule, self.verdict, self.source, self.sentence) = (rule, verdict, source, sentence)
            self.applies = applies
        }
    }

    /// Rules that reject an answer because it removed the alert text.
    static let alertRules: Set<String> = ["nse.filtering.pushType", "nse.filtering.notEmpty", "nse.alertRemoved"]

    static let rows: [Row] = [
        Row(
            "nse.filtering.died", .discarded, "element-x-ios, NotificationServiceExtension",
            "The extension ended without an answer; with the filtering entitlement, nothing is shown."
        ) { $0.hasDied && $0.isFiltering && $0.statesAlert },
        Row(
            "nse.died", .original, "inferred",
            "The extension ended without an answer; the original content is used."
        ) { $0.hasDied },
        Row(
            "nse.startup", .original, "doc: Apple forum, Notification Service Extension is killed during startup",
            "The extension took too long to start; the original content is used."
        ) { $0.run.end == .startupTimedOut && $0.answer == nil },
        Row(
            "nse.never", .original, "doc: didReceive(_:withContentHandler:)",
            "The handler was not called in time; the original content is used."
        ) { $0.run.end == .expired && $0.answer == nil },
        Row(
            "nse.noAnswer", .original, "design",
            "The extension could not be called, or violated the protocol; the original content is used."
        ) { $0.answer == nil },
        Row(
            "nse.suppressed", .suppressed, "doc: com.apple.developer.usernotifications.filtering",
            "Mutated notification request will not visibly alert the user, will supress original content"
        ) { $0.isEmpty && $0.isFiltering && $0.statesAlert },
        Row(
            "nse.filtering.pushType", .original, "doc: com.apple.developer.usernotifications.filtering",
            "The content is empty, but only a push with apns-push-type: alert can be suppressed; the original is used."
        ) { $0.isEmpty && $0.isFiltering },
        Row(
            "nse.filtering.notEmpty", .original, "design",
            "The alert text was removed, but a sound or an attachment remains; the original content is used."
        ) { $0.hasNoAlert && $0.isFiltering },
        Row(
            "nse.alertRemoved", .original, "doc: didReceive(_:withContentHandler:)",
            "Mutated notification request will not visibly alert the user, will deliver original content"
        ) { $0.hasNoAlert },
        Row(
            "nse.bestAttempt", .modified, "doc: serviceExtensionTimeWillExpire()",
            "The time limit passed; the best attempt is used."
        ) { $0.run.answerSource == .expiration || $0.run.answerSource == .bestAttempt },
    ]

    static let otherwise = Row(
        "nse.modified", .modified, "doc: didReceive(_:withContentHandler:)",
        "The extension's content is used."
    ) { _ in true }
}

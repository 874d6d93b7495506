/// What becomes of a notification after its service extension ran (C.3), and by which rule.
package struct ExtensionDecision: Sendable, Hashable {
    package var verdict: Verdict
    /// The rule's stable name, such as `nse.alertRemoved`.
    package var rule: String
    /// What the rule says, for people.
    package var sentence: String
    /// Where the rule comes from.
    package var source: String

    /// Whether there is an answer that is not shown, because its alert text is gone.
    package var dropsAlert: Bool { verdict == .original && Self.alertRules.contains(rule) }

    private static let alertRules: Set<String> = [
        "nse.filtering.pushType", "nse.filtering.notEmpty", "nse.alertRemoved",
    ]

    package enum Verdict: String, CaseIterable, Codable, Sendable {
        /// What the extension handed over.
        case modified
        /// What the provider sent.
        case original
        /// Nothing: the extension asked for that, and may.
        case suppressed
        /// Nothing: an app that may filter gets nothing when its extension dies.
        case discarded
    }

    /// Decides.
    ///
    /// - Parameters:
    ///   - run: What the extension did.
    ///   - isFiltering: Whether the app has `com.apple.developer.usernotifications.filtering`.
    ///   - statesAlert: Whether the provider sent `apns-push-type: alert`.
    package init(about run: ExtensionRun, isFiltering: Bool, statesAlert: Bool) {
        let facts = Facts(run: run, isFiltering: isFiltering, statesAlert: statesAlert)
        let row = Self.rows.first { $0.applies(facts) } ?? Self.otherwise
        verdict = row.verdict
        rule = row.rule
        sentence = row.sentence
        source = row.source
    }

    /// What the rules ask about.
    struct Facts {
        let run: ExtensionRun
        let isFiltering: Bool
        let statesAlert: Bool

        var answer: NotificationContent? { run.answer }
        /// Whether the process ended without an answer.
        var hasDied: Bool { [.crashed, .exited, .outOfMemory].contains(run.end) && run.answer == nil }
        /// Whether nothing at all was handed over: no text, attachment or sound.
        var isEmpty: Bool { answer.map { !$0.hasAlert && $0.attachments.isEmpty && $0.sound == nil } ?? false }
        var hasNoAlert: Bool { answer.map { !$0.hasAlert } ?? false }
    }

    /// A row of the table; the first that applies decides.
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
            self.rule = rule
            self.verdict = verdict
            self.source = source
            self.sentence = sentence
            self.applies = applies
        }
    }

    static let rows: [Row] = [
        Row(
            "nse.filtering.died", .discarded, "element-x-ios, NotificationServiceExtension",
            "The extension ended without an answer; with the filtering entitlement, nothing is shown."
        ) { $0.hasDied && $0.isFiltering && $0.statesAlert },
        Row(
            "nse.died", .original, "inferred",
            "The extension ended without an answer; the original content is shown."
        ) { $0.hasDied },
        Row(
            "nse.startup", .original, "doc: Apple forum, Notification Service Extension is killed during startup",
            "The extension took too long to start; the original content is shown."
        ) { $0.run.end == .startupTimedOut && $0.answer == nil },
        Row(
            "nse.never", .original, "doc: didReceive(_:withContentHandler:)",
            "The handler was not called in time; the original content is shown."
        ) { $0.run.end == .expired && $0.answer == nil },
        Row(
            "nse.noAnswer", .original, "design",
            "The extension could not be called, or violated the protocol; the original content is shown."
        ) { $0.answer == nil },
        Row(
            "nse.suppressed", .suppressed, "doc: com.apple.developer.usernotifications.filtering",
            "Mutated notification request will not visibly alert the user, will supress original content"
        ) { $0.isEmpty && $0.isFiltering && $0.statesAlert },
        Row(
            "nse.filtering.pushType", .original, "doc: com.apple.developer.usernotifications.filtering",
            "The content is empty, but only a push with apns-push-type: alert can be suppressed; the original is shown."
        ) { $0.isEmpty && $0.isFiltering },
        Row(
            "nse.filtering.notEmpty", .original, "design",
            "The alert text was removed, but a sound or an attachment remains; the original content is shown."
        ) { $0.hasNoAlert && $0.isFiltering },
        Row(
            "nse.alertRemoved", .original, "doc: didReceive(_:withContentHandler:)",
            "Mutated notification request will not visibly alert the user, will deliver original content"
        ) { $0.hasNoAlert },
        Row(
            "nse.bestAttempt", .modified, "doc: serviceExtensionTimeWillExpire()",
            "The time limit passed; the best attempt is shown."
        ) { $0.run.answerSource == .expiration || $0.run.answerSource == .bestAttempt },
    ]

    /// The last row: there is an answer, and nothing is wrong with it.
    static let otherwise = Row(
        "nse.modified", .modified, "doc: didReceive(_:withContentHandler:)",
        "The extension's content is shown."
    ) { _ in true }
}

public import APNs

/// A service extension's run and what came of it, as it is kept with the notification.
public struct ExtensionRecord: Sendable, Hashable, Codable {
    public var run: ExtensionRun
    /// The app's bundle identifier.
    public var app: String
    public var verdict: ExtensionDecision.Verdict
    /// The rule that decided, such as `nse.modified`.
    public var rule: String

    /// Decides what becomes of the notification.
    ///
    /// - Parameter statesAlert: Whether the provider sent `apns-push-type: alert`.
    public init(_ run: ExtensionRun, app: App, statesAlert: Bool) {
        let decision = ExtensionDecision(about: run, isFiltering: app.has(.filtering), statesAlert: statesAlert)
        self.run = run
        if decision.dropsAlert, let rule = Lint.rule("nse.handler.dropsAlert") {
            self.run.findings.append(rule.finding(LintRule.Hit(path: "")))
        }
        self.app = app.bundleID
        verdict = decision.verdict
        rule = decision.rule
    }

    /// What is delivered in the payload's place; nil when it is what the payload says.
    public var content: NotificationContent? { verdict == .modified ? run.answer : nil }

    /// What the rule says, for people.
    public var sentence: String { row.sentence }

    /// Where the rule comes from.
    public var source: String { row.source }

    private var row: ExtensionDecision.Row {
        ExtensionDecision.rows.first { $0.rule == rule } ?? ExtensionDecision.otherwise
    }

    /// How many milliseconds it took on the device's clock.
    public var duration: Int64 { run.endedAt.milliseconds(since: run.startedAt) }
}

internal import APNs

/// A service extension's run and what came of it, as it is kept with the notification.
package struct ExtensionRecord: Sendable, Hashable, Codable {
    package var run: ExtensionRun
    /// The app's bundle identifier.
    package var app: String
    package var verdict: ExtensionDecision.Verdict
    /// The rule that decided, such as `nse.modified`.
    package var rule: String

    /// Decides what becomes of the notification.
    ///
    /// - Parameter statesAlert: Whether the provider sent `apns-push-type: alert`.
    package init(_ run: ExtensionRun, app: App, statesAlert: Bool) {
        let decision = ExtensionDecision(about: run, isFiltering: app.has(.filtering), statesAlert: statesAlert)
        self.run = run
        if decision.dropsAlert, let rule = FindingRule.named("nse.handler.dropsAlert") {
            self.run.findings.append(rule.finding(at: ""))
        }
        self.app = app.bundleID
        verdict = decision.verdict
        rule = decision.rule
    }

    /// What is delivered in the payload's place; nil when it is what the payload says.
    package var content: NotificationContent? { verdict == .modified ? run.answer : nil }

    /// What the rule says, for people.
    package var sentence: String { row.sentence }

    /// Where the rule comes from.
    package var source: String { row.source }

    private var row: ExtensionDecision.Row {
        ExtensionDecision.rows.first { $0.rule == rule } ?? ExtensionDecision.otherwise
    }

    /// How many milliseconds it took on the device's clock.
    package var duration: Int64 { run.endedAt.milliseconds(since: run.startedAt) }
}

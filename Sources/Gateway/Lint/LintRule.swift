package import DeviceModel

/// Advice about a push, an app's category or a donation.
package struct LintRule: Sendable {
    let rule: FindingRule
    /// The rule reports nothing without these.
    package let needs: Set<Need>
    /// nil when the decoder reports the findings.
    let push: (@Sendable (LintFacts) -> [Hit])?
    let category: (@Sendable (NotificationCategory, App) -> [Hit])?
    let donation: (@Sendable (DonationSubject) -> [Hit])?

    package enum Need: String, CaseIterable, Codable, Sendable {
        case app
        case history
        case clock
    }

    /// The place of a violation.
    struct Hit {
        var path: String
        var detail = ""
        /// nil for the rule's own.
        var severity: Finding.Severity?
        /// nil for the rule's own.
        var fix: String?
    }

    init(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        needs: Set<Need> = [], push: (@Sendable (LintFacts) -> [Hit])? = nil,
        category: (@Sendable (NotificationCategory, App) -> [Hit])? = nil,
        donation: (@Sendable (DonationSubject) -> [Hit])? = nil
    ) {
        rule = FindingRule(id, severity, source, sentence, fix: fix)
        self.needs = needs
        self.push = push
        self.category = category
        self.donation = donation
    }

    init(_ rule: FindingRule, needs: Set<Need> = []) {
        self.init(rule.id, rule.severity, rule.source, rule.sentence, fix: rule.fix, needs: needs)
    }

    package var id: String { rule.id }
    package var severity: Finding.Severity { rule.severity }
    package var sentence: String { rule.sentence }
    package var source: String { rule.source }
    package var fix: String { rule.fix }

    func finding(_ hit: Hit) -> Finding {
        rule.finding(at: hit.path, hit.detail, severity: hit.severity, fix: hit.fix)
    }

    static func hit(
        _ path: String, _ detail: @autoclosure () -> String = "", fix: String? = nil, if isWrong: Bool
    ) -> [Hit] {
        isWrong ? [Hit(path: path, detail: detail(), fix: fix)] : []
    }

    /// Reported by the decoder; listed so that they can be silenced.
    static let decoding = FindingRule.decoding.map { rule in
        LintRule(rule, needs: rule.id.hasPrefix("alert.loc") ? [.app] : [])
    }
}

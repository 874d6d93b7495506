package import DeviceModel

/// Advice about a push, an app's category or a donation.
package struct LintRule: Sendable {
    package let rule: FindingRule
    /// The rule reports nothing without these.
    package private(set) var needs: Set<Need> = []
    /// nil when the decoder reports the findings.
    private(set) var push: (@Sendable (LintFacts) -> [Hit])?
    private(set) var category: (@Sendable (NotificationCategory, App) -> [Hit])?
    private(set) var donation: (@Sendable (DonationSubject) -> [Hit])?

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
}

extension LintRule {
    init(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        needs: Set<Need> = [], push: (@Sendable (LintFacts) -> [Hit])? = nil,
        category: (@Sendable (NotificationCategory, App) -> [Hit])? = nil,
        donation: (@Sendable (DonationSubject) -> [Hit])? = nil
    ) {
        self.init(
            rule: FindingRule(id, severity, source, sentence, fix: fix), needs: needs, push: push, category: category,
            donation: donation)
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
        LintRule(rule: rule, needs: rule.id.hasPrefix("alert.loc") ? [.app] : [])
    }
}

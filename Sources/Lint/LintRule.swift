package import DeviceModel

/// One piece of advice, or one mistake, that can be found in a push or in an app's categories.
package struct LintRule: Sendable {
    /// Name, severity, source, sentence and example.
    let rule: FindingRule
    /// What the rule must know beside the payload; without it the rule is silent.
    package var needs: Set<Need>
    /// Finds it in a push; nil when the decoder finds it, or when it is about categories alone.
    let push: (@Sendable (LintFacts) -> [Hit])?
    /// Finds it in a category of an app.
    let category: (@Sendable (NotificationCategory, App) -> [Hit])?
    let donation: (@Sendable (DonationFacts) -> [Hit])?

    /// What a rule may have to know beside the payload.
    package enum Need: String, CaseIterable, Sendable {
        /// The app as its developer described it.
        case app
        /// The pushes before this one.
        case history
        case clock
    }

    /// A place that a rule objects to.
    struct Hit {
        var path: String
        /// What is there; empty when the sentence says it all.
        var detail = ""
        /// nil is the rule's own.
        var severity: Finding.Severity?
    }

    init(
        _ id: String, _ severity: Finding.Severity, _ source: String, _ sentence: String, fix: String,
        needs: Set<Need> = [], push: (@Sendable (LintFacts) -> [Hit])? = nil,
        category: (@Sendable (NotificationCategory, App) -> [Hit])? = nil,
        donation: (@Sendable (DonationFacts) -> [Hit])? = nil
    ) {
        rule = FindingRule(id, severity, source, sentence, fix: fix)
        self.needs = needs
        self.push = push
        self.category = category
        self.donation = donation
    }

    /// A rule whose findings others make.
    init(_ rule: FindingRule, needs: Set<Need> = []) {
        self.init(rule.id, rule.severity, rule.source, rule.sentence, fix: rule.fix, needs: needs)
    }

    package var id: String { rule.id }
    package var severity: Finding.Severity { rule.severity }
    package var sentence: String { rule.sentence }
    package var source: String { rule.source }
    package var fix: String { rule.fix }

    func finding(_ hit: Hit) -> Finding { rule.finding(at: hit.path, hit.detail, severity: hit.severity) }
}

extension LintRule {
    /// Rules that the decoder applies while it reads; listed here so that they can be silenced.
    static let decoding = FindingRule.decoding.map { rule in
        LintRule(rule, needs: rule.id.hasPrefix("alert.loc") ? [.app] : [])
    }
}

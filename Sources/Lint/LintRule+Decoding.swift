internal import DeviceModel

extension LintRule {
    /// Rules that the decoder applies while it reads; listed here so that they can be silenced.
    static let decoding = FindingRule.decoding.map { rule in
        LintRule(rule, needs: rule.id.hasPrefix("alert.loc") ? [.app] : [])
    }
}

internal import DeviceModel
internal import SiriModel

extension LintRule {
    /// Reported when an app donates reservations, and about mails and web pages.
    static let reservations = (FindingRule.reservations + FindingRule.markup).map { LintRule($0) }
}

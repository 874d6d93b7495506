package import DeviceModel
internal import Fields
internal import SiriModel

/// Checks pushes, categories and donations against Apple's advice (Human Interface Guidelines, "Notifications") and
/// against what the device can use. Changes no outcome.
package enum Lint {
    /// In the order of their findings.
    package static let rules: [LintRule] =
        LintRule.headers + LintRule.decoding + LintRule.payload + LintRule.titles + LintRule.texts + LintRule.contents
        + LintRule.levels + LintRule.marketing + LintRule.badges + LintRule.categories + LintRule.answers
        + LintRule.communication + LintRule.donations + LintRule.activities + LintRule.services + LintRule.reservations

    private static let rulesByID = Dictionary(uniqueKeysWithValues: rules.map { ($0.id, $0) })

    package static func rule(_ id: String) -> LintRule? { rulesByID[id] }

    /// - Returns: The decoder's findings in the order of the payload, then the others in the order of the rules.
    package static func findings(for subject: LintSubject, silencing: Set<String> = []) -> [Finding] {
        let facts = LintFacts(subject)
        var findings = facts.decodingFindings
        if let app = subject.app {
            findings += subject.content.localizationFindings(app: app, locale: subject.locale)
        }
        findings = findings.map(explained)
        for rule in rules where !silencing.contains(rule.id) {
            findings += (rule.push?(facts).map(rule.finding) ?? []).bounded
        }
        return silencing.isEmpty ? findings : findings.filter { !silencing.contains($0.id) }
    }

    /// - Returns: Findings about categories and their buttons, with paths such as `categories.SHIP.actions.TRACK`.
    package static func findings(forCategoriesOf app: App, silencing: Set<String> = []) -> [Finding] {
        app.categories.flatMap { category in
            rules.flatMap { rule in
                silencing.contains(rule.id) ? [] : rule.category?(category, app).map(rule.finding) ?? []
            }
        }
    }

    /// - Returns: Findings with paths in the interaction, such as `intent.sender`.
    package static func findings(for subject: DonationSubject, silencing: Set<String> = []) -> [Finding] {
        let reservations = ReservationDonation.findings(for: subject.donation, by: subject.app)
        return reservations.filter { !silencing.contains($0.id) }
            + rules.flatMap { rule in
                silencing.contains(rule.id) ? [] : rule.donation?(subject).map(rule.finding) ?? []
            }
    }

    /// - Parameter markup: A mail or a web page: HTML, or JSON-LD alone.
    package static func findings(forMarkup markup: [UInt8], silencing: Set<String> = []) -> [Finding] {
        Markup(markup).findings.filter { !silencing.contains($0.id) }
    }

    package static func nearestRuleID(to text: String) -> String? { NearestName.of(text, among: rules.map(\.id)) }

    /// Adds the rule's source and fix to a decoder's finding.
    private static func explained(_ finding: Finding) -> Finding {
        guard let rule = rule(finding.id) else { return finding }
        var finding = finding
        finding.source = finding.source ?? rule.source
        finding.fix = finding.fix ?? rule.fix
        return finding
    }
}

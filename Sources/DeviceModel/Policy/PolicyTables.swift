/// All tables in one place, so that a decision finds them with one access; in the order of their stages.
struct PolicyTables: Sendable {
    let authorization = authorizationTable
    let critical = criticalTable
    let level = levelTable
    let communication = communicationTable
    let badge = badgeTable
    let immediacy = immediacyTable
    let summary = summaryTable
    let focus = focusTable
    let calls = callTable
    let presentation = presentationTable
    let foreground = foregroundMask
    let screen = screenMask
    let settings = settingsMask
    let look = lookMask
    let sound = soundTable
    let haptic = hapticTable
    let announce = announceTable
    let carPlay = carPlayTable

    static let all = PolicyTables()

    /// Every stage with the names of its rules, for documentation and tests.
    var listing: [(stage: String, rules: [String])] {
        [
            authorization.listing, critical.listing, level.listing, communication.listing, badge.listing,
            immediacy.listing, summary.listing, focus.listing, calls.listing, presentation.listing, foreground.listing,
            screen.listing, settings.listing, look.listing, sound.listing, haptic.listing, announce.listing,
            carPlay.listing,
        ]
    }
}

extension DecisionTable {
    fileprivate var listing: (stage: String, rules: [String]) { (stage, rows.map(\.name)) }
}

extension MaskTable {
    fileprivate var listing: (stage: String, rules: [String]) { (stage, rows.map(\.name)) }
}

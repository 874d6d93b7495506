/// All rules in the order of their stages, for documentation and tests.
let policyTables: [(stage: String, rules: [String])] = [
    authorizationTable.listing, criticalTable.listing, levelTable.listing, communicationTable.listing,
    badgeTable.listing, immediacyTable.listing, summaryTable.listing, focusTable.listing, callTable.listing,
    presentationTable.listing, foregroundMask.listing, screenMask.listing, settingsMask.listing, lookMask.listing,
    soundTable.listing, hapticTable.listing, announceTable.listing, carPlayTable.listing,
]

extension DecisionTable {
    fileprivate var listing: (stage: String, rules: [String]) { (stage, rows.map(\.rule)) }
}

extension MaskTable {
    fileprivate var listing: (stage: String, rules: [String]) { (stage, rows.map(\.rule)) }
}

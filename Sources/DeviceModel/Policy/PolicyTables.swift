/// All tables, in the order of their stages; in one place so that a decision finds them with one access.
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
}

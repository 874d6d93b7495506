internal import Fields

extension Assumption {
    /// Push types other than alerts (live.md L3).
    static let services: [Assumption] = [
        Assumption(
            "backgroundTime", \.backgroundTime, .milliseconds, .doc,
            "How long an app may handle a background push before the system kills it."),
        Assumption(
            "voipReportTime", \.voipReportTime, .milliseconds, .doc,
            "How long after a VoIP push the system kills an app whose handler has not returned and reported no call."),
        Assumption(
            "voipMaxUnreported", \.voipMaxUnreported, .integer(atLeast: 1), .design,
            "After how many VoIP pushes without a call the system withholds the next ones."),
        Assumption(
            "voipReportForgives", \.voipReportForgives, .flag, .design,
            "A reported call resets that count; otherwise only reinstalling the app does."),
        Assumption(
            "pttTimeoutLeaves", \.pttTimeoutLeaves, .flag, .design,
            "An app that returns no result for a Push to Talk push leaves its channel."),
        Assumption(
            "locationTime", \.locationTime, .milliseconds, .gk,
            "How long a location push extension may run before the system kills it."),
        Assumption(
            "widgetBudget", \.widgetBudget, .integer(atLeast: 0), unit: "a day", .doc,
            "How often pushes may reload a widget outside WidgetKit Developer Mode; Apple names 40 to 70."),
        Assumption(
            "mdmWaitsForUnlock", \.mdmWaitsForUnlock, .flag, .inferred,
            "Before its first unlock, a device answers MDM commands with NotNow."),
    ]
}

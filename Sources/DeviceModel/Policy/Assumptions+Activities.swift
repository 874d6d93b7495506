internal import Fields

extension Assumption {
    /// Live Activities (live.md L1).
    static let activities: [Assumption] = [
        Assumption(
            "endIgnoresTimestamp", \.endIgnoresTimestamp, .flag, .gk,
            "A Live Activity ends even if the push's timestamp is older than the latest update's."),
        Assumption(
            "maxPastSkew", \.maxPastSkew, .milliseconds, .design,
            "How old an update's timestamp may be when it arrives; 0s for no limit."),
        Assumption(
            "tokenAfterEnd", \.tokenAfterEnd, .word(), .design,
            "What a push to an activity's token leads to when the activity is over: 410 ExpiredToken, or 200 and a "
                + "drop by the device."),
        Assumption(
            "formerTokenTime", \.formerTokenTime, .milliseconds, .design,
            "How long APNs knows the token of an activity or control that is gone; afterwards it is unknown."),
        Assumption(
            "updateTokenDelay", \.updateTokenDelay, .milliseconds, .design,
            "How long after its start an activity gets its token."),
        Assumption(
            "consentGate", \.consentGate, .flag, .gk,
            "An activity started by a push gets its token only when the person has allowed the app's activities."),
        Assumption(
            "p2sScope", \.p2sScope, .word(), .design,
            "Whether a push-to-start token belongs to the app or to one type of activity."),
        Assumption(
            "p2sRotateOnStart", \.p2sRotateOnStart, .flag, .design,
            "A start by push replaces the app's push-to-start token."),
        Assumption(
            "p2sTokenSilent", \.p2sTokenSilent, .flag, .design,
            "The system issues push-to-start tokens and does not report them to the app."),
        Assumption(
            "wakeAfterForceQuit", \.wakeAfterForceQuit, .flag, .inferred,
            "A start by push wakes an app that the person force-quit."),
        Assumption(
            "startReachesForegroundApp", \.startReachesForegroundApp, .flag, .design,
            "The alert of a start by push also reaches willPresent of the app in the foreground."),
        Assumption(
            "alertWithoutSound", \.alertWithoutSound, .word(), .design,
            "The sound of a Live Activity's alert that names none."),
        Assumption(
            "alertNeedsTitle", \.alertNeedsTitle, .flag, .gk, "A Live Activity's alert without a title is ignored."),
        Assumption(
            "activitiesPerApp", \.activitiesPerApp, .integer(in: 0...50), unit: "activities", .gk,
            "How many activities of an app can be pending or active at once."),
        Assumption(
            "activitiesPerDevice", \.activitiesPerDevice, .integer(in: 0...250), unit: "activities", .design,
            "How many activities can be pending or active on a device at once."),
        Assumption(
            "enforceActivityBudgets", \.enforceActivityBudgets, .flag, .design,
            "The device drops starts and updates that exceed the app's budgets."),
        Assumption(
            "holdUntilRefill", \.holdUntilRefill, .flag, .design,
            "With enforced budgets, an update beyond them waits until the budget refills; a newer one replaces it."),
        Assumption(
            "updateBudget", \.updateBudget, .integer(in: 0...100_000), unit: "an hour", .gk,
            "How many updates of priority 10 an app's activities get."),
        Assumption(
            "frequentUpdateBudget", \.frequentUpdateBudget, .integer(in: 0...100_000), unit: "an hour", .gk,
            "The same for an app with NSSupportsLiveActivitiesFrequentUpdates, while its switch is on."),
        Assumption(
            "startBudget", \.startBudget, .integer(in: 0...100_000), unit: "a day", .design,
            "How many starts by push an app gets on a device."),
    ]
}

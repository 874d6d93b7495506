package import Fields
internal import Time

/// Undocumented behavior of the system, each as a setting with a default (`assumptions:` in config.yaml).
/// `Assumption.all` explains each member. Times are in milliseconds.
package struct Assumptions: FieldDescribed, Hashable {
    package var focusUsesSenderOnly = false
    package var focusReplaysAlerts = false
    package var repeatedCallWindow: Int64 = 180_000

    package var criticalDowngrade = InterruptionLevel.active
    package var criticalSoundRaises = true
    package var criticalSoundNeedsDictionary = false
    package var locksBanners = true
    package var hapticNeedsSound = true
    package var announcesOnlyWhenLocked = true
    package var timeSensitiveReviewInterval: Int64 = 30 * .day
    package var ephemeralLifetime: Int64 = 8 * .hour

    package var summaryPrecedesFocus = true
    package var summaryFeaturedCount = 2
    package var summaryMediaWeight = 0.5

    package var deliveredListsSilenced = true
    package var deliveredListsDeferred = false
    package var negativeBadgeKeepsNotifications = false
    package var negativeBadgeInPushClears = false
    package var duplicateWindow: Int64 = .day
    package var actionsShown = 4
    package var groupTitle = GroupTitle.senderFirst
    package var textBesideKey = TextBesideKey.fallback

    package var lenientIntents = false
    package var strictDonation = false

    package var unregisteredDelay: Int64 = 0
    package var storesOnePerApp = true
    package var storageTime: Int64 = 30 * .day
    package var broadcastsReplayOnSubscribe = false
    package var backgroundBudget = 3
    package var complicationBudget = 50

    package var endIgnoresTimestamp = true
    package var maxPastSkew: Int64 = 0
    package var tokenAfterEnd = TokenAfterEnd.expired
    package var formerTokenTime: Int64 = 30 * .day
    package var updateTokenDelay: Int64 = 0
    package var consentGate = true
    package var p2sScope = PushToStartScope.app
    package var p2sRotateOnStart = false
    package var p2sTokenSilent = false
    package var wakeAfterForceQuit = true
    package var startReachesForegroundApp = false
    package var alertWithoutSound = AlertWithoutSound.default
    package var alertNeedsTitle = true
    package var activitiesPerApp = 5
    package var activitiesPerDevice = 250
    package var enforceActivityBudgets = false
    package var holdUntilRefill = false
    package var updateBudget = 15
    package var frequentUpdateBudget = 240
    package var startBudget = 10

    package var backgroundTime: Int64 = 30_000
    package var voipReportTime: Int64 = 7000
    package var voipMaxUnreported = 4
    package var voipReportForgives = false
    package var callRingTime: Int64 = 60_000
    package var pttTimeoutLeaves = true
    package var locationTime: Int64 = 30_000
    package var widgetBudget = 40
    package var mdmWaitsForUnlock = true

    package var localKeeps = LocalKeeping.soonest
    package var localNeedsPermission = true
    package var localDeliversMissed = true
    package var localImpossibleDay = ImpossibleDay.next
    package var localClockGap = ClockGap.shift
    package var localClockFold = ClockFold.first
    package var localQuarterBlocks = true
    package var localDwell: Int64 = 20_000
    package var localRegionDistance = 0
    package var localFiresInside = false

    package var calendarGrouping: Int64 = 10_000
    package var unrelatedReservationsWarn = false
    package var travelSpeed = 30
    package var leaveBuffer: Int64 = 10 * .minute
    package var leaveLead: Int64 = 4 * .hour
    package var leaveInterval: Int64 = 5 * .minute
    package var flightArrivesEarly: Int64 = 2 * .hour
    package var mapsLead: Int64 = 4 * .hour
    package var mapsFlightLead: Int64 = 12 * .hour
    package var doNotDisturbLead: Int64 = 10 * .minute
    package var doNotDisturbDistance = 200
    package var predictionWindow: Int64 = 28 * .day
    package var predictionBucket = 45
    package var predictionDays = 3
    package var predictionRatio = 0.6
    package var predictionTolerance = 30
    package var predictionSpecificity = 0.1
    package var wakingHour = 4
    package var suggestionsOnLockScreen = 1
    package var suggestionsInSpotlight = 3
    package var suggestionsInWidget = 4
    package var focusPersonCount = 3
    package var focusPersonWindow: Int64 = 14 * .day
    package var shareSheetHalfLife = 7
    package var shareSheetIncomingWeight = 0.0

    package init() {}

    /// The effect of a push to the token of an ended activity.
    package enum TokenAfterEnd: String, CaseIterable, Codable, Sendable {
        /// 410 `ExpiredToken`.
        case expired
        /// 200, and the device drops it.
        case dropped
    }

    package enum PushToStartScope: String, CaseIterable, Codable, Sendable { case app, type }

    package enum AlertWithoutSound: String, CaseIterable, Codable, Sendable { case `default`, silent }

    package enum GroupTitle: String, CaseIterable, Codable, Sendable { case senderFirst, groupFirst }

    /// What a device shows of a text beside its localization key: the text where the app lacks the key, or always.
    package enum TextBesideKey: String, CaseIterable, Codable, Sendable { case fallback, always }

    /// Which 64 local notifications of an app stay pending.
    package enum LocalKeeping: String, CaseIterable, Codable, Sendable { case soonest, lastAdded }

    /// How to read a day that a month does not have: as the day after its last, or as none.
    package enum ImpossibleDay: String, CaseIterable, Codable, Sendable { case next, skip }

    package static let fields = Assumption.all.map(\.field)
}

/// A member of `Assumptions` and the source of its default.
package struct Assumption: Sendable {
    package let field: Field<Assumptions>
    /// nil unless the setting is a number.
    package let unit: String?
    package let mark: Mark

    /// How well founded a default is.
    package enum Mark: String, CaseIterable, Sendable {
        case doc, gk, inferred, design
    }

    /// - Parameter sentence: What the setting is, or what true means.
    init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Assumptions, Value> & Sendable, _ format: FieldFormat<Value>,
        unit: String? = nil, _ mark: Mark, _ sentence: String
    ) {
        field = Field(name, path, format, "\(sentence) [\(mark.rawValue)]")
        self.unit = unit
        self.mark = mark
    }

    package static let all = notifications + activities + services + siri + calendar

    private static let notifications: [Assumption] = [
        Assumption(
            "focusUsesSenderOnly", \.focusUsesSenderOnly, .flag, .design,
            "A Focus checks only the sender of a communication notification, so allowing the app has no effect."),
        Assumption(
            "focusReplaysAlerts", \.focusReplaysAlerts, .flag, .design,
            "Notifications that a Focus silenced play their sound when the Focus ends."),
        Assumption(
            "repeatedCallWindow", \.repeatedCallWindow, .milliseconds, .gk,
            "A second call from the same caller within this time counts as repeated."),
        Assumption(
            "criticalDowngrade", \.criticalDowngrade, .word(), .inferred,
            "The level that replaces critical for an app without the entitlement."),
        Assumption(
            "criticalSoundRaises", \.criticalSoundRaises, .flag, .inferred,
            "A critical sound makes a passive notification active for an app without the entitlement."),
        Assumption(
            "criticalSoundNeedsDictionary", \.criticalSoundNeedsDictionary, .flag, .inferred,
            "Only a sound dictionary plays as a critical sound, as Apple documents; reports list a plain sound, too."),
        Assumption("locksBanners", \.locksBanners, .flag, .gk, "A locked device shows the list and no banners."),
        Assumption(
            "hapticNeedsSound", \.hapticNeedsSound, .flag, .gk, "The device vibrates only together with a sound."),
        Assumption(
            "announcesOnlyWhenLocked", \.announcesOnlyWhenLocked, .flag, .gk,
            "Siri announces on headphones only while the device is locked or its screen is off."),
        Assumption(
            "timeSensitiveReviewInterval", \.timeSensitiveReviewInterval, .milliseconds, .design,
            "How long after a review of an app's Time Sensitive notifications the system asks again."),
        Assumption(
            "ephemeralLifetime", \.ephemeralLifetime, .milliseconds, .gk,
            "How long an App Clip may show notifications."),
        Assumption(
            "summaryPrecedesFocus", \.summaryPrecedesFocus, .flag, .design,
            "The scheduled summary is evaluated before the Focus."),
        Assumption(
            "summaryFeaturedCount", \.summaryFeaturedCount, .integer(atLeast: 0), unit: "notifications", .design,
            "How many notifications the scheduled summary features at its top."),
        Assumption(
            "summaryMediaWeight", \.summaryMediaWeight, .share, .design,
            "What a media attachment adds to the relevance score."),
        Assumption(
            "deliveredListsSilenced", \.deliveredListsSilenced, .flag, .inferred,
            "The app's list of delivered notifications includes what a Focus silenced."),
        Assumption(
            "deliveredListsDeferred", \.deliveredListsDeferred, .flag, .design,
            "The app's list of delivered notifications includes what waits for the summary."),
        Assumption(
            "negativeBadgeKeepsNotifications", \.negativeBadgeKeepsNotifications, .flag, .inferred,
            "A negative badge set by the app clears the number and does not remove notifications."),
        Assumption(
            "negativeBadgeInPushClears", \.negativeBadgeInPushClears, .flag, .gk,
            "A badge of -1 in a push clears the number and removes the app's notifications, as 0 does."),
        Assumption(
            "duplicateWindow", \.duplicateWindow, .milliseconds, .design,
            "Notifications with the same text within this time are duplicates."),
        Assumption(
            "actionsShown", \.actionsShown, .integer(in: 0...10), unit: "buttons", .doc,
            "How many buttons the detail view shows."),
        Assumption(
            "groupTitle", \.groupTitle, .word(), .doc,
            "Which name is the title of a group message; the other is its subtitle."),
        Assumption(
            "textBesideKey", \.textBesideKey, .word(), .gk,
            "When an alert shows a text that stands beside its localization key, such as title beside title-loc-key: "
                + "where the app has no such key, or always."),
        Assumption(
            "lenientIntents", \.lenientIntents, .flag, .design,
            "A message without a sender, or a call without contacts, updates a notification."),
        Assumption(
            "strictDonation", \.strictDonation, .flag, .design,
            "An intent updates a notification only if its conversation was donated before."),
        Assumption(
            "unregisteredDelay", \.unregisteredDelay, .milliseconds, .design,
            "How long pushes to an unregistered token are still answered 200 and discarded; with APNs, hours or days."),
        Assumption(
            "storesOnePerApp", \.storesOnePerApp, .flag, .doc,
            "Only the newest push of an app is stored for an unreachable device."),
        Assumption(
            "storageTime", \.storageTime, .milliseconds, .doc, "How long a push without apns-expiration is stored."),
        Assumption(
            "broadcastsReplayOnSubscribe", \.broadcastsReplayOnSubscribe, .flag, .design,
            "A device that subscribes to a channel gets the message that the channel stores."),
        Assumption(
            "backgroundBudget", \.backgroundBudget, .integer(atLeast: 0), unit: "an hour", .doc,
            "How many background pushes an app gets."),
        Assumption(
            "complicationBudget", \.complicationBudget, .integer(atLeast: 0), unit: "a day", .doc,
            "How many complication pushes an app gets."),
        Assumption(
            "localKeeps", \.localKeeps, .word(), .doc,
            "Which 64 local notifications of an app stay pending: those that fire soonest or those added last."),
        Assumption(
            "localNeedsPermission", \.localNeedsPermission, .flag, .gk,
            "An app without permission to notify cannot schedule local notifications."),
        Assumption(
            "localDeliversMissed", \.localDeliversMissed, .flag, .design,
            "A local notification that came due while the device was off is delivered when it starts."),
        Assumption(
            "localImpossibleDay", \.localImpossibleDay, .word(), .gk,
            "When a local notification for 31 February fires: on the next day, 1 March, or not at all."),
        Assumption(
            "localClockGap", \.localClockGap, .word(), .inferred,
            "When a local notification for 02:30 fires if the clock skips that hour: at 03:30 or at 03:00."),
        Assumption(
            "localClockFold", \.localClockFold, .word(), .design,
            "Which of the two occurrences fires a local notification when the clock repeats an hour."),
        Assumption(
            "localQuarterBlocks", \.localQuarterBlocks, .flag, .gk,
            "A calendar trigger whose quarter is 0 never fires; otherwise the 0 is ignored."),
        Assumption(
            "localDwell", \.localDwell, .milliseconds, .doc,
            "How long a device must stay inside or outside a region before it has entered or left it."),
        Assumption(
            "localRegionDistance", \.localRegionDistance, .integer(atLeast: 0), unit: "m", .design,
            "How far beyond a region's edge a device must be to have crossed it."),
        Assumption(
            "localFiresInside", \.localFiresInside, .flag, .gk,
            "A location trigger fires although the device is in its region when it is added."),
    ]

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
            "callRingTime", \.callRingTime, .milliseconds, .design,
            "How long a call rings before it ends unanswered."),
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

extension FieldFormat {
    package static var milliseconds: FieldFormat<Int64> {
        text(
            duration.accepted, form: TextForm(pattern: DurationText.pattern),
            read: { Duration(written: $0).map { Int64($0 / .milliseconds(1)) } },
            write: { DurationText.text(.milliseconds($0)) })
    }
}

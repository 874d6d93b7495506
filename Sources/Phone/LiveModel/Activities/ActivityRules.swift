package import DeviceModel
internal import Time

/// Whether a push changes an activity.
package enum ActivityVerdict: Hashable, Sendable, CustomStringConvertible {
    case applied
    case dropped(DiscardReason)
    /// Held until the budget refills.
    case held

    package var description: String {
        switch self {
        case .applied: "the push passes"
        case .dropped(let reason): "the device drops it (\(reason.rawValue))"
        case .held: "the device holds it until the budget refills"
        }
    }
}

/// The checks that all pushes share (live.md L1.2).
package let addressTable = DecisionTable<ActivityDecision, ActivityVerdict>(
    stage: "push",
    rows: [
        .init("1", .dropped(.malformed), "inferred").asks("is there no aps dictionary?", unless: [.hasAPS]),
        .init("2", .dropped(.eventUnknown), "doc: ActivityKit push notifications")
            .asks(
                { "is event none of start, update and end (\($0.event ?? "absent"))?" },
                unless: [.isStart, .isUpdate, .isEnd]),
        .init("3.start", .dropped(.eventNotForToken), "doc: ActivityKit push notifications")
            .asks("is it a start to an activity's token or a channel?", when: [.isStart], unless: [.isToPushToStart]),
        .init("3.update", .dropped(.eventNotForToken), "inferred")
            .asks("is it an update or end to a push-to-start token?", when: [.isToPushToStart], unless: [.isStart]),
        .init("T7", .dropped(.p2sTokenStale), "kylebshr/luka-ios #146")
            .asks("does the app have a newer push-to-start token?", when: [.isStaleToken]),
        .init("T2", .dropped(.wrongActivityType), "GoCarrot/TeakCocoaPodsExample #2")
            .asks("does the push-to-start token belong to another type of activity?", when: [.isOtherType]),
        .init("4.unsupported", .dropped(.unsupported), "doc: ActivityKit")
            .asks({ "does \($0.bundleID) not support Live Activities?" }, unless: [.isSupported]),
        .init("4.version", .dropped(.unsupported), "doc: ActivityKit")
            .asks({ "is iOS\($0.osVersion.map { " \($0)" } ?? "") too old for it?" }, when: [.isFeatureMissing]),
        .init("4.denied", .dropped(.denied), "doc: ActivityKit")
            .asks({ "are Live Activities off for \($0.bundleID)?" }, when: [.isDenied]),
        .init("5", .dropped(.timestampMissing), "doc: ActivityKit push notifications")
            .asks("is timestamp not a number?", unless: [.hasTimestamp]),
        .init("6", .dropped(.timestampFuture), "Apple forum 776165")
            .asks({ "is the timestamp more than 8 h ahead\($0.ahead)?" }, when: [.isFuture]),
        .otherwise("6.ok", .applied, "design"),
    ])

/// The further checks of a start.
package let startTable = DecisionTable<ActivityDecision, ActivityVerdict>(
    stage: "start",
    rows: [
        .init(
            "S1", .dropped(.startWithoutAlert), "doc: ActivityKit push notifications; GoCarrot/TeakCocoaPodsExample #2"
        ).asks("is there no alert?", unless: [.hasAlert]),
        .init(
            "S2", .dropped(.unknownAttributesType), "doc: Generating a remote notification; Home Assistant; OneSignal"
        )
        .asks({ "does the app have no type \($0.type ?? "(absent)")\($0.nearest)?" }, unless: [.isTypeKnown]),
        .init("S3", .dropped(.attributesDecodeFailed), "inferred")
            .asks({ "do the attributes not decode\($0.failureText)?" }, when: [.attributesFail]),
        .init("S3.state", .dropped(.contentDecodeFailed), "doc: ActivityKit push notifications; WWDC23 10185")
            .asks({ "does content-state not decode\($0.failureText)?" }, when: [.contentFails]),
        .init("S4", .dropped(.inputBoth), "doc: ActivityKit push notifications")
            .asks("are there both input-push-token and input-push-channel?", when: [.hasBothInputs]),
        .init("S6", .dropped(.channelUnknown), "doc: ActivityKit push notifications")
            .asks("is the channel of input-push-channel unknown?", when: [.isChannelUnknown]),
        .init("9", .dropped(.tooLarge), "doc: Displaying live data with Live Activities").asks(
            { $0.sizeQuestion }, when: [.isTooLarge]),
        .init("S7.app", .dropped(.limitApp), "OneSignal; pushward.app")
            .asks({ "does the app have as many activities as are allowed\($0.countText)?" }, when: [.isAppFull]),
        .init("S7.device", .dropped(.limitDevice), "design")
            .asks("does the device have the most activities that are allowed?", when: [.isDeviceFull]),
        .init("S7.budget", .dropped(.p2sBudget), "EKKOLearnAI/hermes-studio #3111")
            .asks(
                "has the app used up its starts, and is the budget enforced?",
                when: [.isStartBudgetSpent, .enforcesBudgets]),
        .otherwise("S8", .applied, "doc: ActivityKit push notifications"),
    ])

/// The further checks of an update or an end.
package let updateTable = DecisionTable<ActivityDecision, ActivityVerdict>(
    stage: "update",
    rows: [
        .init("7", .dropped(.timestampOlder), "doc: ActivityKit")
            .asks({ "is the update older than the latest one\($0.age)?" }, when: [.isUpdate, .isOlder]),
        .init("7b", .dropped(.timestampOlder), "doc: ActivityKit; Apple forum 776165")
            .asks(
                { "is the end older than the latest update\($0.age), and does that count?" },
                when: [.isEnd, .isOlder], unless: [.endIgnoresTimestamp]),
        .init("7a", .dropped(.timestampPast), "Apple forum 776165; mfaani.com")
            .asks("is the update's timestamp too long ago?", when: [.isUpdate, .isPast]),
        .init("8", .dropped(.activityEnded), "doc: ActivityKit push notifications; doc: ActivityKit").asks(
            "is the activity over?", when: [.isOver]),
        .init("9", .dropped(.tooLarge), "doc: Displaying live data with Live Activities").asks(
            { $0.sizeQuestion }, when: [.isTooLarge]),
        .init("10.hold", .held, "design")
            .asks(
                "has the app used up its updates of priority 10, and does the device hold more?",
                when: [.isUpdateBudgetSpent, .enforcesBudgets, .holdsUntilRefill]),
        .init("10", .dropped(.throttled), "doc: ActivityKit push notifications")
            .asks(
                "has the app used up its updates of priority 10, and is the budget enforced?",
                when: [.isUpdateBudgetSpent, .enforcesBudgets]),
        .init("11", .dropped(.contentDecodeFailed), "doc: ActivityKit push notifications; WWDC23 10185")
            .asks({ "does content-state not decode\($0.failureText)?" }, when: [.isUpdate, .contentFails]),
        .otherwise("12", .applied, "doc: ActivityKit push notifications"),
    ])

/// What an alert in an applied push does (L1.4).
enum ActivityAlertAnswer: String, PolicyAnswer {
    case empty = "the alert does nothing"
    case passive = "the alert is quiet"
    case focus = "the Focus silences the alert"
    case pending = "nothing shows the activity yet"
    case inApp = "the app shows the change itself"
    case alerts = "the device alerts"
}

let alertTable = DecisionTable<ActivityDecision, ActivityAlertAnswer>(
    stage: "alert",
    rows: [
        .init("alert.empty", .empty, "Apple forum 799195")
            .asks("does the alert have neither text nor sound?", unless: [.hasAlertText, .hasAlertSound]),
        .init("alert.noTitle", .empty, "OneSignal")
            .asks("does the alert have no title?", when: [.alertNeedsTitle], unless: [.hasAlertTitle]),
        .init("alert.pending", .pending, "inferred").asks("does the activity start later?", when: [.isPending]),
        .init("alert.passive", .passive, "design").asks("is interruption-level passive?", when: [.isPassive]),
        .init("alert.focus", .focus, "WWDC25 216")
            .asks(
                { "does the active Focus\($0.focus.map { " \"\($0)\"" } ?? "") silence \($0.bundleID)?" },
                when: [.isSilencedByFocus]),
        .init("alert.frontmost", .inApp, "WWDC23 10184; doc: Displaying live data with Live Activities")
            .asks({ "is \($0.bundleID) in the foreground of a device in use?" }, when: [.isFrontmost]),
        .otherwise("alert.alerts", .alerts, "doc: Displaying live data with Live Activities"),
    ])

let alertSoundTable = DecisionTable<ActivityDecision, SoundAnswer>(
    stage: "sound",
    rows: [
        .init("sound.none", .absent, "HIG Live Activities; OneSignal")
            .asks(
                "does the alert name no sound, and is there no default?", unless: [.hasAlertSound, .soundsByDefault]),
        .init("sound.ringSwitch", .muted, "gk")
            .asks("is the ring switch on silent?", when: [.isRingSwitchSilent]),
        .otherwise("sound.plays", .plays, "HIG Live Activities"),
    ])

extension ActivityDecision {
    fileprivate var ahead: String {
        guard let timestamp else { return "" }
        if let unit = EpochUnit(ofSeconds: timestamp) { return " (it looks like \(unit.rawValue))" }
        let lead = Int64(max(-9e15, timestamp - at.seconds))
        return lead < 0 ? " (it is \(-lead) s ago)" : " (\(lead) s)"
    }

    fileprivate var age: String {
        guard let timestamp, let lastTimestamp else { return "" }
        return timestamp > lastTimestamp
            ? " (it is \(timestamp - lastTimestamp) s newer)" : " (\(lastTimestamp - timestamp) s)"
    }

    fileprivate var countText: String { count.map { " (it has \($0))" } ?? "" }

    fileprivate var nearest: String { nearestType.map { ", only \($0)" } ?? "" }
    fileprivate var failureText: String { failure.map { ": \($0.sentence)" } ?? "" }
    fileprivate var sizeQuestion: String {
        let measured = byteCount.map { " (they have \($0))" } ?? ""
        return "do attributes and content exceed \(LiveActivity.maximumDataByteCount) bytes\(measured)?"
    }
}

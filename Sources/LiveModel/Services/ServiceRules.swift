package import APNs
package import DeviceModel

/// What a push that is not an alert leads to.
package enum ServiceOutcome: String, CaseIterable, Codable, Sendable {
    // Discarded.
    case backgroundModeMissing, appTerminated, notRegistered, withheld, notJoined, extensionMissing, entitlementMissing
    case notAuthorized, notEnrolled, wrongMagic, noWidget, noControl, noComplication, overBudget
    // Delivered.
    case wakes, notHandled
    case rings, filtered, alreadyReported, exempt, killed, killedLater
    case speaks, transmitting, failed, leaves
    case located, notLocated, locationTimedOut
    case signalled, unknownDomain, containerIgnored
    case replied, notNow
    case reloaded, controlReloaded, complicationUpdated

    package var discardReason: DiscardReason? {
        switch self {
        case .backgroundModeMissing: .backgroundModeMissing
        case .appTerminated: .appTerminated
        case .notRegistered: .notRegistered
        case .withheld: .voipWithheld
        case .notJoined: .channelNotJoined
        case .extensionMissing: .extensionMissing
        case .entitlementMissing: .entitlementMissing
        case .notAuthorized: .locationNotAuthorized
        case .notEnrolled: .notEnrolled
        case .wrongMagic: .wrongPushMagic
        case .noWidget: .noWidget
        case .noControl: .noControl
        case .noComplication: .noComplication
        case .overBudget: .budgetExceeded
        case .wakes, .notHandled, .rings, .filtered, .alreadyReported, .exempt, .killed, .killedLater, .speaks,
            .transmitting, .failed, .leaves, .located, .notLocated, .locationTimedOut, .signalled, .unknownDomain,
            .containerIgnored, .replied, .notNow, .reloaded, .controlReloaded, .complicationUpdated:
            nil
        }
    }

    /// For people; a result adds its detail.
    package var sentence: String {
        switch self {
        case .backgroundModeMissing: "Discarded: the app lacks the background mode remote-notification"
        case .appTerminated: "Discarded: the person force-quit the app"
        case .notRegistered: "Discarded: the app does not register for these pushes"
        case .withheld: "Withheld: the app reported no call too often; only reinstalling it helps"
        case .notJoined: "Discarded: the app has joined no channel"
        case .extensionMissing: "Discarded: the app has no location push extension"
        case .entitlementMissing: "Discarded: the app lacks the entitlement \(Entitlement.locationPush.rawValue)"
        case .notAuthorized: "Discarded: the app may not always use the location"
        case .notEnrolled: "Discarded: the device is not enrolled"
        case .wrongMagic: "Ignored: `mdm` is not the enrolment's PushMagic"
        case .noWidget: "Discarded: no widget with a push handler is placed"
        case .noControl: "Discarded: the token's control is not placed, or has no push handler"
        case .noComplication: "Discarded: the complication is not on the active watch face"
        case .overBudget: "Discarded: over budget"
        case .wakes: "The app is woken"
        case .notHandled: "The app is woken and does not call its completion handler"
        case .rings: "The phone rings"
        case .filtered: "The call does not ring: the Focus filters it, and reporting it fails"
        case .alreadyReported: "The call was reported before"
        case .exempt: "No call is reported; the app is in the foreground or has a call"
        case .killed: "App killed: it reported no call before its handler returned"
        case .killedLater: "App killed: its handler does not return and reports no call"
        case .speaks: "A participant speaks"
        case .transmitting: "Error: the person transmits on a half-duplex channel"
        case .failed: "The app returns an error"
        case .leaves: "The app leaves the channel"
        case .located: "Location reported"
        case .notLocated: "The extension reports no location"
        case .locationTimedOut: "The extension does not finish and is killed"
        case .signalled: "The enumerator is signalled"
        case .unknownDomain: "Ignored: the app has no such file provider domain"
        case .containerIgnored: "Ignored: a replicated extension enumerates only its working set"
        case .replied: "MDM wake: the device polls the server"
        case .notNow: "MDM wake: the device was not unlocked yet and answers NotNow"
        case .reloaded: "Widgets reloaded"
        case .controlReloaded: "Control reloaded"
        case .complicationUpdated: "Complication updated"
        }
    }
}

/// What can hold for such a push; rules test these.
package struct ServiceFacts: OptionSet, Hashable, Codable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    static let lacksMode = Self(rawValue: 1 << 0)
    static let isTerminated = Self(rawValue: 1 << 1)
    static let isUnregistered = Self(rawValue: 1 << 2)
    static let isWithheld = Self(rawValue: 1 << 3)
    static let isForeground = Self(rawValue: 1 << 4)
    static let hasCall = Self(rawValue: 1 << 5)
    static let isFiltered = Self(rawValue: 1 << 6)
    static let reportsCall = Self(rawValue: 1 << 7)
    static let reportsExisting = Self(rawValue: 1 << 8)
    static let timesOut = Self(rawValue: 1 << 9)
    static let hasNoChannel = Self(rawValue: 1 << 10)
    static let isTransmitting = Self(rawValue: 1 << 11)
    static let leaves = Self(rawValue: 1 << 12)
    static let fails = Self(rawValue: 1 << 13)
    static let lacksExtension = Self(rawValue: 1 << 14)
    static let lacksEntitlement = Self(rawValue: 1 << 15)
    static let isUnauthorized = Self(rawValue: 1 << 16)
    static let isUnknownDomain = Self(rawValue: 1 << 17)
    static let isOutsideWorkingSet = Self(rawValue: 1 << 18)
    static let isNotEnrolled = Self(rawValue: 1 << 19)
    static let hasWrongMagic = Self(rawValue: 1 << 20)
    static let waitsForUnlock = Self(rawValue: 1 << 21)
    static let hasNoSurface = Self(rawValue: 1 << 22)
    static let isOverBudget = Self(rawValue: 1 << 23)
}

/// One decision table per push type (L3): rows tried in order; the first that applies answers.
package enum ServiceRules {
    struct Rule: Sendable {
        /// Stable, such as `voip.withheld`.
        let name: String
        let outcome: ServiceOutcome
        let source: String
        let question: String
        let wanted: ServiceFacts

        init(
            _ name: String, _ question: String, _ outcome: ServiceOutcome, _ source: String, when wanted: ServiceFacts
        ) {
            (self.name, self.question, self.outcome, self.source) = (name, question, outcome, source)
            self.wanted = wanted
        }

        static func otherwise(_ name: String, _ outcome: ServiceOutcome, _ source: String) -> Self {
            Self(name, "otherwise", outcome, source, when: [])
        }
    }

    /// Every type's last rule applies.
    static func decide(_ kind: PushType, _ facts: ServiceFacts) -> ServiceOutcome? {
        rules(for: kind).first { facts.isSuperset(of: $0.wanted) }?.outcome
    }

    /// Every rule tried.
    package static func trace(_ kind: PushType, _ facts: ServiceFacts) -> [TraceStep] {
        var steps: [TraceStep] = []
        for rule in rules(for: kind) {
            let applies = facts.isSuperset(of: rule.wanted)
            steps.append(
                TraceStep(
                    stage: kind.name, rule: rule.name, facts: rule.question,
                    answer: applies ? rule.outcome.rawValue : nil, source: rule.source))
            if applies { break }
        }
        return steps
    }

    static func rules(for kind: PushType) -> [Rule] {
        switch kind {
        case .background: background
        case .voip: voip
        case .pushtotalk: pushToTalk
        case .location: location
        case .fileprovider: fileProvider
        case .mdm: mdm
        case .widgets: widgets
        case .controls: controls
        case .complication: complication
        case .alert, .liveactivity: []
        }
    }

    private static let background = [
        Rule(
            "background.mode", "does the app lack the background mode remote-notification?", .backgroundModeMissing,
            "doc: Pushing background updates to your App", when: .lacksMode),
        Rule(
            "background.terminated", "did the person force-quit the app?", .appTerminated,
            "doc: Pushing background updates to your App", when: .isTerminated),
        Rule(
            "background.timeout", "does the app not call its completion handler?", .notHandled,
            "doc: application(_:didReceiveRemoteNotification:fetchCompletionHandler:)", when: .timesOut),
        .otherwise("background.wakes", .wakes, "doc: Pushing background updates to your App"),
    ]

    private static let voip = [
        Rule(
            "voip.registered", "does the app not register for VoIP pushes?", .notRegistered, "doc: PKPushRegistry",
            when: .isUnregistered),
        Rule(
            "voip.withheld", "has the app failed to report calls too often?", .withheld,
            "doc: PushKit; the number is an assumption", when: .isWithheld),
        Rule(
            "voip.filtered", "does the app report a call that the active Focus filters?", .filtered, "doc: PushKit",
            when: [.reportsCall, .isFiltered]),
        Rule("voip.rings", "does the app report a call?", .rings, "doc: PushKit", when: .reportsCall),
        Rule(
            "voip.existing", "does the app report a call that it has?", .alreadyReported, "design",
            when: [.reportsExisting, .hasCall]),
        Rule(
            "voip.foreground", "is the app in the foreground?", .exempt, "Apple staff, forums 768136",
            when: .isForeground),
        Rule("voip.call", "does the app have a call?", .exempt, "Apple staff, forums 768136", when: .hasCall),
        Rule(
            "voip.timeout", "does the app's handler not return?", .killedLater, "Apple staff, forums 817976",
            when: .timesOut),
        .otherwise("voip.killed", .killed, "Apple staff, forums 817976"),
    ]

    private static let pushToTalk = [
        Rule(
            "ptt.registered", "does the app not use Push to Talk?", .notRegistered, "doc: Push to Talk",
            when: .isUnregistered),
        Rule("ptt.joined", "has the app joined no channel?", .notJoined, "doc: Push to Talk", when: .hasNoChannel),
        Rule("ptt.leave", "does the app leave the channel?", .leaves, "doc: Push to Talk", when: .leaves),
        Rule("ptt.error", "does the app return an error?", .failed, "design", when: .fails),
        Rule(
            "ptt.halfDuplex", "does the person transmit on a half-duplex channel?", .transmitting, "doc: Push to Talk",
            when: .isTransmitting),
        .otherwise("ptt.participant", .speaks, "doc: Push to Talk"),
    ]

    private static let location = [
        Rule(
            "location.extension", "does the app lack a location push extension?", .extensionMissing,
            "doc: CLLocationPushServiceExtension", when: .lacksExtension),
        Rule(
            "location.entitlement", "does the app lack the location push entitlement?", .entitlementMissing,
            "doc: CLLocationPushServiceError", when: .lacksEntitlement),
        Rule(
            "location.always", "may the app not always use the location?", .notAuthorized,
            "doc: CLLocationPushServiceExtension", when: .isUnauthorized),
        Rule(
            "location.timeout", "does the extension not finish?", .locationTimedOut,
            "doc: serviceExtensionWillTerminate(); the time is an assumption", when: .timesOut),
        Rule("location.none", "does the extension report no location?", .notLocated, "design", when: .fails),
        .otherwise("location.reported", .located, "doc: CLLocationPushServiceExtension"),
    ]

    private static let fileProvider = [
        Rule(
            "fileprovider.registered", "does the app not register for file provider pushes?", .notRegistered,
            "doc: NSFileProviderManager", when: .isUnregistered),
        Rule(
            "fileprovider.domain", "is the domain unknown?", .unknownDomain, "doc: NSFileProviderManager; design",
            when: .isUnknownDomain),
        Rule(
            "fileprovider.workingSet", "is it a replicated extension and not its working set?", .containerIgnored,
            "doc: NSFileProviderReplicatedExtension", when: .isOutsideWorkingSet),
        .otherwise("fileprovider.signals", .signalled, "doc: NSFileProviderManager"),
    ]

    private static let mdm = [
        Rule(
            "mdm.enrolled", "is the device not enrolled?", .notEnrolled, "doc: Device Management",
            when: .isNotEnrolled),
        Rule("mdm.magic", "is `mdm` not the PushMagic?", .wrongMagic, "gk", when: .hasWrongMagic),
        Rule(
            "mdm.unlocked", "has the device not been unlocked since it started?", .notNow,
            "doc: Device Management; which commands is unknown", when: .waitsForUnlock),
        .otherwise("mdm.wakes", .replied, "doc: Device Management"),
    ]

    private static let widgets = [
        Rule(
            "widgets.placed", "is no widget with a push handler placed?", .noWidget,
            "doc: Updating widgets with WidgetKit push notifications", when: .hasNoSurface),
        Rule(
            "widgets.budget", "has every such widget used up its budget?", .overBudget,
            "doc: Keeping a widget up to date", when: .isOverBudget),
        .otherwise("widgets.reload", .reloaded, "WWDC25 278"),
    ]

    private static let controls = [
        Rule(
            "controls.placed", "is the token's control not placed, or without a push handler?", .noControl,
            "doc: Updating controls locally and remotely", when: .hasNoSurface),
        .otherwise("controls.reload", .controlReloaded, "doc: Updating controls locally and remotely"),
    ]

    private static let complication = [
        Rule(
            "complication.face", "is the complication not on the active watch face?", .noComplication,
            "doc: Keeping your complications up to date", when: .hasNoSurface),
        Rule(
            "complication.budget", "has the app used up its complication pushes of the day?", .overBudget,
            "doc: Keeping your complications up to date", when: .isOverBudget),
        .otherwise("complication.update", .complicationUpdated, "doc: Keeping your complications up to date"),
    ]
}

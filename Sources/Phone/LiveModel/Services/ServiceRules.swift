package import APNs
package import DeviceModel

/// The facts that rules test about a push that is neither an alert nor for a Live Activity.
package enum ServiceFact: UInt8, CaseIterable, Codable, Sendable {
    case lacksMode, isTerminated
    case isUnregistered, isWithheld, isForeground, hasCall, isFiltered, reportsCall, reportsExisting
    case hasNoChannel, isTransmitting, leaves
    case lacksExtension, lacksEntitlement, isUnauthorized
    case isUnknownDomain, isOutsideWorkingSet
    case isNotEnrolled, hasWrongMagic, waitsForUnlock
    case hasNoSurface, isOverBudget
    /// The app's or extension's handler does not return.
    case timesOut
    /// The app replies with an error, or has nothing to report.
    case fails
    /// The device's iOS is too old for the push type.
    case isFeatureMissing
    /// A VoIP push that comes after its call has stopped ringing.
    case isStale
    /// The same caller called a short time ago.
    case isRepeatedCall
}

/// What the device or the app does with a delivered push.
package enum ServiceOutcome: String, CaseIterable, Codable, PolicyAnswer {
    case wakes = "the app is woken"
    case notHandled = "the app is woken and does not call its completion handler"
    case rings = "the phone rings"
    case filtered = "the Focus filters the call, and reporting it fails"
    case alreadyReported = "the app had reported the call before"
    case exempt = "no call is reported, which is allowed in the foreground and during a call"
    case exemptStale = "no call is reported, which iOS 26.4 allows for a push that comes too late"
    case killed = "the app is killed: it reported no call before its handler returned"
    case killedLater = "the app is killed: its handler does not return and reports no call"
    case speaks = "a participant speaks"
    case transmitting = "the push fails: the person transmits on a half-duplex channel"
    case failed = "the app returns an error"
    case leaves = "the app leaves the channel"
    case located = "the location is reported"
    case notLocated = "the extension reports no location"
    case locationTimedOut = "the extension does not finish and is killed"
    case signalled = "the enumerator is signalled"
    case unknownDomain = "the push is ignored: the app has no such file provider domain"
    case containerIgnored = "the push is ignored: a replicated extension enumerates only its working set"
    case replied = "the device polls the MDM server"
    case notNow = "the device polls the MDM server and answers NotNow until it is unlocked"
    case reloaded = "widgets are reloaded"
    case controlReloaded = "the control is reloaded"
    case complicationUpdated = "the complication is updated"
}

package enum ServiceVerdict: Hashable, Codable, Sendable, CustomStringConvertible {
    case discarded(DiscardReason)
    case delivered(ServiceOutcome)

    package var description: String {
        switch self {
        case .discarded(let reason): "the push is discarded: \(reason.words)"
        case .delivered(let outcome): outcome.rawValue
        }
    }

    package var discardReason: DiscardReason? { if case .discarded(let reason) = self { reason } else { nil } }
}

/// The decision tables, one per push type (L3).
package enum ServiceRules {
    package typealias Table = DecisionTable<FactSet<ServiceFact>, ServiceVerdict>

    /// Every rule tried.
    package static func trace(_ kind: PushType, _ facts: FactSet<ServiceFact>) -> [TraceStep] {
        let trace = Trace()
        _ = table(for: kind)?.decide(facts, trace)
        return trace.steps
    }

    static func table(for kind: PushType) -> Table? {
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
        case .alert, .liveactivity: nil
        }
    }

    private static let background = Table(
        stage: "background",
        rows: [
            .init("background.mode", .discarded(.backgroundModeMissing), "doc: Pushing background updates to your App")
                .asks("does the app lack the background mode remote-notification?", when: [.lacksMode]),
            .init("background.terminated", .discarded(.appTerminated), "doc: Pushing background updates to your App")
                .asks("did the person force-quit the app?", when: [.isTerminated]),
            .init("background.timeout", .delivered(.notHandled), "doc: Pushing background updates to your App")
                .asks("does the app not call its completion handler?", when: [.timesOut]),
            .otherwise("background.wakes", .delivered(.wakes), "doc: Pushing background updates to your App"),
        ])

    private static let voip = Table(
        stage: "voip",
        rows: [
            .init("voip.registered", .discarded(.notRegistered), "doc: PKPushRegistry")
                .asks("does the app not register for VoIP pushes?", when: [.isUnregistered]),
            .init("voip.withheld", .discarded(.voipWithheld), "doc: PushKit; the number is an assumption")
                .asks("has the app failed to report calls too often?", when: [.isWithheld]),
            .init("voip.filtered", .delivered(.filtered), "doc: PushKit")
                .asks("does the app report a call that the Focus filters?", when: [.reportsCall, .isFiltered]),
            .init("voip.rings", .delivered(.rings), "doc: PushKit")
                .asks("does the app report a call?", when: [.reportsCall]),
            .init("voip.existing", .delivered(.alreadyReported), "design")
                .asks("does the app report a call that it has?", when: [.reportsExisting, .hasCall]),
            .init("voip.foreground", .delivered(.exempt), "Apple staff, forums 768136")
                .asks("is the app in the foreground?", when: [.isForeground]),
            .init("voip.call", .delivered(.exempt), "Apple staff, forums 768136")
                .asks("does the app have a call?", when: [.hasCall]),
            .init("voip.stale", .delivered(.exemptStale), "doc: PushKit, mustReport; the time is an assumption")
                .asks("does the push come after its call has stopped ringing?", when: [.isStale]),
            .init("voip.timeout", .delivered(.killedLater), "Apple staff, forums 817976")
                .asks("does the app's handler not return?", when: [.timesOut]),
            .otherwise("voip.killed", .delivered(.killed), "Apple staff, forums 817976"),
        ])

    private static let pushToTalk = Table(
        stage: "pushtotalk",
        rows: [
            .init("ptt.version", .discarded(.unsupported), "doc: Push to Talk")
                .asks("is the device's iOS older than 16?", when: [.isFeatureMissing]),
            .init("ptt.registered", .discarded(.notRegistered), "doc: Push to Talk")
                .asks("does the app not use Push to Talk?", when: [.isUnregistered]),
            .init("ptt.joined", .discarded(.channelNotJoined), "doc: Push to Talk")
                .asks("has the app joined no channel?", when: [.hasNoChannel]),
            .init("ptt.leave", .delivered(.leaves), "doc: Push to Talk")
                .asks("does the app leave the channel?", when: [.leaves]),
            .init("ptt.error", .delivered(.failed), "design").asks("does the app return an error?", when: [.fails]),
            .init("ptt.halfDuplex", .delivered(.transmitting), "doc: Push to Talk")
                .asks("does the person transmit on a half-duplex channel?", when: [.isTransmitting]),
            .otherwise("ptt.participant", .delivered(.speaks), "doc: Push to Talk"),
        ])

    private static let location = Table(
        stage: "location",
        rows: [
            .init("location.extension", .discarded(.extensionMissing), "doc: CLLocationPushServiceExtension")
                .asks("does the app lack a location push extension?", when: [.lacksExtension]),
            .init("location.entitlement", .discarded(.entitlementMissing), "doc: CLLocationPushServiceError")
                .asks("does the app lack the location push entitlement?", when: [.lacksEntitlement]),
            .init("location.always", .discarded(.locationNotAuthorized), "doc: CLLocationPushServiceExtension")
                .asks("may the app not always use the location?", when: [.isUnauthorized]),
            .init("location.timeout", .delivered(.locationTimedOut), "doc: CLLocationPushServiceExtension; gk")
                .asks("does the extension not finish?", when: [.timesOut]),
            .init("location.none", .delivered(.notLocated), "design")
                .asks("does the extension report no location?", when: [.fails]),
            .otherwise("location.reported", .delivered(.located), "doc: CLLocationPushServiceExtension"),
        ])

    private static let fileProvider = Table(
        stage: "fileprovider",
        rows: [
            .init("fileprovider.registered", .discarded(.notRegistered), "doc: NSFileProviderManager")
                .asks("does the app not register for file provider pushes?", when: [.isUnregistered]),
            .init("fileprovider.domain", .delivered(.unknownDomain), "design")
                .asks("is the domain unknown?", when: [.isUnknownDomain]),
            .init("fileprovider.workingSet", .delivered(.containerIgnored), "doc: NSFileProviderReplicatedExtension")
                .asks(
                    "is the extension replicated and the container not its working set?", when: [.isOutsideWorkingSet]),
            .otherwise("fileprovider.signals", .delivered(.signalled), "doc: NSFileProviderManager"),
        ])

    private static let mdm = Table(
        stage: "mdm",
        rows: [
            .init("mdm.enrolled", .discarded(.notEnrolled), "doc: Device Management")
                .asks("is the device not enrolled?", when: [.isNotEnrolled]),
            .init("mdm.magic", .discarded(.wrongPushMagic), "gk")
                .asks("is mdm not the enrolment's PushMagic?", when: [.hasWrongMagic]),
            .init("mdm.unlocked", .delivered(.notNow), "doc: Device Management; inferred")
                .asks("has the device not been unlocked since it started?", when: [.waitsForUnlock]),
            .otherwise("mdm.wakes", .delivered(.replied), "doc: Device Management"),
        ])

    private static let widgets = Table(
        stage: "widgets",
        rows: [
            .init("widgets.version", .discarded(.unsupported), "WWDC25 278")
                .asks("is the device's iOS older than 26?", when: [.isFeatureMissing]),
            .init("widgets.placed", .discarded(.noWidget), "WWDC25 278")
                .asks("is no widget with a push handler placed?", when: [.hasNoSurface]),
            .init("widgets.budget", .discarded(.budgetExceeded), "doc: Keeping a widget up to date")
                .asks("has every such widget used up its budget?", when: [.isOverBudget]),
            .otherwise("widgets.reload", .delivered(.reloaded), "WWDC25 278"),
        ])

    private static let controls = Table(
        stage: "controls",
        rows: [
            .init("controls.version", .discarded(.unsupported), "doc: Updating controls")
                .asks("is the device's iOS older than 18?", when: [.isFeatureMissing]),
            .init("controls.placed", .discarded(.noControl), "doc: Updating controls")
                .asks("is the token's control not placed, or without a push handler?", when: [.hasNoSurface]),
            .otherwise("controls.reload", .delivered(.controlReloaded), "doc: Updating controls"),
        ])

    private static let complication = Table(
        stage: "complication",
        rows: [
            .init("complication.face", .discarded(.noComplication), "doc: ClockKit")
                .asks("is the complication not on the active watch face?", when: [.hasNoSurface]),
            .init("complication.budget", .discarded(.budgetExceeded), "doc: ClockKit")
                .asks("has the app used up its complication pushes of the day?", when: [.isOverBudget]),
            .otherwise("complication.update", .delivered(.complicationUpdated), "doc: ClockKit"),
        ])
}

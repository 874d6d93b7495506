/// What may be true of a push, its circumstances and what was decided so far; rules are made of these.
enum Fact: UInt8, CaseIterable, Sendable {
    // MARK: The app
    case isTimeSensitiveEntitled, isCriticalEntitled, isCommunicationEntitled
    case declaresMessages, declaresCalls
    case isFocusStatusAuthorized
    /// What the app's `willPresent` answers; none of the last four without a delegate.
    case hasDelegate, letsBadge, letsSound, letsList, letsBanner

    // MARK: The app's settings; a missing entitlement counts as `notSupported`, and that as off (B.0, inferred)
    case isAuthorized, isDenied, isAppClip
    /// Provisionally authorized.
    case isOnTrial
    case isTimeSensitiveOn, isCriticalOn, areDirectMessagesOn
    case isAlertOn, isSoundOn, isBadgeOn, isLockScreenOn, isNotificationCenterOn, isCarPlayOn
    case isScheduled, isAppAnnounced, announcesEverything
    case hasNoAlertStyle, hasPersistentBanners, arePreviewsHidden

    // MARK: The device
    /// Unlocked and lit: somebody looks at it.
    case isInUse
    /// The app is in front of somebody.
    case isFrontmost
    case isSummaryOn
    case isRingSwitchSilent
    /// The device may vibrate as its ring switch is.
    case isHapticOn
    case isAnnouncingOn, announcesToHeadphones
    /// Headphones or a HomePod to which Siri announces.
    case hasAnnouncingRoute
    case hasHeadphones, hasHomePod
    case isCarPlayConnected
    /// The app's communication notifications are read out in the car.
    case isReadInCar

    // MARK: The active Focus
    case isFocusOn, isAppAllowed
    /// The Focus lets the app's Time Sensitive notifications through.
    case isTimeSensitiveAllowed
    case showsSilencedOnLockScreen
    case allowsEveryonesCalls, allowsPeoplesCalls, allowsFavoritesCalls, allowsContactsCalls, allowsRepeatedCalls

    // MARK: Assumptions
    case usesSenderOnly, locksBanners, hapticNeedsSound, announcesOnlyWhenLocked, criticalSoundRaises

    // MARK: The content
    case asksForPassive, asksForTimeSensitive, asksForCritical
    case hasAlert, hasBadge, hasSound, hasCriticalSound
    /// Its criteria are not among those that the app's Focus filter lets through.
    case isFilteredOut
    case isCarPlayCategory
    /// Its category shows the title although previews are hidden.
    case showsHiddenTitle
    case isTimeSensitiveIntroduced, isTrialIntroduced

    // MARK: The sender
    case hasIntent, isIntentDeclared, notifiesAnyway
    case isIncomingCall, isRepeatedCall
    case isSenderAllowed, isSenderContact, isSenderFavorite, hasEmergencyBypass

    // MARK: Decided by a stage
    case isPassive, isTimeSensitive, isCritical, isCommunication
    /// A communication notification for which the Focus asks for the sender alone.
    case judgesSenderOnly
    /// On trial, and no critical alert.
    case isQuiet
    case isNow, isLeftToApp, isDeliveredQuietly, isSilenced, isDeferred
    /// Nothing holds the alert back: now, or left to the frontmost app.
    case isAlerting
    case isVisible, showsBanner
    case isSoundDue
}

struct Facts: Sendable, Hashable, ExpressibleByArrayLiteral {
    // One bit for each fact: 128 fit.
    private(set) var bits: UInt128 = 0

    /// Nothing is true.
    init() {}

    /// These are true.
    init(arrayLiteral facts: Fact...) {
        for fact in facts { insert(fact) }
    }

    /// Adds a fact if it is true.
    @inline(__always)
    mutating func insert(_ fact: Fact, if isTrue: Bool = true) {
        bits |= UInt128(truncatingIfNeeded: isTrue ? 1 : 0) << UInt128(truncatingIfNeeded: fact.rawValue)
    }

    @inline(__always)
    func contains(_ fact: Fact) -> Bool { bits & (1 << UInt128(truncatingIfNeeded: fact.rawValue)) != 0 }

    /// Whether all of `wanted` are in it, and none of `unwanted`.
    @inline(__always)
    func match(_ wanted: Facts, without unwanted: Facts) -> Bool {
        bits & (wanted.bits | unwanted.bits) == wanted.bits
    }
}

extension PolicyContext {
    /// What is true of every push alike, worked out once so that a push compares no strings for it.
    static func facts(
        device: DeviceConditions, focus: Focus?, app: App, settings: NotificationSettings, assumptions: Assumptions
    ) -> Facts {
        var facts = Facts()
        facts.insert(app)
        facts.insert(settings)
        facts.insert(device, app.bundleID)
        facts.insert(focus, app.bundleID)
        facts.insert(assumptions)
        facts.insert(.isTimeSensitiveOn, if: app.has(.timeSensitive) && settings.timeSensitive == .enabled)
        facts.insert(.isCriticalOn, if: app.has(.criticalAlerts) && settings.criticalAlert == .enabled)
        facts.insert(.areDirectMessagesOn, if: app.has(.communication) && settings.directMessages == .enabled)
        facts.insert(.arePreviewsHidden, if: DeviceModel.arePreviewsHidden(settings, on: device))
        let isReadInCar = device.announce.isEnabled && device.announce.inCarPlay && settings.announcement == .enabled
        facts.insert(.isReadInCar, if: isReadInCar)
        return facts
    }
}

extension Facts {
    fileprivate mutating func insert(_ app: App) {
        insert(.isTimeSensitiveEntitled, if: app.has(.timeSensitive))
        insert(.isCriticalEntitled, if: app.has(.criticalAlerts))
        insert(.isCommunicationEntitled, if: app.has(.communication))
        insert(.declaresMessages, if: app.declares(.sendMessage))
        insert(.declaresCalls, if: app.declares(.startCall))
        insert(.isFocusStatusAuthorized, if: app.isFocusStatusAuthorized)
        guard let options = app.presentationOptions else { return }
        insert(.hasDelegate)
        insert(.letsBadge, if: options.contains(.badge))
        insert(.letsSound, if: options.contains(.sound))
        insert(.letsList, if: options.contains(.list) || options.contains(.alert))
        insert(.letsBanner, if: options.contains(.banner) || options.contains(.alert))
    }

    fileprivate mutating func insert(_ settings: NotificationSettings) {
        insert(.isAuthorized, if: settings.authorizationStatus == .authorized)
        insert(.isDenied, if: settings.authorizationStatus == .denied)
        insert(.isAppClip, if: settings.authorizationStatus == .ephemeral)
        insert(.isOnTrial, if: settings.authorizationStatus == .provisional)
        insert(.isAlertOn, if: settings.alert == .enabled)
        insert(.isSoundOn, if: settings.sound == .enabled)
        insert(.isBadgeOn, if: settings.badge == .enabled)
        insert(.isLockScreenOn, if: settings.lockScreen == .enabled)
        insert(.isNotificationCenterOn, if: settings.notificationCenter == .enabled)
        insert(.isCarPlayOn, if: settings.carPlay == .enabled)
        insert(.isScheduled, if: settings.scheduledDelivery == .enabled)
        insert(.isAppAnnounced, if: settings.announcement == .enabled)
        insert(.announcesEverything, if: settings.announcesEverything)
        insert(.hasNoAlertStyle, if: settings.alertStyle == .none)
        insert(.hasPersistentBanners, if: settings.alertStyle == .alert)
    }

    fileprivate mutating func insert(_ device: DeviceConditions, _ bundleID: String) {
        let isInUse = !device.isLocked && device.isScreenOn
        let isSilent = device.ringSwitch == .silent
        insert(.isInUse, if: isInUse)
        insert(.isFrontmost, if: isInUse && device.foregroundApp == bundleID)
        insert(.isSummaryOn, if: device.summary.isEnabled)
        insert(.isRingSwitchSilent, if: isSilent)
        insert(.isHapticOn, if: isSilent ? device.haptics.silent : device.haptics.ring)
        insert(.isAnnouncingOn, if: device.announce.isEnabled)
        insert(.announcesToHeadphones, if: device.announce.onHeadphones)
        insert(.hasAnnouncingRoute, if: device.audioRoute.isHeadphones || device.audioRoute == .homepod)
        insert(.hasHeadphones, if: device.audioRoute.isHeadphones)
        insert(.hasHomePod, if: device.audioRoute == .homepod)
        insert(.isCarPlayConnected, if: device.isCarPlayConnected)
    }

    fileprivate mutating func insert(_ focus: Focus?, _ bundleID: String) {
        guard let focus else { return }
        let isOptedOut = focus.timeSensitiveOptOutApps.contains(bundleID)
        insert(.isFocusOn)
        insert(.isAppAllowed, if: focus.apps.allows(bundleID))
        insert(.isTimeSensitiveAllowed, if: focus.allowsTimeSensitive && !isOptedOut)
        insert(.showsSilencedOnLockScreen, if: focus.showsOnLockScreen)
        insert(.allowsEveryonesCalls, if: focus.allowsCallsFrom == .everyone)
        insert(.allowsPeoplesCalls, if: focus.allowsCallsFrom == .allowedPeople)
        insert(.allowsFavoritesCalls, if: focus.allowsCallsFrom == .favorites)
        insert(.allowsContactsCalls, if: focus.allowsCallsFrom == .contacts)
        insert(.allowsRepeatedCalls, if: focus.allowsRepeatedCalls)
    }

    fileprivate mutating func insert(_ assumptions: Assumptions) {
        insert(.usesSenderOnly, if: assumptions.focusUsesSenderOnly)
        insert(.locksBanners, if: assumptions.locksBanners)
        insert(.hapticNeedsSound, if: assumptions.hapticNeedsSound)
        insert(.announcesOnlyWhenLocked, if: assumptions.announcesOnlyWhenLocked)
        insert(.criticalSoundRaises, if: assumptions.criticalSoundRaises)
    }
}

extension App {
    /// Whether the app says that it deals with an intent: in `NSUserActivityTypes` or by an Intents extension (S0-38).
    package func declares(_ intent: CommunicationContext.Intent) -> Bool {
        userActivityTypes.contains(intent.rawValue) || supportedIntents.contains(intent.rawValue)
    }
}

extension DeviceConditions.AudioRoute {
    /// Whether Siri announces to these headphones.
    fileprivate var isHeadphones: Bool { self == .airpodsPro || self == .airpodsMax }
}

/// What can hold for a push, its context and the decisions so far; rules test these.
enum Fact: UInt8, CaseIterable, Sendable {
    // MARK: The app
    case isTimeSensitiveEntitled, isCriticalEntitled, isCommunicationEntitled
    case declaresMessages, declaresCalls
    case isFocusStatusAuthorized
    /// Options that the app's `willPresent` returns; without a delegate, none of the last four holds.
    case hasDelegate, letsBadge, letsSound, letsList, letsBanner

    // MARK: The app's settings; a missing entitlement counts as `notSupported`, which counts as off (B.0, inferred)
    case isAuthorized, isDenied, isAppClip, isProvisional
    case isTimeSensitiveOn, isCriticalOn, areDirectMessagesOn
    case isAlertOn, isSoundOn, isBadgeOn, isLockScreenOn, isNotificationCenterOn, isCarPlayOn
    case isScheduled, isAppAnnounced, announcesEverything
    case hasNoAlertStyle, hasPersistentBanners, arePreviewsHidden

    // MARK: The device
    /// Unlocked, with its screen on.
    case isInUse
    /// In the foreground of a device in use.
    case isFrontmost
    case isSummaryOn
    case isRingSwitchSilent
    case isHapticOn
    case isAnnouncingOn, announcesToHeadphones
    /// Headphones or a HomePod that Siri announces to.
    case hasAnnouncingRoute
    case hasHeadphones, hasHomePod
    case isCarPlayConnected
    case isReadInCar

    // MARK: The active Focus
    case isFocusOn, isAppAllowed
    case isTimeSensitiveAllowed
    case showsSilencedOnLockScreen
    case allowsEveryonesCalls, allowsPeoplesCalls, allowsFavoritesCalls, allowsContactsCalls, allowsRepeatedCalls

    // MARK: Assumptions
    case usesSenderOnly, locksBanners, hapticNeedsSound, announcesOnlyWhenLocked, criticalSoundRaises
    case criticalSoundNeedsDictionary
    /// The level that replaces a refused critical one; active if neither holds.
    case downgradesToPassive, downgradesToTimeSensitive
    case summaryPrecedesFocus

    // MARK: The content
    case asksForPassive, asksForTimeSensitive, asksForCritical
    case hasAlert, hasBadge, hasSound, hasCriticalSound
    /// What sounds in a critical alert: its dictionary, or by assumption a name, too.
    case hasSoundForCritical
    case isFilteredOut
    case isCarPlayCategory
    /// Its category shows the title even when previews are hidden.
    case showsHiddenTitle
    case isTimeSensitiveIntroduced, isProvisionalIntroduced

    // MARK: The sender
    case hasIntent, isIntentDeclared, notifiesAnyway
    case isIncomingCall, isRepeatedCall
    case isSenderAllowed, isSenderContact, isSenderFavorite, hasEmergencyBypass

    // MARK: Decided by a stage
    case isPassive, isTimeSensitive, isCritical, isCommunication
    /// A communication notification that the Focus judges by its sender alone.
    case judgesSenderOnly
    /// Provisionally authorized and not a critical alert.
    case isQuiet
    case isNow, isLeftToApp, isDeliveredQuietly, isSilenced, isDeferred
    /// Nothing holds the alert back: it shows now, or the frontmost app decides.
    case isAlerting
    case isVisible, showsBanner
    case isSoundDue
}

typealias Facts = FactSet<Fact>

extension Facts {
    /// The facts that all pushes in a context share, computed once so that a push compares no strings.
    init(device: DeviceConditions, focus: Focus?, app: App, settings: NotificationSettings, assumptions: Assumptions) {
        insert(app)
        insert(settings)
        insert(device, app.bundleID)
        insert(focus, app.bundleID)
        insert(assumptions)
        insert(.isTimeSensitiveOn, if: app.has(.timeSensitive) && settings.timeSensitive == .enabled)
        insert(.isCriticalOn, if: app.has(.criticalAlerts) && settings.criticalAlert == .enabled)
        insert(.areDirectMessagesOn, if: app.has(.communication) && settings.directMessages == .enabled)
        insert(.arePreviewsHidden, if: settings.hidesPreviews(on: device))
        let announce = device.announce
        insert(.isReadInCar, if: announce.isEnabled && announce.inCarPlay && settings.announcement == .enabled)
    }

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
        insert(.isProvisional, if: settings.authorizationStatus == .provisional)
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
        let isInUse = device.isInUse
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
        insert(.criticalSoundNeedsDictionary, if: assumptions.criticalSoundNeedsDictionary)
        insert(.downgradesToPassive, if: assumptions.criticalDowngrade == .passive)
        insert(.downgradesToTimeSensitive, if: assumptions.criticalDowngrade == .timeSensitive)
        insert(.summaryPrecedesFocus, if: assumptions.summaryPrecedesFocus)
    }
}

extension App {
    /// Whether `NSUserActivityTypes` or an Intents extension of the app declares the intent (S0-38).
    package func declares(_ intent: CommunicationContext.Intent) -> Bool {
        userActivityTypes.contains(intent.rawValue) || supportedIntents.contains(intent.rawValue)
    }
}

extension DeviceConditions.AudioRoute {
    /// Headphones that Siri announces to.
    fileprivate var isHeadphones: Bool { self == .airpodsPro || self == .airpodsMax }
}

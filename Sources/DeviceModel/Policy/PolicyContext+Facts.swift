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

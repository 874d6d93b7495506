/// What follows from circumstances alone, worked out once so that a push compares no strings for it.
///
/// Nothing in it is counted by reference, so that it costs nothing to hand on.
struct StandingFacts: Sendable {
    let settings: NotificationSettings

    // MARK: The app
    let isTimeSensitiveEntitled: Bool
    let isCriticalEntitled: Bool
    let isCommunicationEntitled: Bool
    let declaresMessages: Bool
    let declaresCalls: Bool
    let isFocusStatusAuthorized: Bool
    /// What `willPresent` answers, `list` being Notification Center; nil when the app has no delegate.
    let frontmostOptions: Presentation?

    // MARK: Settings, where a missing entitlement counts as `notSupported` (B.0, inferred)
    let isTimeSensitiveOn: Bool
    let isCriticalOn: Bool
    let areDirectMessagesOn: Bool
    let arePreviewsHidden: Bool

    // MARK: The device
    /// Unlocked and lit: somebody looks at it.
    let isInUse: Bool
    /// The app is in front of somebody.
    let isFrontmost: Bool
    let isSummaryOn: Bool
    let isRingSwitchSilent: Bool
    /// Whether the device may vibrate as its ring switch is.
    let isHapticOn: Bool
    let audioRoute: DeviceConditions.AudioRoute
    let announce: DeviceConditions.Announce
    let isCarPlayConnected: Bool

    // MARK: The active Focus
    let isFocusOn: Bool
    let isAppAllowed: Bool
    /// Whether the Focus lets the app's Time Sensitive notifications through.
    let isTimeSensitiveAllowed: Bool
    let showsSilencedOnLockScreen: Bool
    let callScope: Focus.CallScope?
    let allowsRepeatedCalls: Bool

    // MARK: Assumptions
    let criticalDowngrade: InterruptionLevel
    let summaryPrecedesFocus: Bool
    let usesSenderOnly: Bool
    let locksBanners: Bool
    let hapticNeedsSound: Bool
    let announcesOnlyWhenLocked: Bool
    let repeatedCallWindow: Int64

    init(
        device: DeviceConditions, focus: Focus?, app: App, settings: NotificationSettings, assumptions: Assumptions
    ) {
        self.settings = settings

        isTimeSensitiveEntitled = app.has(.timeSensitive)
        isCriticalEntitled = app.has(.criticalAlerts)
        isCommunicationEntitled = app.has(.communication)
        declaresMessages = app.declares(.sendMessage)
        declaresCalls = app.declares(.startCall)
        isFocusStatusAuthorized = app.isFocusStatusAuthorized
        frontmostOptions = app.presentationOptions.map { $0.reduce(into: []) { $0.formUnion($1.presentation) } }

        isTimeSensitiveOn = isTimeSensitiveEntitled && settings.timeSensitive == .enabled
        isCriticalOn = isCriticalEntitled && settings.criticalAlert == .enabled
        areDirectMessagesOn = isCommunicationEntitled && settings.directMessages == .enabled
        arePreviewsHidden = DeviceModel.arePreviewsHidden(settings, on: device)

        isInUse = !device.isLocked && device.isScreenOn
        isFrontmost = isInUse && device.foregroundApp == app.bundleID
        isSummaryOn = device.summary.isEnabled
        isRingSwitchSilent = device.ringSwitch == .silent
        isHapticOn = isRingSwitchSilent ? device.haptics.silent : device.haptics.ring
        audioRoute = device.audioRoute
        announce = device.announce
        isCarPlayConnected = device.isCarPlayConnected

        isFocusOn = focus != nil
        isAppAllowed = focus?.apps.allows(app.bundleID) ?? true
        isTimeSensitiveAllowed = focus.map { $0.allowsTimeSensitive(from: app.bundleID) } ?? true
        showsSilencedOnLockScreen = focus?.showsOnLockScreen ?? false
        callScope = focus?.allowsCallsFrom
        allowsRepeatedCalls = focus?.allowsRepeatedCalls ?? true

        criticalDowngrade = assumptions.criticalDowngrade
        summaryPrecedesFocus = assumptions.summaryPrecedesFocus
        usesSenderOnly = assumptions.focusUsesSenderOnly
        locksBanners = assumptions.locksBanners
        hapticNeedsSound = assumptions.hapticNeedsSound
        announcesOnlyWhenLocked = assumptions.announcesOnlyWhenLocked
        repeatedCallWindow = assumptions.repeatedCallWindow
    }
}

extension App {
    /// Whether the app says that it deals with an intent: in `NSUserActivityTypes` or by an Intents extension (S0-38).
    fileprivate func declares(_ intent: CommunicationContext.Intent) -> Bool {
        userActivityTypes.contains(intent.rawValue) || supportedIntents.contains(intent.rawValue)
    }
}

extension Focus {
    fileprivate func allowsTimeSensitive(from bundleID: String) -> Bool {
        allowsTimeSensitive && !timeSensitiveOptOutApps.contains(bundleID)
    }
}

extension PresentationOption {
    /// What the option lets through (B.1.7).
    fileprivate var presentation: Presentation {
        switch self {
        case .badge: .badge
        case .sound: .sound
        case .list: .notificationCenter
        case .banner: .banner
        case .alert: [.banner, .notificationCenter]
        }
    }
}

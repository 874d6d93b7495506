/// What follows from circumstances alone, worked out once so that no push has to compare strings for it.
struct StandingFacts: Sendable {
    // MARK: The app
    let isTimeSensitiveEntitled: Bool
    let isCriticalEntitled: Bool
    let isCommunicationEntitled: Bool
    let declaresMessages: Bool
    let declaresCalls: Bool

    // MARK: The app's settings, where a missing entitlement counts as `notSupported` (B.0, inferred)
    let isTimeSensitiveOn: Bool
    let isCriticalOn: Bool
    let areDirectMessagesOn: Bool
    let arePreviewsHidden: Bool

    // MARK: The device
    /// Unlocked and lit: somebody looks at it.
    let isInUse: Bool
    /// The app is in front of somebody.
    let isFrontmost: Bool
    /// What `willPresent` answers; `list` is Notification Center.
    let frontmostOptions: Presentation

    // MARK: The active Focus
    /// The Focus that is on; nil for none.
    let focus: Focus?
    let isAppAllowed: Bool
    let isTimeSensitiveOptedOut: Bool
    /// The criteria that the app's Focus filter lets through; nil when it has no filter.
    let filter: [String]?

    init(device: DeviceConditions, app: App, settings: NotificationSettings) {
        isTimeSensitiveEntitled = app.has(.timeSensitive)
        isCriticalEntitled = app.has(.criticalAlerts)
        isCommunicationEntitled = app.has(.communication)
        declaresMessages = app.declares(.sendMessage)
        declaresCalls = app.declares(.startCall)
        isTimeSensitiveOn = isTimeSensitiveEntitled && settings.timeSensitive == .enabled
        isCriticalOn = isCriticalEntitled && settings.criticalAlert == .enabled
        areDirectMessagesOn = isCommunicationEntitled && settings.directMessages == .enabled
        arePreviewsHidden = DeviceModel.arePreviewsHidden(settings, on: device)
        isInUse = !device.isLocked && device.isScreenOn
        isFrontmost = isInUse && device.foregroundApp == app.bundleID
        frontmostOptions = (app.presentationOptions ?? []).reduce(into: []) { $0.formUnion($1.presentation) }
        focus = device.focus.activeMode
        isAppAllowed = focus?.apps.allows(app.bundleID) ?? true
        isTimeSensitiveOptedOut = focus?.timeSensitiveOptOutApps.contains(app.bundleID) ?? false
        filter = focus?.filters.first { $0.bundleID == app.bundleID }?.allowedCriteria
    }
}

extension App {
    /// Whether the app says that it deals with an intent: in `NSUserActivityTypes` or by an Intents extension (S0-38).
    fileprivate func declares(_ intent: CommunicationContext.Intent) -> Bool {
        userActivityTypes.contains(intent.rawValue) || supportedIntents.contains(intent.rawValue)
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

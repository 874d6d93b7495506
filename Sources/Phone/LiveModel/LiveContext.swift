package import APNs
package import DeviceModel
package import JSON
package import Time

/// Everything that a decision may depend on besides the state. Immutable; a class, because copying it costs as much as
/// a decision.
package final class LiveContext {
    package let now: Instant
    package let device: DeviceConditions
    package let assumptions: Assumptions
    /// Makes identifiers unique among devices.
    package let deviceName: String
    package let place: DevicePlace
    /// Incremented with each change of apps or assumptions.
    package let catalogRevision: UInt32
    /// Whether the channel exists.
    package let isChannel: (ChannelKey) -> Bool
    /// Whether the device has the app.
    package let isInstalled: (_ bundleID: String) -> Bool
    /// The app's widgets that the person placed.
    package let widgets: (_ bundleID: String) -> [ServiceSettings.PlacedSurface]
    private let findApp: (String) -> (app: App, settings: NotificationSettings, isTerminated: Bool)

    package init(
        now: Instant, device: DeviceConditions, assumptions: Assumptions, deviceName: String = "",
        place: DevicePlace = DevicePlace(), catalogRevision: UInt32 = 0,
        isChannel: @escaping (ChannelKey) -> Bool = { _ in true },
        isInstalled: @escaping (String) -> Bool = { _ in true },
        widgets: @escaping (String) -> [ServiceSettings.PlacedSurface] = { _ in [] },
        findApp: @escaping (String) -> (app: App, settings: NotificationSettings, isTerminated: Bool)
    ) {
        self.now = now
        self.device = device
        self.assumptions = assumptions
        self.deviceName = deviceName
        self.place = place
        self.catalogRevision = catalogRevision
        self.isChannel = isChannel
        self.isInstalled = isInstalled
        self.widgets = widgets
        self.findApp = findApp
    }

    /// The app's declaration; an unknown app has only its bundle identifier.
    package func app(_ bundleID: String) -> App { findApp(bundleID).app }

    /// The app's notification settings on this device.
    package func settings(of bundleID: String) -> NotificationSettings { findApp(bundleID).settings }

    /// Whether the person force-quit the app.
    package func isTerminated(_ bundleID: String) -> Bool { findApp(bundleID).isTerminated }

    /// The context of the policy that also decides about alerts.
    package func policy(of bundleID: String) -> PolicyContext {
        let (app, settings, _) = findApp(bundleID)
        return PolicyContext(device: device, app: app, settings: settings, assumptions: assumptions)
    }

    package func isForeground(_ bundleID: String) -> Bool { device.foregroundApp == bundleID }
}

/// The effects of a change outside the state, in order.
package struct LiveEffects {
    package var events: [DeviceEffect] = []
    /// Performed after the events are logged.
    package var requests: [LiveRequest] = []

    package init() {}

    package mutating func emit(
        _ kind: DeviceEvent.Kind, _ notification: UInt64? = nil, app: String?, _ details: JSONObject = [:]
    ) {
        events.append(DeviceEffect(kind, notification, app: app, details))
    }

    /// Removes everything but keeps the storage for the next device.
    package mutating func removeAll() {
        events.removeAll(keepingCapacity: true)
        requests.removeAll(keepingCapacity: true)
    }
}

/// Requests that the state cannot carry out itself: the device presents a local notification, the store does the rest.
package enum LiveRequest: Hashable, Sendable {
    /// Issues a token and reports it with `tokenIssued`; an active token for the same use is retired as unregistered.
    case issue(TokenUse)
    /// Of both environments.
    case retire(TokenUse, RegistrationStatus)
    case subscribe(ChannelKey)
    case unsubscribe(ChannelKey)
    /// Removes expired tokens.
    case forgetTokens
    /// Presents a local notification that has fired.
    case present(LocalNotification)
    /// Copies the reservations to the person's other devices; some changed, by number.
    case shareReservations(changed: [UInt64])
    /// Copies the reservations of the person's other devices to this one.
    case takeReservations
}

/// What a token on a device is for.
package struct TokenUse: Hashable, Codable, Sendable {
    package var kind: TokenKind
    package var bundleID: String
    package var environment: APNsEnvironment
    /// The activity or control that the token belongs to; nil for one that belongs to the app.
    package var subject: String?

    package init(_ kind: TokenKind, bundleID: String, environment: APNsEnvironment, subject: String? = nil) {
        self.kind = kind
        self.bundleID = bundleID
        self.environment = environment
        self.subject = subject
    }

    package var topic: String { bundleID + kind.pushType.topicSuffix }
}

/// Why an input is not possible.
package struct LiveError: Error, Hashable, Sendable {
    package enum Kind: String, Sendable { case missing, conflict, invalid }

    /// Answered with 404, 409 or 400.
    package var kind: Kind
    /// Starts in lower case and has no full stop.
    package var message: String

    package init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }
}

/// A feature that older versions of iOS lack (live.md L1.6).
package enum LiveFeature: CaseIterable, Sendable {
    case activities
    /// Stale dates, relevance scores and frequent updates.
    case refinements
    case pushToStart, channels, transient, watch, schedule, carPlay
    case controls, widgetPushes
    /// `PKVoIPPushMetadata`.
    case callMetadata

    package var since: OSVersion {
        switch self {
        case .activities: OSVersion(16, 1)
        case .refinements: OSVersion(16, 2)
        case .pushToStart: OSVersion(17, 2)
        case .channels, .transient, .watch, .controls: OSVersion(18)
        case .schedule, .carPlay, .widgetPushes: OSVersion(26)
        case .callMetadata: OSVersion(26, 4)
        }
    }
}

extension LiveContext {
    package func has(_ feature: LiveFeature) -> Bool { device.osVersion >= feature.since }

    /// - Throws: `unsupported` with the version that has the feature.
    func require(_ feature: LiveFeature, _ name: String) throws(LiveError) {
        guard !has(feature) else { return }
        throw ActivityAuthorizationError.unsupported(
            "\(name) need iOS \(feature.since), and the device has iOS \(device.osVersion); change its osVersion")
    }
}

/// What `Activity.request` throws.
enum ActivityAuthorizationError: String {
    case unsupported, denied, visibility, targetMaximumExceeded, globalMaximumExceeded, attributesTooLarge

    func callAsFunction(_ message: String) -> LiveError {
        LiveError(
            self == .attributesTooLarge ? .invalid : .conflict, "ActivityAuthorizationError.\(rawValue): \(message)")
    }
}

package import APNs
internal import DeviceModel

/// Whether a token can be pushed to.
package enum RegistrationStatus: Sendable, Hashable {
    case active
    /// The app is gone, as APNs tells by `Unregistered`.
    case unregistered(since: Instant)
    /// The token is too old, as APNs tells by `ExpiredToken`.
    case expired(since: Instant)
}

/// A token that a device's app got, with its status at the time of asking.
///
/// A class, so that the records that share it are small and cheap to copy.
package final class Registration: Sendable {
    let entry: RegistrationEntry
    /// Whether the token could be pushed to when this was looked up.
    package let status: RegistrationStatus

    init(entry: RegistrationEntry, status: RegistrationStatus) {
        self.entry = entry
        self.status = status
    }

    package var device: String { entry.device.name }
    /// The topic that the token is good for.
    package var topic: String { entry.topic }
    /// The environment that the token is good for.
    package var environment: APNsEnvironment { entry.environment }
    /// What the token is used for.
    package var kind: TokenKind { entry.kind }
    /// The token; share this one instead of keeping an equal one.
    package var token: DeviceToken { entry.token }
    /// When the app registered.
    package var registeredAt: Instant { entry.registeredAt }
    /// How many registrations of the same kind went before.
    package var generation: Int { Int(entry.generation) }
    /// What the token is issued for, in whatever generation.
    package var use: TokenRequest { TokenRequest(device: device, topic: topic, environment: environment, kind: kind) }
}

/// A registration as the store keeps it.
///
/// - Note: `status`, `known`, `current` and the device's state are touched only under the store's lock, everything else is immutable;
///   that makes `@unchecked Sendable` hold.
final class RegistrationEntry: @unchecked Sendable {
    /// Kept until the device is deleted, when the device lets go of its registrations.
    let device: Device
    let topic: String
    /// The app that the topic belongs to.
    let bundleID: String
    let environment: APNsEnvironment
    let kind: TokenKind
    let generation: Int32
    let token: DeviceToken
    let registeredAt: Instant
    var status = RegistrationStatus.active { willSet { device.willChange() } }
    /// The context of the latest push, good as long as nothing changes.
    private var known: (context: PolicyContext, catalog: UInt32, device: UInt32)?

    /// The latest snapshot; it holds on to this, until the device lets go of its registrations.
    private var current: Registration?

    init(_ request: TokenRequest, on device: Device, token: DeviceToken, at now: Instant) {
        self.device = device
        topic = request.topic
        kind = request.kind
        bundleID = kind == .app || kind == .mdm ? topic : TopicRules.bundleID(of: topic)
        environment = request.environment
        generation = Int32(clamping: request.generation)
        self.token = token
        registeredAt = now
    }

    /// What surrounds a push to this registration.
    func context(in catalog: AppCatalog) -> PolicyContext {
        if let known, known.catalog == catalog.revision, known.device == device.state.revision {
            return known.context
        }
        let made = catalog.context(of: bundleID, on: device.state)
        known = (made, catalog.revision, device.state.revision)
        return made
    }

    /// The registration with its status of now.
    var snapshot: Registration {
        if let current, current.status == status { return current }
        let made = Registration(entry: self, status: status)
        if !device.isDeleted { current = made }
        return made
    }

    /// Lets go of what holds on to this.
    func release() { current = nil }

    /// Whether this is a registration of the same app for the same use.
    func serves(_ request: TokenRequest) -> Bool {
        kind == request.kind && environment == request.environment && topic == request.topic
    }
}

package import APNs
internal import DeviceModel
package import Time

extension RegistrationStatus {
    package enum Kind: String, CaseIterable, Codable, Sendable { case active, unregistered, expired }

    package var kind: Kind {
        switch self {
        case .active: .active
        case .unregistered: .unregistered
        case .expired: .expired
        }
    }

    package var since: Instant? {
        switch self {
        case .active: nil
        case .unregistered(let since), .expired(let since): since
        }
    }

    mutating func setBack(_ clock: ClockReturn) {
        if let since { self = RegistrationStatus(kind, since: clock.moved(since)) }
    }

    init(_ kind: Kind, since: Instant) {
        switch kind {
        case .active: self = .active
        case .unregistered: self = .unregistered(since: since)
        case .expired: self = .expired(since: since)
        }
    }
}

/// A token of an app on a device, with its status at the time of the lookup.
package struct Registration: Sendable {
    let entry: RegistrationEntry
    package let status: RegistrationStatus

    package var device: String { entry.device.name }
    package var topic: String { entry.topic }
    package var bundleID: String { entry.bundleID }
    package var environment: APNsEnvironment { entry.environment }
    package var kind: TokenKind { entry.kind }
    /// Share this one instead of storing an equal one: a long token stores its bytes out of line.
    package var token: DeviceToken { entry.token }
    package var registeredAt: Instant { entry.registeredAt }
    /// The activity or control that the token belongs to.
    package var subject: String? { entry.subject }
    /// Whether the device's name says that it was made for this token, which was unknown.
    package var isOfUnknownToken: Bool {
        device.hasPrefix(Self.unknownDevice) && device.utf8.count >= Self.unknownDevice.utf8.count + 8
            && token.hex.hasPrefix(device.dropFirst(Self.unknownDevice.count))
    }
    static let unknownDevice = "device-"

    /// The same as that of another state, whose device it then holds; nil if it is not the same.
    package func counterpart(_ other: Registration) -> Registration? {
        let isSame = token == other.token && use == other.use && registeredAt == other.registeredAt
        return isSame ? Registration(entry: other.entry, status: status) : nil
    }
    /// Of generation 0.
    package var use: TokenRequest {
        TokenRequest(device: device, topic: topic, environment: environment, kind: kind, subject: subject)
    }
}

/// A registration in the store.
/// `@unchecked Sendable`: the store's lock guards the variables and the device's state.
final class RegistrationEntry: @unchecked Sendable {
    /// A reference cycle until the device is deleted.
    let device: Device
    let topic: String
    let bundleID: String
    let environment: APNsEnvironment
    let kind: TokenKind
    let generation: Int32
    let token: DeviceToken
    let registeredAt: Instant
    /// Stored out of line to save memory: most tokens have none.
    private let sharedSubject: Shared<String>?
    var status = RegistrationStatus.active { willSet { device.willChange() } }
    /// The event `tokenIssued`, which is made from this object on request: 100,000 devices may register at the start. 0 for
    /// none: a token of a subject has its event in the log, a token that was never active has no event, and a reset clears it.
    var issuedEvent: UInt64 = 0 { willSet { device.willChange() } }
    /// The store does not know the token any more; pushes may still be in flight to it. Not part of the state.
    var isForgotten = false
    /// Of the latest push; valid for these revisions.
    private var known: (context: PolicyContext, catalog: UInt32, device: UInt32)?

    init(_ request: TokenRequest, on device: Device, token: DeviceToken, at now: Instant) {
        self.device = device
        topic = request.topic
        kind = request.kind
        bundleID = request.bundleID
        environment = request.environment
        generation = Int32(clamping: request.generation)
        self.token = token
        registeredAt = now
        sharedSubject = request.subject.map { Shared($0) }
    }

    /// For local notifications; no provider can use its token.
    convenience init(local bundleID: String, on device: Device) {
        guard let token = DeviceToken(bytes: [0]) else { preconditionFailure("a token may have one byte") }
        let use = TokenRequest(device: device.name, topic: bundleID, environment: .production, kind: .app)
        self.init(use, on: device, token: token, at: device.createdAt)
    }

    var subject: String? { sharedSubject?.value }

    func context(in catalog: AppCatalog) -> PolicyContext {
        if let known, known.catalog == catalog.revision, known.device == device.state.revision { return known.context }
        let made = catalog.context(of: bundleID, on: device.state)
        known = (made, catalog.revision, device.state.revision)
        return made
    }

    var snapshot: Registration { Registration(entry: self, status: status) }

    /// When APNs forgets the token of an activity or control that is gone (T6); nil for other tokens.
    func forgottenAt(_ assumptions: Assumptions) -> Instant? {
        sharedSubject == nil ? nil : status.since?.advanced(by: assumptions.formerTokenTime)
    }

    /// Whether the system issued another token in its place, or its use is over; never for an app's latest token, from
    /// which the next one is derived.
    var isFormer: Bool {
        let isActive = status == .active
        guard kind == (isActive ? .pushtostart : .app) else { return !isActive }
        let use = snapshot.use
        return device.registrations.last { $0.serves(use) } !== self
    }

    /// Ignores device and generation.
    func serves(_ request: TokenRequest) -> Bool {
        kind == request.kind && environment == request.environment && topic == request.topic
            && subject == request.subject
    }
}

/// The use of a device token; equal requests get equal tokens.
package struct TokenRequest: Sendable, Hashable, Codable {
    package var device: String
    package var topic: String
    package var environment: APNsEnvironment
    package var kind: TokenKind
    /// The activity or control that the token belongs to; nil for a token of the app.
    package var subject: String?
    /// Incremented each time the app registers again after unregistering.
    package var generation = 0

    package init(
        device: String, topic: String, environment: APNsEnvironment, kind: TokenKind, subject: String? = nil,
        generation: Int = 0
    ) {
        self.device = device
        self.topic = topic
        self.environment = environment
        self.kind = kind
        self.subject = subject
        self.generation = generation
    }

    package var bundleID: String { kind == .app || kind == .mdm ? topic : TopicRules.bundleID(of: topic) }

    /// 80 for Live Activities, 32 otherwise.
    package var byteCount: Int { kind.pushType == .liveactivity ? 80 : 32 }
}

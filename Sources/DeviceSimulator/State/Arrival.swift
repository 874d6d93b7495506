internal import APNs
internal import DeviceModel

/// A push as it reaches its device.
struct Arrival {
    let sequence: UInt64
    let push: Push
    private let registration: RegistrationEntry
    let kind: PushType
    /// Why the payload cannot be used; nil when it can.
    let verdict: DiscardReason?
    /// Of the payload's content, then of the service extension's.
    var traits: ContentTraits

    init(_ push: Push, for registration: RegistrationEntry, sequence: UInt64, _ digest: PayloadDigest) {
        self.sequence = sequence
        self.push = push
        self.registration = registration
        verdict = digest.verdict
        traits = digest.traits
        kind = Self.kind(of: push, for: registration, digest.traits)
    }

    /// The topic of the token. Stored pushes of one topic replace each other.
    var topic: String { registration.topic }

    var bundleID: String { registration.bundleID }

    /// When APNs stops waiting for the device.
    func expiresAt(_ assumptions: Assumptions) -> Instant {
        let limit = push.receivedAt.advanced(by: assumptions.storageTime)
        return switch push.expiration {
        case .unspecified: limit
        case .immediate: push.receivedAt
        case .at(let instant): min(instant, limit)
        }
    }

    /// The type of a push. Without a header it follows from what the token is for, and for an app's token from the payload.
    static func kind(
        of push: Push, for registration: RegistrationEntry, _ traits: @autoclosure () -> ContentTraits
    ) -> PushType {
        if let type = push.pushType { return type }
        guard registration.kind == .app else { return registration.kind.pushType }
        let traits = traits()
        let isSilent = !traits.hasAlert && traits.badge == nil && traits.sound == .none
        return isSilent && traits.isContentAvailable ? .background : .alert
    }
}

extension Arrival: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.sequence == right.sequence && left.push === right.push }
}

/// A push that waits for its device.
struct StoredPush: Equatable {
    let arrival: Arrival
    let expiresAt: Instant
}

extension Instant {
    static var never: Instant { Instant(milliseconds: .max) }
}

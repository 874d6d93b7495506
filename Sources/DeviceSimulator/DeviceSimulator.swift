public import APNs
public import DeviceModel
internal import Synchronization

/// The simulated devices behind the gateway: who holds which token, and what their inboxes hold.
///
/// Everything stands behind one lock that is held for well under a microsecond on the way of a push; nothing there waits,
/// and payloads are decoded only for who asks.
public final class DeviceSimulator: Sendable {
    let store: Mutex<Store>
    /// Makes a token from a request; called outside the lock.
    let deriveToken: @Sendable (TokenRequest) -> DeviceToken

    /// Makes a simulator without devices.
    ///
    /// - Parameters:
    ///   - limits: how much is kept.
    ///   - deriveToken: makes the token for a request: `byteCount` bytes that depend on its `seed` only.
    public init(limits: InboxLimits = InboxLimits(), deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken) {
        store = Mutex(Store(limits: limits))
        self.deriveToken = deriveToken
    }

    /// What a token was issued for; nil when it never was.
    public func registration(of token: DeviceToken) -> Registration? {
        store.withLock { $0.tokens[token]?.snapshot }
    }

    /// Delivers a push to the device that holds a registration.
    ///
    /// A push whose payload is no JSON object with a dictionary `aps` is kept too, as discarded. When the inbox is full, its
    /// oldest notification is dropped and counted.
    ///
    /// - Parameters:
    ///   - push: an accepted push.
    ///   - registration: what `registration(of:)` answered for its token.
    /// - Returns: The notification's number, greater than all before; it is also its place in every list.
    @discardableResult
    public func receive(_ push: Push, for registration: Registration) -> UInt64 {
        receive(push, for: registration, verdict: PayloadScan.verdict(on: push.payload.span.bytes))
    }

    /// Delivers a push whose payload has been scanned already.
    ///
    /// - Parameter verdict: what `PayloadScan.verdict(on:)` says of the payload.
    @discardableResult
    public func receive(_ push: Push, for registration: Registration, verdict: DiscardReason?) -> UInt64 {
        var freed: Push?
        var woken: [Waiter] = []
        let sequence = store.withLock { store in
            let sequence = store.receive(push, for: registration.entry, verdict: verdict, freed: &freed)
            if !store.waiters.isEmpty { woken = store.takeWaiters(for: registration.entry) }
            return sequence
        }
        for waiter in woken { waiter.resume() }
        return sequence
    }

    /// Places that the order of all notifications takes, gaps included: bounded by what is kept, not by what ever came.
    package var placeCount: Int { store.withLock { $0.log.placeCount } }

    /// Numbers for metrics.
    public var counters: SimulatorCounters {
        store.withLock { store in
            SimulatorCounters(
                devices: store.devices.count, registrations: store.tokens.count, apps: store.apps.count,
                notifications: store.log.count, waits: store.waiters.count, lastSequence: store.lastSequence,
                counts: store.counts)
        }
    }
}

/// A simulator in numbers.
public struct SimulatorCounters: Sendable, Hashable {
    /// Devices.
    public var devices: Int
    /// Tokens issued, former ones too.
    public var registrations: Int
    /// Apps described.
    public var apps: Int
    /// Notifications that inboxes hold.
    public var notifications: Int
    /// Waits under way.
    public var waits: Int
    /// The number of the newest notification ever received.
    public var lastSequence: UInt64
    /// What has become of the pushes to all devices.
    public var counts: DeliveryCounts
}

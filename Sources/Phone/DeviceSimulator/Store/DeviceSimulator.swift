package import APNs
package import DeviceModel
internal import Synchronization

/// The simulated devices behind the gateway: tokens, events and inboxes.
///
/// One lock guards everything. A push holds it for about a microsecond, and what takes long, such as time, broadcasts and
/// shared reservations, in parts of about half a millisecond; `Mutex` is fair, so a push waits for one part. A loaded state
/// is built outside it. With many devices, these hold it for longer: a reset that keeps them, new categories of an app, and
/// new limits. Nothing waits under it, and payloads are decoded only on request.
package final class DeviceSimulator: Sendable {
    let store: Mutex<SimulatorState>
    /// Called outside the lock.
    let deriveToken: @Sendable (TokenRequest) -> DeviceToken
    let extensionSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let broadcastSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let dueSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter deriveToken: returns `byteCount` bytes that depend only on the request.
    package init(
        limits: InboxLimits = InboxLimits(), assumptions: Assumptions = Assumptions(),
        conditions: DeviceConditions = DeviceConditions(),
        deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) {
        let catalog = AppCatalog(assumptions: assumptions, conditions: conditions)
        store = Mutex(SimulatorState(limits: limits, catalog: catalog, deriveToken: deriveToken))
        self.deriveToken = deriveToken
    }

    deinit { store.withLock { $0.abandon() } }

    package var assumptions: Assumptions {
        get { store.withLock { $0.catalog.assumptions } }
        set { store.withLock { $0.set(up: $0.limits, newValue) } }
    }

    package var plainConditions: DeviceConditions { store.withLock { $0.catalog.plainConditions.value } }

    /// Fires when `nextDue` becomes earlier or the clock changes; for one listener.
    package var dueChanges: AsyncStream<Void> { dueSignal.stream }

    package func clockChanged() { dueSignal.continuation.yield() }

    /// nil when the token was never issued.
    package func registration(of token: DeviceToken) -> Registration? { store.withLock { $0.tokens[token]?.snapshot } }

    /// Delivers, stores or discards a push on its device. A full inbox evicts its oldest notification.
    ///
    /// - Parameter registration: from `registration(of:)`.
    /// - Throws: `JournalRefusal` while the journal cannot be written; the push then changes nothing.
    package func accept(
        _ push: Push, for registration: Registration, _ digest: PayloadDigest
    ) throws(JournalRefusal) -> PushReceipt {
        var freed: Push?
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return try store.withLock { store throws(JournalRefusal) in
            let entry = store.queue == nil ? registration.entry : try store.current(registration.entry)
            let sequence = store.receive(push, for: entry, digest, freed: &freed)
            wakeUps = store.takeWakeUps(device: registration.device, topic: registration.topic)
            return PushReceipt(sequence: sequence, position: store.queue?.last ?? 0)
        }
    }

    /// Changes a device, which need not exist, and wakes those who wait for it.
    func change<Result: Sendable>(
        _ device: String, _ body: (inout SimulatorState) throws(SimulatorError) -> Result
    ) throws(SimulatorError) -> Result {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return try store.withLock { store throws(SimulatorError) in
            // Due events have happened even if the change is refused.
            defer { wakeUps = store.takeWakeUps(device: device, topic: nil) }
            return try body(&store)
        }
    }

    /// Call this outside the lock.
    func wake(_ wakeUps: WakeUps) {
        for waiter in wakeUps.waiters { waiter.resume() }
        if wakeUps.isDueEarlier { clockChanged() }
        if wakeUps.hasExtensionTasks { extensionSignal.continuation.yield() }
        if wakeUps.hasBroadcasts { broadcastSignal.continuation.yield() }
    }

    package var limits: InboxLimits { store.withLock { $0.limits } }

    package var counters: SimulatorCounters {
        store.withLock { store in
            SimulatorCounters(
                devices: store.devices.count, registrations: store.tokens.count, apps: store.catalog.apps.count,
                notifications: store.log.count, waits: store.waiters.sleeping.values.count { $0.filter.isPoll },
                firstSequence: store.log.first?.sequence, lastSequence: store.lastSequence, counts: store.counts)
        }
    }

    // MARK: Metadata of other components: the clock, keys, the applied configuration

    /// nil removes it.
    package func setMetadata(_ text: String?, for key: String) { store.withLock { $0.setMetadata(text, for: key) } }

    package func metadata(_ key: String) -> String? { store.withLock { $0.metadata[key] } }

    package func metadata(withPrefix prefix: String) -> [String: String] {
        store.withLock { $0.metadata.filter { $0.key.hasPrefix(prefix) } }
    }
}

package struct SimulatorCounters: Sendable, Hashable {
    package var devices: Int
    /// Includes unregistered ones.
    package var registrations: Int
    package var apps: Int
    package var notifications: Int
    package var waits: Int
    /// Of the oldest stored notification.
    package var firstSequence: UInt64?
    /// Of the newest notification that ever was.
    package var lastSequence: UInt64
    package var counts: DeliveryCounts
}

struct WakeUps {
    var waiters: [Waiters<DeviceSimulator.WaitFilter>.Waiter] = []
    var isDueEarlier = false
    var hasExtensionTasks = false
    /// Broadcasts wait for their fan-out, or reservations to be shared.
    var hasBroadcasts = false
}

extension SimulatorState {
    /// - Parameter topic: nil when the change may concern any app.
    @inline(__always)
    mutating func takeWakeUps(device: String, topic: String?) -> WakeUps {
        WakeUps(
            waiters: waiters.sleeping.isEmpty ? [] : takeWaiters(device: device, topic: topic),
            isDueEarlier: dues.takeIsEarlier(), hasExtensionTasks: !extensionTasks.isEmpty,
            hasBroadcasts: !shares.isEmpty)
    }

    mutating func takeWaiters(device: String, topic: String?) -> [Waiters<DeviceSimulator.WaitFilter>.Waiter] {
        defer { (hasFired, hasShared) = (false, false) }
        // The person's other devices have changed, too.
        if hasShared { return waiters.take() }
        // A local notification of another app may have fired before the push.
        let topic = hasFired ? nil : topic
        return waiters.take { $0.mayMatch(device: device, topic: topic) }
    }
}

/// Beyond these limits, the oldest notification is evicted and counted.
package struct InboxLimits: Sendable, Hashable, Codable {
    package var perDevice: Int
    /// Over all inboxes.
    package var total: Int
    /// At this limit, pushes to unknown tokens create no more devices.
    package var devices: Int
    /// In milliseconds; nil for any age.
    package var retention: Int64?

    /// Raises numbers below 1 to 1.
    package init(perDevice: Int = 1000, total: Int = 200_000, devices: Int = 1_000_000) {
        self.perDevice = max(1, perDevice)
        self.total = max(1, total)
        self.devices = max(1, devices)
    }
}

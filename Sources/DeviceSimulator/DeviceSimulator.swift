package import APNs
package import DeviceModel
internal import Synchronization

/// The simulated devices behind the gateway: their tokens, what happens on each, and what their inboxes hold.
///
/// Everything is behind one lock, held for well under a microsecond per push; nothing waits under it, and payloads are
/// decoded only on request.
package final class DeviceSimulator: Sendable {
    let store: Mutex<Store>
    /// Derives a token from a request; called outside the lock.
    let deriveToken: @Sendable (TokenRequest) -> DeviceToken
    let extensionSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let dueSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameters:
    ///   - assumptions: settings for what Apple does not document.
    ///   - conditions: those of a new device.
    ///   - deriveToken: returns `byteCount` bytes that depend only on the request's `seed`.
    package init(
        limits: InboxLimits = InboxLimits(), assumptions: Assumptions = Assumptions(),
        conditions: DeviceConditions = DeviceConditions(),
        deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) {
        store = Mutex(Store(limits: limits, catalog: AppCatalog(assumptions: assumptions, conditions: conditions)))
        self.deriveToken = deriveToken
    }

    package var assumptions: Assumptions {
        get { store.withLock { $0.catalog.assumptions } }
        set { store.withLock { $0.set(up: $0.limits, newValue) } }
    }

    /// The conditions of a new device.
    package var plainConditions: DeviceConditions { store.withLock { $0.catalog.plainConditions.value } }

    /// Fires when `nextDue` becomes earlier or the clock changes; for one listener.
    package var dueChanges: AsyncStream<Void> { dueSignal.stream }

    package func clockChanged() { dueSignal.continuation.yield() }

    /// nil when the token was never issued.
    package func registration(of token: DeviceToken) -> Registration? { store.withLock { $0.tokens[token]?.snapshot } }

    /// Gives a push to its device, which delivers it, stores it or discards it. A full inbox drops its oldest notification.
    ///
    /// - Parameters:
    ///   - registration: from `registration(of:)`.
    ///   - digest: of the push's payload.
    /// - Throws: `JournalRefusal` while the journal cannot be written; nothing has changed then.
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

    /// Changes a device, and wakes those who wait for that.
    func change<Result: Sendable>(
        _ name: String, _ body: (Device, inout Store) throws(SimulatorError) -> Result
    ) throws(SimulatorError) -> Result {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return try store.withLock { store throws(SimulatorError) in
            // What was due has happened even if the change is refused.
            defer { wakeUps = store.takeWakeUps(device: name, topic: nil) }
            return try body(try store.device(named: name), &store)
        }
    }

    /// Called outside the lock, whose holder must not wait.
    func wake(_ wakeUps: WakeUps) {
        for waiter in wakeUps.waiters { waiter.resume() }
        if wakeUps.isDueEarlier { clockChanged() }
        if wakeUps.hasExtensionTasks { extensionSignal.continuation.yield() }
    }

    package var limits: InboxLimits { store.withLock { $0.limits } }

    package var counters: SimulatorCounters {
        store.withLock { store in
            SimulatorCounters(
                devices: store.devices.count, registrations: store.tokens.count, apps: store.catalog.apps.count,
                notifications: store.log.count, waits: store.waiters.count, lastSequence: store.lastSequence,
                counts: store.counts)
        }
    }
}

package struct SimulatorCounters: Sendable, Hashable {
    package var devices: Int
    /// Including unregistered ones.
    package var registrations: Int
    package var apps: Int
    package var notifications: Int
    package var waits: Int
    /// Of the newest notification ever received.
    package var lastSequence: UInt64
    package var counts: DeliveryCounts
}

/// What to wake after a change.
struct WakeUps {
    var waiters: [Waiter] = []
    var isDueEarlier = false
    var hasExtensionTasks = false
}

extension Store {
    /// The topic is nil when the change may concern any app.
    @inline(__always)
    mutating func takeWakeUps(device: String, topic: String?) -> WakeUps {
        WakeUps(
            waiters: waiters.isEmpty ? [] : takeWaiters(device: device, topic: topic),
            isDueEarlier: dues.takeIsEarlier(), hasExtensionTasks: !extensionTasks.isEmpty)
    }
}

/// Beyond these limits the oldest notification is dropped and counted.
package struct InboxLimits: Sendable, Hashable, Codable {
    /// Notifications in one device's inbox, 1 or more.
    package var perDevice: Int
    /// Notifications in all inboxes, 1 or more.
    package var total: Int
    /// Once there are so many devices, pushes to unknown tokens create no more.
    package var devices: Int

    /// Numbers below 1 count as 1.
    package init(perDevice: Int = 1000, total: Int = 200_000, devices: Int = 1_000_000) {
        self.perDevice = max(1, perDevice)
        self.total = max(1, total)
        self.devices = max(1, devices)
    }
}

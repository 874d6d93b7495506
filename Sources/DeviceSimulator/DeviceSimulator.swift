package import APNs
package import DeviceModel
internal import Synchronization

/// The simulated devices behind the gateway: who holds which token, what happens on each, and what their inboxes hold.
///
/// Everything stands behind one lock that is held for well under a microsecond on the way of a push; nothing there waits,
/// and texts are decoded only for who asks.
package final class DeviceSimulator: Sendable {
    let store: Mutex<Store>
    /// Makes a token from a request; called outside the lock.
    let deriveToken: @Sendable (TokenRequest) -> DeviceToken
    let extensionSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let dueSignal = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Makes a simulator without devices.
    ///
    /// - Parameters:
    ///   - limits: how much is kept.
    ///   - assumptions: what nobody outside Apple knows for certain.
    ///   - conditions: what a device is like until somebody changes it.
    ///   - deriveToken: makes the token for a request: `byteCount` bytes that depend on its `seed` only.
    package init(
        limits: InboxLimits = InboxLimits(), assumptions: Assumptions = Assumptions(),
        conditions: DeviceConditions = DeviceConditions(),
        deriveToken: @escaping @Sendable (TokenRequest) -> DeviceToken
    ) {
        store = Mutex(Store(limits: limits, catalog: AppCatalog(assumptions: assumptions, conditions: conditions)))
        self.deriveToken = deriveToken
    }

    /// What nobody outside Apple knows for certain; a change counts from the next push on.
    package var assumptions: Assumptions {
        get { store.withLock { $0.catalog.assumptions } }
        set { store.withLock { $0.set(up: $0.limits, newValue) } }
    }

    /// What a device is like until somebody changes it.
    package var plainConditions: DeviceConditions { store.withLock { $0.catalog.plainConditions.value } }

    /// Tells whenever `nextDue` becomes earlier, or the clock goes differently: for one listener, which sets its alarm anew.
    package var dueChanges: AsyncStream<Void> { dueSignal.stream }

    /// Tells `dueChanges` that time does not pass as it did.
    package func clockChanged() { dueSignal.continuation.yield() }

    /// What a token was issued for; nil when it never was.
    package func registration(of token: DeviceToken) -> Registration? {
        store.withLock { $0.tokens[token]?.snapshot }
    }

    /// Gives a push to the device that holds a registration, which delivers it, lets it wait or discards it.
    ///
    /// When the inbox is full, its oldest notification is dropped and counted.
    ///
    /// - Parameters:
    ///   - push: an accepted push.
    ///   - registration: what `registration(of:)` answered for its token.
    /// - Returns: The notification's number, greater than all before; it is also its place in every list.
    @discardableResult
    package func receive(_ push: Push, for registration: Registration) -> UInt64 {
        receive(push, for: registration, PayloadDigest(push.payload.span.bytes))
    }

    /// Gives a push to its device whose payload has been read already.
    ///
    /// - Parameter digest: what the payload says.
    @discardableResult
    package func receive(_ push: Push, for registration: Registration, _ digest: PayloadDigest) -> UInt64 {
        do throws(JournalRefusal) {
            return try accept(push, for: registration, digest).sequence
        } catch {
            return 0
        }
    }

    /// Gives a push to its device, unless it could not be kept.
    ///
    /// - Throws: `JournalRefusal` while the journal cannot be written; nothing has changed then.
    package func accept(_ push: Push, for registration: Registration) throws(JournalRefusal) -> PushReceipt {
        try accept(push, for: registration, PayloadDigest(push.payload.span.bytes))
    }

    /// Gives a push to its device whose payload has been read already, unless it could not be kept.
    ///
    /// - Parameter digest: what the payload says.
    /// - Throws: `JournalRefusal` while the journal cannot be written; nothing has changed then.
    package func accept(
        _ push: Push, for registration: Registration, _ digest: PayloadDigest
    ) throws(JournalRefusal) -> PushReceipt {
        var freed: Push?
        var woken: [Waiter] = []
        var isDueEarlier = false
        var hasExtensionTasks = false
        let receipt = try store.withLock { store throws(JournalRefusal) in
            let entry = store.queue == nil ? registration.entry : try store.kept(registration.entry)
            let sequence = store.receive(push, for: entry, digest, freed: &freed)
            if !store.waiters.isEmpty {
                woken = store.takeWaiters(device: registration.device, topic: registration.topic)
            }
            isDueEarlier = store.dues.takeIsEarlier()
            hasExtensionTasks = !store.extensionTasks.isEmpty
            return PushReceipt(sequence: sequence, position: store.queue?.last ?? 0)
        }
        for waiter in woken { waiter.resume() }
        if isDueEarlier { clockChanged() }
        if hasExtensionTasks { extensionSignal.continuation.yield() }
        return receipt
    }

    /// Lets something happen on a device, and wakes who waits for that.
    func change<Result: Sendable>(
        _ name: String, _ body: (Device, inout Store) throws(SimulatorError) -> Result
    ) throws(SimulatorError) -> Result {
        var woken: [Waiter] = []
        var isDueEarlier = false
        var hasExtensionTasks = false
        defer {
            for waiter in woken { waiter.resume() }
            if isDueEarlier { clockChanged() }
            if hasExtensionTasks { extensionSignal.continuation.yield() }
        }
        return try store.withLock { store throws(SimulatorError) in
            // What was due before has happened even if the rest is refused.
            defer {
                woken = store.takeWaiters(device: name, topic: nil)
                isDueEarlier = store.dues.takeIsEarlier()
                hasExtensionTasks = !store.extensionTasks.isEmpty
            }
            return try body(try store.device(named: name), &store)
        }
    }

    /// Places that the order of all notifications takes, gaps included: bounded by what is kept, not by what ever came.
    package var placeCount: Int { store.withLock { $0.log.placeCount } }

    /// How much is kept.
    package var limits: InboxLimits { store.withLock { $0.limits } }

    /// Numbers for metrics.
    package var counters: SimulatorCounters {
        store.withLock { store in
            SimulatorCounters(
                devices: store.devices.count, registrations: store.tokens.count, apps: store.catalog.apps.count,
                notifications: store.log.count, waits: store.waiters.count, lastSequence: store.lastSequence,
                counts: store.counts)
        }
    }
}

/// A simulator in numbers.
package struct SimulatorCounters: Sendable, Hashable {
    package var devices: Int
    /// Tokens issued, former ones too.
    package var registrations: Int
    /// Apps described.
    package var apps: Int
    /// Notifications that inboxes hold.
    package var notifications: Int
    /// Waits under way.
    package var waits: Int
    /// The number of the newest notification ever received.
    package var lastSequence: UInt64
    /// What has become of the pushes to all devices.
    package var counts: DeliveryCounts
}

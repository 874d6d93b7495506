internal import APNs
package import DeviceModel
internal import JSON
package import LiveModel
package import SiriModel
internal import Synchronization
package import Time

/// Inputs other than pushes: acts, conditions, settings, live surfaces, donations, results of webhooks, and time.
extension DeviceSimulator {
    /// - Returns: The resulting events, oldest first.
    /// - Throws: `SimulatorError` when it is impossible; a device that is switched off rejects every act.
    @discardableResult
    package func perform(_ act: DeviceAct, on device: String, at now: Instant) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.act(act), on: device, at: now)
    }

    package func conditions(of device: String) -> DeviceConditions? {
        store.withLock { $0.devices[device]?.state.conditions.value }
    }

    /// - Parameter conditions: must be valid.
    @discardableResult
    package func setConditions(
        _ conditions: DeviceConditions, of device: String, at now: Instant
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.conditions(conditions), on: device, at: now)
    }

    /// nil restores the app's own settings.
    @discardableResult
    package func setSettings(
        _ settings: NotificationSettings?, of app: String, on device: String, at now: Instant
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.settings(settings, app: app), on: device, at: now)
    }

    /// - Parameter request: the push of the service extension that acts for the app.
    @discardableResult
    package func perform(
        _ input: LiveInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.live(input), on: device, at: now, by: request)
    }

    /// - Parameter request: the push of the service extension that acts for the app.
    @discardableResult
    package func perform(
        _ input: SiriInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.siri(input), on: device, at: now, by: request)
    }

    /// Logs the event `webhookResult`.
    package func report(_ result: WebhookResult, on device: String, at now: Instant) throws(SimulatorError) {
        try reduce(.webhook(result), on: device, at: now)
    }

    /// - Parameter request: the push of the service extension that sends the input.
    @discardableResult
    func reduce(
        _ input: DeviceInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(input, on: device, at: now, by: request) { _ in }.events
    }

    /// - Parameter read: What to read of the device before and after, with the input under one hold of the lock.
    private func reduce<Value: Sendable>(
        _ input: DeviceInput, on name: String, at now: Instant, by request: ExtensionRequest? = nil,
        reading read: (DeviceState) -> Value
    ) throws(SimulatorError) -> DeviceChange<Value> {
        let (values, first, last) = try change(name) { store throws(SimulatorError) in
            let device = try store.device(named: name)
            let first = device.state.lastEvent
            if let request, !store.isWithExtension(request) { throw .noSuchNotification(request.notification) }
            // Only here: `remove(_:at:)` uninstalls even from a device that is switched off.
            if input.needsPower, !device.state.conditions.value.isPoweredOn { throw .poweredOff(device.name) }
            if case .act(let act) = input, let app = act.app, request == nil,
                !device.has(app, isDeclared: store.catalog.apps[app] != nil)
            {
                throw .noSuchApp(app, known: device.appNames())
            }
            var before: Value?
            try store.reduce(input, on: device, at: now) { before = read($0) }
            return ((before ?? read(device.state), read(device.state)), first, device.state.lastEvent)
        }
        // Others may have changed the device meanwhile.
        let events = events(EventQuery(device: name, since: first, limit: .max)).items.filter { $0.number <= last }
        return DeviceChange(before: values.0, after: values.1, events: events)
    }

    package func perform<Value: Sendable>(
        _ input: LiveInput, on device: String, at now: Instant, reading read: (LiveState) -> Value
    ) throws(SimulatorError) -> DeviceChange<Value> {
        try reduce(.live(input), on: device, at: now) { read($0.live) }
    }

    package func perform<Value: Sendable>(
        _ input: SiriInput, on device: String, at now: Instant, reading read: (SiriState) -> Value
    ) throws(SimulatorError) -> DeviceChange<Value> {
        try reduce(.siri(input), on: device, at: now) { read($0.siri) }
    }

    // MARK: Live surfaces and Siri

    /// Empty for an unknown device.
    package func live(of device: String) -> LiveState {
        store.withLock { $0.devices[device]?.state.live ?? LiveState() }
    }

    /// Why the token of a Live Activity is no longer valid; nil for any other, or if the activity is forgotten.
    package func endOfActivity(of token: Registration) -> String? {
        guard token.kind == .liveactivity, let id = token.subject,
            let activity = live(of: token.device).activities.activities.first(where: { $0.id == id }),
            let endedAt = activity.endedAt
        else { return nil }
        let cause = activity.log.last { ["end", "dismiss"].contains($0.what) && $0.reason == nil }
        let by = cause.map { $0.id.map { " by the push \($0)" } ?? " on the device" } ?? ""
        return
            "The Live Activity '\(id)' (\(activity.type)) ended at \(endedAt.text)\(by), and with it its token; stop "
            + "pushing to it."
    }

    /// Empty for an unknown device.
    package func siri(of device: String) -> SiriState {
        store.withLock { $0.devices[device]?.state.siri ?? SiriState() }
    }

    /// Calls the body with a copy of the inputs of suggestions and calendar, outside the lock: predicting takes long.
    ///
    /// - Returns: nil if the device does not exist.
    package func withSiri<Result: Sendable>(
        of device: String, at now: Instant, _ body: (SiriState, DeviceContext) -> Result
    ) -> Result? {
        store.withLock { store in store.devices[device].map { SiriCopy($0, store.catalog, at: now) } }
            .map { body($0.siri, $0.context) }
    }

    // MARK: Time

    /// When time next changes a device; nil for never, or while the journal cannot be written.
    package var nextDue: Instant? { store.withLock { $0.queue?.refusal == nil ? $0.dues.firstDue() : nil } }

    /// How many local notifications have fired since the start.
    package var firedCount: UInt64 { store.withLock { $0.firedCount } }

    /// Whether a push waits to be sent to its service extension.
    package var hasExtensionRequests: Bool { store.withLock { !$0.extensionTasks.isEmpty } }

    /// Performs what is due for about half a millisecond, so that pushes and other requests interleave.
    /// - Returns: Whether nothing more is due.
    package func advanceOneStep(to now: Instant) -> Bool {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return store.withLock { store in
            guard store.queue?.refusal == nil else { return true }
            defer {
                wakeUps.hasExtensionTasks = !store.extensionTasks.isEmpty
                wakeUps.hasBroadcasts = !store.shares.isEmpty
            }
            let end = ContinuousClock.now + Self.stepDuration
            let aged = store.evictAged(at: now, limit: Self.agedPerStep)
            if aged > 0 { store.record(.aged(at: now, limit: aged)) }
            let isAged = aged < Self.agedPerStep
            while ContinuousClock.now < end {
                guard let device = store.dues.next(until: now) else { return isAged }
                store.advance(device, to: now, atMost: Self.instantsPerDevice)
                wakeUps.waiters += store.takeWaiters(device: device.name, topic: nil)
            }
            return false
        }
    }

    static let stepDuration = Duration.microseconds(500)
    private static let agedPerStep = 128
    /// At most `SimulatorState.catchUpSize`, because `catchUp` replays it.
    private static let instantsPerDevice = 4
}

/// `@unchecked Sendable`: the context reads copies only.
private struct SiriCopy: @unchecked Sendable {
    let siri: SiriState
    let context: DeviceContext

    init(_ device: Device, _ catalog: AppCatalog, at now: Instant) {
        siri = device.state.siri
        context = device.state.detachedContext(
            named: device.name, registered: Set(device.registrations.filter(\.isOfInstalledApp).map(\.bundleID)),
            in: catalog, at: now)
    }
}

extension DeviceInput {
    fileprivate var needsPower: Bool {
        switch self {
        // A device that is off can be moved.
        case .live(.local(.move)): false
        case .act, .live(.activity), .live(.local), .live(.service(.settings)), .siri: true
        case .extended, .conditions, .settings, .live(.service(.replies)), .webhook, .time, .setBack: false
        }
    }
}

extension SimulatorState {
    /// - Parameter read: Reads the device when everything due has happened, before the input.
    mutating func reduce(
        _ input: DeviceInput, on device: Device, at now: Instant, reading read: (DeviceState) -> Void = { _ in }
    ) throws(SimulatorError) {
        try checkWritable()
        let isDue = device.state.nextDue <= now
        catchUp(device, to: now)
        read(device.state)
        changes?.change(device: device.name)
        // First: an app counts as installed while one of its tokens is active.
        if case .act(.uninstall(let app)) = input { unregister(app, on: device, at: now) }
        if case .setBack(let former) = input {
            setSharesBack(from: former, to: now)
            formerPushes = FormerPushes(last: lastSequence, at: now)
        }
        let person = device.state.conditions.value.person
        do throws(SimulatorError) {
            try update(device, at: now) { state, now throws(SimulatorError) in try state.reduce(input, at: now) }
        } catch {
            // Due events have happened even if the input is refused.
            if isDue { record(.input(.time, device: device.name, at: now)) }
            throw error
        }
        record(.input(input, device: device.name, at: now))
        people.change(device, from: person)
    }

    /// Performs what is due, at most `limit` instants; the device remains due until all is done.
    mutating func advance(_ device: Device, to now: Instant, atMost limit: Int) {
        changes?.change(device: device.name)
        let reached = performDue(on: device, to: now, atMost: limit)
        record(.input(.time, device: device.name, at: reached ?? now))
    }

    /// Performs what is due, in steps, so that fired local notifications are evicted in between: a repeating one may be
    /// due very often.
    mutating func catchUp(_ device: Device, to now: Instant) {
        while device.state.nextDue <= now { performDue(on: device, to: now, atMost: Self.catchUpSize) }
    }

    /// Instants between two evictions.
    fileprivate static let catchUpSize = 64

    /// - Returns: The last instant performed if more is due than the limit; nil when all is done.
    @discardableResult
    private mutating func performDue(on device: Device, to now: Instant, atMost limit: Int) -> Instant? {
        let before = device.state.lastEvent
        var reached: Instant?
        update(device, at: now) { state, now in reached = state.advance(to: now, atMost: limit) }
        for index in dueEvents.indices {
            dueEvents[index].add(device.name, since: before, last: device.state.lastEvent)
        }
        return reached
    }
}

/// The result of an input, with what a caller reads of the device directly before and after.
package struct DeviceChange<Value: Sendable>: Sendable {
    package let before: Value
    package let after: Value
    /// Oldest first.
    package let events: [DeviceEvent]
}

/// The outcome of delivering an event to a webhook, as the device's event log records it.
package struct WebhookResult: Hashable, Codable, Sendable {
    package var webhook: String
    /// The delivery's identifier.
    package var delivery: String
    /// The event that was sent.
    package var number: UInt64
    package var event: DeviceEvent.Kind
    package var app: String?
    package var attempts: Int
    /// nil when it was delivered.
    package var error: String?

    package init(
        webhook: String, delivery: String, number: UInt64, event: DeviceEvent.Kind, app: String?, attempts: Int,
        error: String?
    ) {
        (self.webhook, self.delivery, self.number, self.event) = (webhook, delivery, number, event)
        (self.app, self.attempts, self.error) = (app, attempts, error)
    }

    var details: JSONObject {
        [
            "webhook": .string(webhook), "delivery": .string(delivery), "number": .integer(number),
            "event": .string(event.rawValue), "attempts": .integer(attempts),
            "outcome": .string(error == nil ? "delivered" : "failed"), "error": error.map { .string($0) },
        ]
    }
}

internal import APNs
package import DeviceModel
package import LiveModel
package import SiriModel
internal import Synchronization
package import Time

/// Inputs other than pushes and time: acts, conditions, settings, live surfaces, donations and results of webhooks.
extension DeviceSimulator {
    @discardableResult
    package func perform(_ act: DeviceAct, on device: String, at now: Instant) throws(SimulatorError) -> [DeviceEvent] {
        try perform(.act(act), on: device, at: now)
    }

    /// - Parameters:
    ///   - input: Conditions must be valid.
    ///   - request: The push of the service extension that sends the input, perhaps for the app.
    /// - Returns: The resulting events, oldest first.
    /// - Throws: `SimulatorError` when it is impossible; a device that is switched off rejects every act.
    @discardableResult
    package func perform(
        _ input: DeviceInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try perform(input, on: device, at: now, by: request) { _ in }.events
    }

    /// - Parameter read: What to read of the device before and after, with the input under one hold of the lock.
    package func perform<Value: Sendable>(
        _ input: DeviceInput, on name: String, at now: Instant, by request: ExtensionRequest? = nil,
        reading read: (DeviceState) -> Value
    ) throws(SimulatorError) -> DeviceChange<Value> {
        let (values, first, last) = try change(name) { store throws(SimulatorError) in
            let device = try store.device(named: name)
            let first = device.state.lastEvent
            if let request, !store.isWithExtension(request) { throw .noSuchNotification(request.notification) }
            // Only here: `remove(_:at:)` uninstalls even from a device that is switched off.
            if input.needsPower, !device.state.conditions.value.isPoweredOn { throw .poweredOff(device.name) }
            try store.checkShares(of: device, for: input)
            if request == nil { try store.checkApp(of: input, on: device) }
            var before: Value?
            try store.apply(input, on: device, at: now) { before = read($0) }
            return ((before ?? read(device.state), read(device.state)), first, device.state.lastEvent)
        }
        // Others may have changed the device meanwhile.
        let events = events(EventQuery(device: name, since: first, limit: .max)).items.filter { $0.number <= last }
        return DeviceChange(before: values.0, after: values.1, events: events)
    }

    /// Logs a delivery's result, unless the device was deleted or another state was loaded since the event.
    package func log(_ result: WebhookResult, on name: String, in life: DeviceLife, at now: Instant) {
        try? change(name) { store throws(SimulatorError) in
            let device = try store.device(named: name)
            if store.life(of: name) == life { try store.apply(.webhook(result), on: device, at: now) }
        }
    }

    package func conditions(of device: String) -> DeviceConditions? {
        store.withLock { $0.devices[device]?.state.conditions.value }
    }
}

extension DeviceSimulator {
    /// - Throws: As `perform(_:on:at:)` for an unknown device, or an app that is not on it.
    package func check(_ input: DeviceInput, on name: String) throws(SimulatorError) {
        try store.withLock { store throws(SimulatorError) in
            try store.checkApp(of: input, on: try store.device(named: name))
        }
    }
}

extension SimulatorState {
    /// - Throws: `noSuchApp` when the app that the input concerns is not on the device.
    fileprivate func checkApp(of input: DeviceInput, on device: Device) throws(SimulatorError) {
        guard let app = input.app(before: device.state.conditions.value) else { return }
        let isActing = if case .act = input { false } else { true }
        guard device.has(app, isDeclared: catalog.apps[app] != nil, isActing: isActing) else {
            throw .noSuchApp(app, known: device.appNames())
        }
    }

    /// - Parameter read: Reads the device when everything due has happened, before the input.
    mutating func apply(
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
            let latest = device.registrations.compactMap(\.status.since).max() ?? now
            let clock = ClockReturn(to: now, from: max(latest, device.state.latestTime(former, now)))
            for registration in device.registrations { registration.status.setBack(clock) }
            setSubscriptionsBack(of: device, clock)
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
        movePerson(of: device, from: person)
    }
}

/// The result of an input, with what a caller reads of the device directly before and after.
package struct DeviceChange<Value: Sendable>: Sendable {
    package let before: Value
    package let after: Value
    /// Oldest first.
    package let events: [DeviceEvent]
}

/// Live surfaces and Siri.
extension DeviceSimulator {
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
}

/// `@unchecked Sendable`: the context reads copies only.
private struct SiriCopy: @unchecked Sendable {
    let siri: SiriState
    let context: DeviceContext

    init(_ device: Device, _ catalog: AppCatalog, at now: Instant) {
        siri = device.state.siri
        let registered = Set(device.registrations.map(\.bundleID))
        // Suggestions need no channels.
        context = device.state.liveContext(
            at: now, catalog, named: device.name, isRegistered: { registered.contains($0) }, isChannel: { _ in false })
    }
}

package import DeviceModel
internal import LiveModel
internal import SiriModel
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

    package func conditions(of device: String) -> DeviceConditions? {
        store.withLock { $0.devices[device]?.state.conditions.value }
    }
}

extension DeviceInput {
    fileprivate var needsPower: Bool {
        switch self {
        // A device that is off can be moved.
        case .local(.move): false
        case .act, .activity, .local, .service(.settings), .donation, .calendar: true
        case .extended, .conditions, .settings, .service(.replies), .webhook, .time, .setBack: false
        }
    }

    /// The app that the input concerns, other than by its settings; nil for none.
    fileprivate func app(before conditions: DeviceConditions) -> String? {
        switch self {
        case .act(let act): act.app
        case .conditions(let new): new.foregroundApp == conditions.foregroundApp ? nil : new.foregroundApp
        case .activity(let input): input.app
        case .local(.add(let request)): request.app
        case .local(.removeAllPending(let app)): app
        case .local(.removePending(_, let app)), .service(.settings(_, let app, _)), .donation(_, let app, _): app
        case .local(.move), .service(.replies), .calendar, .extended, .settings, .webhook, .time, .setBack: nil
        }
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
        people.change(device, from: person)
    }
}

/// The result of an input, with what a caller reads of the device directly before and after.
package struct DeviceChange<Value: Sendable>: Sendable {
    package let before: Value
    package let after: Value
    /// Oldest first.
    package let events: [DeviceEvent]
}

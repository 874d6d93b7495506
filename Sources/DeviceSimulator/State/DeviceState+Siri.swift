internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import SiriModel

/// Donations, suggestions and the calendar: `SiriState` decides, the device carries out.
extension DeviceState {
    mutating func change(_ input: SiriInput, at now: Instant) throws(SimulatorError) {
        do throws(LiveError) {
            try carryOut(\.siri, at: now) { siri, context, effects throws(LiveError) in
                try siri.reduce(input, context, &effects)
            }
        } catch {
            throw .live(error)
        }
    }

    mutating func performSiriDue(at now: Instant) {
        guard hasSiri else { return }
        carryOut(\.siri, at: now) { siri, context, effects in siri.performDue(context, &effects) }
    }

    /// Takes the reservations of another device of the same person (G.7).
    mutating func merge(_ items: [CalendarItem], at now: Instant) {
        let now = max(now, lastEventAt)
        let before = lastEvent
        carryOut(\.siri, at: now) { siri, context, effects in
            siri.calendar.merge(items, context, &effects)
            siri.refresh(context, &effects)
        }
        if lastEvent != before { lastEventAt = now }
        nextDue = due(after: now)
    }

    /// Updates suggestions, which depend on the device's conditions, place and apps.
    mutating func followSiri(after input: DeviceInput, at now: Instant) {
        if case .act(let act) = input, act.wakes {
            carryOut(\.siri, at: now) { siri, context, _ in siri.suggestions.wake(context) }
        }
        guard hasSiri else { return }
        carryOut(\.siri, at: now) { siri, context, effects in siri.refresh(context, &effects) }
    }
}

extension Store {
    /// Follows from an input; replaying the input shares again, so it is not journaled.
    mutating func shareReservations(of device: Device, at now: Instant) {
        guard let person = device.state.conditions.value.person else { return }
        let items = device.state.siri.calendar.items
        let others = devices.values.filter { $0 !== device && $0.state.conditions.value.person == person }
        // In a fixed order: what is due on them may number notifications.
        for other in others.sorted(by: { $0.name < $1.name }) {
            catalog.changes?.change(device: other.name)
            catchUp(other, to: now)
            update(other) { $0.merge(items, at: now) }
        }
    }
}

extension DeviceAct {
    /// Whether the person takes the device in hand.
    fileprivate var wakes: Bool {
        switch self {
        case .wake, .unlock, .open: true
        default: false
        }
    }
}

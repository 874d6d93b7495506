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

    /// Updates suggestions, which depend on the device's conditions, place and apps.
    mutating func followSiri(after input: DeviceInput, at now: Instant) {
        if case .act(let act) = input, act.wakes {
            carryOut(\.siri, at: now) { siri, context, _ in siri.suggestions.wake(context) }
        }
        guard hasSiri else { return }
        carryOut(\.siri, at: now) { siri, context, effects in siri.refresh(context, &effects) }
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

import APNs
import DeviceModel
import Time

@testable import DeviceSimulator
@testable import LiveModel

/// The inputs of a device in order: enough to restore its state.
struct DeviceHistory {
    /// An input of the device.
    struct Input {
        enum Kind {
            case arrival(Arrival, PolicyContext)
            case token(app: String)
            case other(DeviceInput)
        }

        /// The number of its event.
        let number: UInt64
        /// When it reached the device, on the device's clock.
        var at: Instant
        let kind: Kind
    }

    /// The device's initial conditions.
    let conditions: Shared<DeviceConditions>
    /// In order of their events.
    let inputs: [Input]
}

extension SimulatorState {
    /// Reads a device's history from its log.
    ///
    /// An arrival is stored as the notification with the number of its event `received`, every other action as an entry
    /// of the eventLog. Rejected actions are omitted because they changed nothing. Apps and assumptions are omitted too,
    /// so they must be the same as during the original run.
    ///
    /// - Returns: nil if the log is incomplete: a notification was dropped or cleared, the eventLog evicted its oldest
    ///   entries, or the device was reset or came from a snapshot.
    func history(of device: Device) -> DeviceHistory? {
        let state = device.state
        guard state.lastLostEvent == 0 else { return nil }
        var inputs: [DeviceHistory.Input] = []
        // An arrival follows everything with a smaller number, even if its time is earlier.
        var instants: [(number: UInt64, at: Instant)] = state.eventLog.entries(after: 0).map { ($0.number, $0.at) }
        for item in state.inbox.items {
            guard let entry = log[item.sequence], let push = entry.push, let registration = entry.registration else {
                return nil
            }
            let arrival = Arrival(push, for: registration, sequence: item.sequence, push.digest)
            instants.append((item.receivedEvent, push.receivedAt))
            if item.deliveryEvent > 0 { instants.append((item.deliveryEvent, item.settledAt(push))) }
            let context = state.extended[item.sequence]?.context ?? item.context
            inputs.append(.init(number: item.receivedEvent, at: push.receivedAt, kind: .arrival(arrival, context)))
        }
        for entry in device.registrations where entry.issuedEvent > 0 {
            instants.append((entry.issuedEvent, entry.registeredAt))
            inputs.append(.init(number: entry.issuedEvent, at: entry.registeredAt, kind: .token(app: entry.bundleID)))
        }
        for entry in state.eventLog.entries(after: 0) {
            guard let input = entry.content.input else { continue }
            inputs.append(.init(number: entry.number, at: entry.at, kind: .other(input)))
        }
        inputs.sort { $0.number < $1.number }
        instants.sort { $0.number < $1.number }
        var (now, next) = (Instant(milliseconds: .min), 0)
        for index in inputs.indices {
            while next < instants.count, instants[next].number <= inputs[index].number {
                now = max(now, instants[next].at)
                next += 1
            }
            inputs[index].at = now
        }
        return DeviceHistory(conditions: catalog.plainConditions, inputs: inputs)
    }
}

extension SimulatorState {
    /// For a state that is replayed: tokens are not part of a history.
    func momentWithoutTokens(at time: Instant) -> Moment {
        Moment(time: time, catalog: catalog, tokens: nil, lastSequence: lastSequence, isFollowed: true)
    }
}

extension EventLog.Content {
    /// The input of an entry; nil for a consequence of another.
    fileprivate var input: DeviceInput? {
        switch self {
        case .act(let act): .act(act)
        case .conditions(let conditions, _): .conditions(conditions.value)
        case .settings(let settings, let app): .settings(settings?.value, app: app)
        case .extended(let notification, let record): .extended(notification, record)
        case .effect, .broadcast: nil
        }
    }
}

extension DeviceState {
    /// The state that a history gives; equal to the state whose log it was read from.
    ///
    /// - Throws: `SimulatorError` for an impossible history.
    init(replaying history: DeviceHistory, until now: Moment) throws(SimulatorError) {
        self.init(conditions: history.conditions)
        for input in history.inputs {
            switch input.kind {
            case .arrival(let arrival, let context):
                advance(to: now.at(input.at))
                receive(arrival, context, at: now.at(input.at).notBefore(lastEventAt))
            case .token(let app): countToken(of: app, at: now.at(input.at))
            case .other(let other): try reduce(other, at: now.at(input.at))
            }
        }
        advance(to: now)
    }
}

// MARK: Equality

extension DeviceState: Equatable {
    /// Everything except the revision, which only invalidates this state's own contexts.
    static func == (left: Self, right: Self) -> Bool {
        left.conditions == right.conditions && left.apps == right.apps && left.inbox == right.inbox
            && left.stored == right.stored && left.extending == right.extending && left.extended == right.extended
            && left.summary == right.summary && left.shownLater == right.shownLater
            && left.eventLog == right.eventLog && left.live.withoutTokens == right.live.withoutTokens
            && left.siri == right.siri
            && left.lastEvent == right.lastEvent && left.counts == right.counts && left.nextDue == right.nextDue
            && left.lastEventAt == right.lastEventAt && left.collapsed == right.collapsed
            && left.focus == right.focus && left.lastDropped == right.lastDropped
            && left.lastLostDelivery == right.lastLostDelivery
    }
}

extension LiveState {
    /// Registrations are not part of a device's history, so a stale token is unknown here.
    fileprivate var withoutTokens: LiveState {
        var state = self
        for index in activities.decisions.indices { state.activities.decisions[index].facts.insert(.isStaleToken) }
        return state
    }
}

extension Arrival: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.sequence == right.sequence && left.push === right.push }
}

extension StoredPush: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.arrival == right.arrival && left.expiresAt == right.expiresAt
    }
}

extension ExtensionTask: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.arrival == right.arrival && left.since == right.since }
}

extension ExtendedPush: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.record == right.record }
}

extension Inbox: Equatable {
    static func == (left: Self, right: Self) -> Bool { left.items.elementsEqual(right.items) }
}

extension InboxEntry: Equatable {
    static func == (left: Self, right: Self) -> Bool {
        left.sequence == right.sequence && left.receivedEvent == right.receivedEvent
            && left.deliveryEvent == right.deliveryEvent && left.presentation == right.presentation
            && left.stateDelay == right.stateDelay && left.state == right.state && left.kind == right.kind
            && left.timing == right.timing && left.level == right.level && left.places == right.places
            && left.categoryNumber == right.categoryNumber
    }
}

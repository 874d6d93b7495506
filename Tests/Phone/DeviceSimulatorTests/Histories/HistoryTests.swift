import APNs
import DeviceModel
import Foundation
import JSON
import LiveModel
import Synchronization
import Testing
import Time

@testable import DeviceSimulator

/// Random histories: invariants after each step, and replaying the log gives the same state.
@Suite struct HistoryTests {
    static let stepCount = 60
    /// How many in each of twenty batches; `PUSHCOTE_HISTORIES=500 swift test --filter HistoryTests` runs ten thousand.
    static let historiesPerBatch = ProcessInfo.processInfo.environment["PUSHCOTE_HISTORIES"].flatMap(UInt64.init) ?? 15

    @Test(
        "S3-4 S3-8 S3-35 I.4 I.6 H.3 H.4 every step of a random history satisfies the invariants, and replaying its log gives the same device",
        arguments: 0..<UInt64(20))
    func holds(_ batch: UInt64) throws {
        for seed in batch * Self.historiesPerBatch..<(batch + 1) * Self.historiesPerBatch {
            guard try follow(seed) else { return }
        }
    }

    /// Runs one history; false if an invariant failed.
    private func follow(_ seed: UInt64) throws -> Bool {
        var generator = HistoryGenerator(seed: seed)
        let phone = generator.phone()
        for number in 1...Self.stepCount {
            let step = generator.step(on: phone)
            let before = phone.state
            phone.take(step)
            let problems = Invariants(before: before, phone: phone, step: step).problems()
            #expect(problems == [], "seed \(seed), step \(number): \(step)")
            guard problems.isEmpty else { return false }
        }
        let isSame = try phone.isReplayed()
        #expect(isSame, "seed \(seed): the log makes another device")
        #expect(phone.eventNumbers == Array(1...phone.state.lastEvent), "seed \(seed)")
        let isSteady = phone.passesInAnyStride(seed)
        #expect(isSteady, "seed \(seed): time in one step and in many")
        return isSame && isSteady
    }

    @Test("apns-8 I.6 random histories cover every reason to store and to discard, and event numbers are unique")
    func meetsEveryReason() throws {
        let allHeld = Set(HoldReason.allCases)
        let allDiscarded = Set(DiscardReason.allCases.filter { !$0.isOfActivities && $0 != .unregistered })
        var held: Set<HoldReason> = []
        var discarded: Set<DiscardReason> = []
        var confirmedCount = 0
        for seed in UInt64(0)..<800 {
            var generator = HistoryGenerator(seed: seed)
            let phone = generator.phone()
            try phone.misuseServices(seed)
            for _ in 1...Self.stepCount {
                phone.take(generator.step(on: phone))
                held.formUnion(phone.state.inbox.items.compactMap(\.state.holdReason))
            }
            discarded.formUnion(phone.state.inbox.items.compactMap(\.state.discardReason).filter { !$0.isOfActivities })
            confirmedCount += phone.events(.suggestion).count { $0.details["isConfirmed"] == .bool(true) }
            #expect(phone.events().map(\.number) == Array(1...UInt64(phone.state.lastEvent)), "seed \(seed)")
            if held == allHeld, discarded == allDiscarded, confirmedCount > 0 { break }
        }
        #expect(held == allHeld)
        #expect(discarded == allDiscarded)
        #expect(confirmedCount > 0, "no history confirms a contact")
    }
}

extension Phone {
    /// Sets every reason to withhold pushes that the app's declaration does not.
    fileprivate func misuseServices(_ seed: UInt64) throws {
        try reply { replies in
            replies.voip = .init()
            replies.voip?.reply = .nothing
        }
        try services { settings in
            settings.locationAuthorization = .whenInUse
            settings.hasComplication = seed % 2 == 0
            if seed % 2 == 0 { settings.isEnrolled = false } else { settings.pushMagic = "magic" }
        }
    }

    /// Applies a step; impossible ones are rejected.
    func take(_ step: HistoryGenerator.Step) {
        switch step {
        case .push(let payload, let app, let type, let priority, let expiration, let collapse, let lateBy):
            push(
                payload, topic: app + type.topicSuffix, type: type, kind: type.tokenKind, priority: priority,
                expiration: expiration, collapse: collapse, lateBy: lateBy)
        case .act(let act): _ = try? self.act(act)
        case .extended(let place, let run):
            let arrival = state.extending[place].arrival
            finishExtension(run, of: arrival.sequence, arrival.bundleID)
        case .conditions(let conditions): change { $0 = conditions }
        case .settings(let settings, let app):
            _ = try! simulator.perform(.settings(settings, app: app), on: Self.name, at: now)
        case .time(let duration): wait(duration)
        }
    }

    /// Whether replaying the log gives the same state.
    func isReplayed() throws -> Bool {
        let now = now
        return try simulator.store.withLock { store in
            let device = try store.device(named: Self.name)
            guard let history = store.history(of: device) else { return false }
            return try DeviceState(replaying: history, until: store.momentWithoutTokens(at: now)) == device.state
        }
    }

    /// The numbers of all events in the log.
    var eventNumbers: [UInt64] {
        let state = state
        var numbers = state.eventLog.entries(after: 0).map(\.number)
        numbers += simulator.store.withLock { store in
            store.devices[Self.name]?.registrations.map(\.issuedEvent).filter { $0 > 0 } ?? []
        }
        for item in state.inbox.items {
            numbers.append(item.receivedEvent)
            guard item.deliveryEvent > 0 else { continue }
            numbers += (0..<UInt64(item.deliveryEvents.count)).map { item.deliveryEvent + $0 }
        }
        return numbers.sorted()
    }

    /// Whether advancing three days gives the same state in any number of steps.
    func passesInAnyStride(_ seed: UInt64) -> Bool {
        var random = LinearGenerator(state: seed)
        var (leap, walk) = (state, state)
        let end = now.advanced(by: 3 * .day)
        let moment = moment(at: end)
        leap.advance(to: moment)
        var time = now
        while time < end {
            time = min(end, time.advanced(by: Int64.random(in: 1...(.day / 4), using: &random)))
            walk.advance(to: moment.at(time))
        }
        return leap == walk && leap.nextDue > end
    }
}

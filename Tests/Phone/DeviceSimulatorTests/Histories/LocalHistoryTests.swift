import APNs
import DeviceModel
import LiveModel
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// Random histories with local notifications: the invariants hold, and journal, checkpoint and snapshot restore them.
@Suite struct LocalHistoryTests {
    @Test(
        "the invariants of inbox, log and schedule hold, and replaying the journal gives the same state",
        arguments: 0..<UInt64(40))
    func isSame(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        var random = LinearGenerator(state: seed &+ 1000)
        for round in 0..<3 {
            for step in 0..<25 {
                kept.phone.happen(&random)
                if step % 4 == 0 { kept.keeper.commit() }
            }
            kept.phone.checkInvariants("seed \(seed)")
            try kept.expectSameAgain("seed \(seed), round \(round)")
            let again = try kept.readAgain()
            #expect(again.live(of: Phone.name).local == kept.phone.simulator.live(of: Phone.name).local)
            if round == 0 {
                kept.keeper.commit()
                kept.keeper.writeCheckpoint()
            }
        }
    }

    @Test("a loaded snapshot behaves like the original", arguments: 0..<UInt64(10)) func loads(_ seed: UInt64) throws {
        let kept = try KeptPhone(seed: seed)
        var random = LinearGenerator(state: seed &+ 2000)
        for _ in 0..<40 { kept.phone.happen(&random) }
        let copy = DeviceSimulator(assumptions: kept.phone.simulator.assumptions) { _ in .numbered(1) }
        let snapshot = kept.phone.simulator.snapshot()
        try copy.load(SimulatorSnapshot(recordedJSON: snapshot.recordedJSON))
        kept.phone.wait(.seconds(7200))
        copy.advance(to: kept.phone.now)
        #expect(copy.essence == kept.phone.simulator.essence, "seed \(seed)")
    }

    @Test("after a rollback numbers continue as after a restart") func rollback() throws {
        let kept = try KeptPhone(seed: 1)
        kept.keeper.commit()
        try kept.phone.schedule("kept", in: 60, repeats: true)
        kept.keeper.commit()
        let problem = JournalProblem(file: "memory", reason: "is full", remedy: "Make room")
        kept.journal.problem = problem
        kept.phone.wait(.seconds(600))
        kept.keeper.commit()
        kept.journal.problem = nil
        #expect(kept.keeper.recover())
        kept.phone.wait(.seconds(60))
        let last = try #require(kept.phone.inbox.last)
        #expect(last.sequence > 10, "numbers are not given twice")
        try kept.expectSameAgain("after the rollback")
    }
}

extension SimulatorSnapshot: RecordedAsJSON {}

extension Phone {
    func happen(_ random: inout LinearGenerator) {
        let identifier = ["a", "b", "c", "d"][Int.random(in: 0..<4, using: &random)]
        let app = Bool.random(using: &random) ? Self.chat : "com.example.other"
        switch Int.random(in: 0..<14, using: &random) {
        case 0...3:
            let repeats = Bool.random(using: &random)
            _ = try? schedule(
                identifier, in: Int64.random(in: (repeats ? 60 : 1)...4000, using: &random), repeats: repeats, app: app)
        case 4:
            let pattern = DatePattern.with { $0.minute = Int.random(in: 0..<60, using: &random) }
            _ = try? schedule(identifier, .calendar(pattern, repeats: Bool.random(using: &random)), app: app)
        case 5: _ = try? schedule(identifier, app: app)
        case 6: _ = try? local(.removePending(identifiers: [identifier], app: app))
        case 7:
            let region = Region.with { ($0.identifier, $0.notifyOnExit) = (identifier, Bool.random(using: &random)) }
            let trigger = LocalTrigger.location(region, repeats: Bool.random(using: &random))
            _ = try? schedule(identifier, trigger, app: app) { ($0.body, $0.sound, $0.badge) = ("", nil, 1) }
        case 8: _ = try? local(.move(to: .with { $0.regions = Bool.random(using: &random) ? [identifier] : [] }))
        case 9: change { $0.isPoweredOn.toggle() }
        case 10: change { $0.timeZone = Bool.random(using: &random) ? "Asia/Kolkata" : "UTC" }
        case 11: alert("Push", app: app, collapse: identifier)
        default: wait(.seconds(Int64.random(in: 1...5000, using: &random)))
        }
    }

    fileprivate func checkInvariants(_ comment: Comment) {
        let schedule = simulator.live(of: Self.name).local
        let keys = schedule.pending.map { [$0.request.app, $0.request.identifier] }
        #expect(Set(keys).count == keys.count, comment)
        #expect(Dictionary(grouping: keys, by: \.[0]).allSatisfy { $0.value.count <= LocalSchedule.limit }, comment)
        simulator.store.withLock { store in
            let sequences = store.devices[Self.name]?.state.inbox.items.map(\.sequence) ?? []
            #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count, comment)
            #expect(sequences.allSatisfy { store.log[$0] != nil && $0 <= store.lastSequence }, comment)
            #expect(store.log.count == sequences.count, comment)
            #expect(store.devices[Phone.name]?.state.effects.isEmpty == true, comment)
        }
        let numbers = events().map(\.number)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count, comment)
        let counts = simulator.counters.counts
        let waiting = inbox.count { $0.state.isWaiting }
        #expect(counts.received == counts.delivered + counts.discarded + waiting, comment)
    }
}

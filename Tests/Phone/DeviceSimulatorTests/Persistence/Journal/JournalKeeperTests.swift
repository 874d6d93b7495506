import DeviceModel
import Dispatch
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// A change reported as written is on disk; one that could not be written is undone.
@Suite struct JournalKeeperTests {
    let journal = MemoryJournal()
    let simulator = DeviceSimulator.make()
    let keeper: JournalKeeper
    static let full = JournalProblem(file: "memory", reason: "is full", remedy: "Make room")

    init() throws {
        keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        keeper.commit()
    }

    @Test func reportsWrittenOnceCommitted() throws {
        let phone = simulator.registered("Phone")
        let first = try simulator.accept(.make("{}", to: phone, id: 1), for: phone)
        #expect(keeper.outcome(of: first.position) == nil)
        #expect(keeper.figures.lag == first.position - 1)
        #expect(keeper.commit())
        #expect(keeper.outcome(of: first.position) == .written)
        let second = try simulator.accept(.make("{}", to: phone, id: 2), for: phone)
        #expect(second.position == first.position + 1)
        #expect(keeper.outcome(of: second.position) == nil)
        #expect(keeper.commit())
        #expect(!keeper.commit(), "there is nothing more")
        #expect(keeper.figures.lag == 0)
    }

    @Test("a push that could not be written is undone, and its number is never reused") func undoes() throws {
        let phone = simulator.registered("Phone")
        simulator.push("kept", to: phone)
        keeper.commit()
        journal.problem = Self.full
        let lost = try simulator.accept(.make("{}", to: phone, id: 2), for: phone)
        #expect(!keeper.commit())
        #expect(keeper.outcome(of: lost.position) == .lost)
        #expect(simulator.bodies() == ["kept"])
        #expect(keeper.problem == Self.full)
        #expect(keeper.position == 0)
        #expect(throws: JournalRefusal.self) { try simulator.accept(.make("{}", to: phone, id: 3), for: phone) }
        #expect(throws: SimulatorError.journalUnwritable(Self.full.description)) {
            try simulator.perform(.lock, on: "Phone", at: .at(1))
        }
        #expect(throws: SimulatorError.journalUnwritable(Self.full.description)) {
            try simulator.addDevice(named: "Other", at: .at(1))
        }
        #expect(!keeper.recover(), "it is full still")

        journal.problem = nil
        simulator.put(App(bundleID: "com.example.undone"))
        #expect(keeper.recover())
        #expect(simulator.app("com.example.undone") == nil, "what happened meanwhile has not")
        // The connection has cached the registration.
        let after = try simulator.accept(.make(#"{"aps":{"alert":"after"}}"#, to: phone, id: 4), for: phone)
        #expect(after.sequence > lost.sequence)
        #expect(after.position > lost.position)
        keeper.commit()
        #expect(keeper.outcome(of: after.position) == .written)
        #expect(keeper.outcome(of: lost.position) == .lost)
        #expect(simulator.bodies() == ["kept", "after"])
        let again = try Self.read(journal)
        #expect(again.bodies() == ["kept", "after"])
        #expect(again.essence == simulator.essence)
    }

    @Test("once the disk has room again, the journal recovers completely") func recoversFully() async throws {
        let phone = simulator.registered("Phone")
        simulator.push("kept", to: phone)
        keeper.commit()
        journal.problem = Self.full
        let lost = try simulator.accept(.make("{}", to: phone, id: 2), for: phone).position
        keeper.commit()
        journal.problem = nil
        #expect(keeper.recover())
        // Nothing has been written since, and nothing is pending.
        #expect(keeper.figures.lag == 0)
        #expect(await keeper.awaitOutcome(of: keeper.position) == .written)
        keeper.writeCheckpoint()
        #expect(keeper.figures.checkpoints == 1)
        #expect(try Self.read(journal).bodies() == ["kept"])
        let position = try simulator.accept(.make("{}", to: phone, id: 3), for: phone).position
        keeper.commit()
        // A push reads the outcome without the keeper's lock, which is held here.
        let answer = Mutex<JournalOutcome?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        let hasAnswered = keeper.state.withLock { [keeper] _ in
            Thread.detachNewThread {
                let outcome = keeper.outcome(of: position)
                answer.withLock { $0 = outcome }
                isDone.signal()
            }
            return isDone.wait(timeout: .now() + 20) == .success
        }
        #expect(hasAnswered, "it waits for the lock")
        #expect(answer.withLock { $0 } == .written)
        #expect(keeper.outcome(of: lost) == .lost)
    }

    @Test("after any number of failures the memory is bounded, and no lost position counts as written")
    func forgetsOldFailures() throws {
        let phone = simulator.registered("Phone")
        keeper.commit()
        var lost: [UInt64] = []
        for id in 0..<UInt64(3 * LostPositions.capacity) {
            journal.problem = Self.full
            lost.append(try simulator.accept(.make("{}", to: phone, id: id), for: phone).position)
            keeper.commit()
            journal.problem = nil
            #expect(keeper.recover())
            simulator.push("kept", to: phone, id: id)
            keeper.commit()
        }
        #expect(keeper.state.withLock { $0.lost.ranges.count } == LostPositions.capacity)
        #expect(lost.allSatisfy { keeper.outcome(of: $0) == .lost })
        #expect(keeper.outcome(of: lost[lost.count - 2] + 1) == .written)
        #expect(keeper.outcome(of: keeper.position) == .written)
        #expect(keeper.outcome(of: 0) == .written)
        journal.problem = Self.full
        let first = try simulator.accept(.make("{}", to: phone), for: phone).position
        keeper.commit()
        keeper.recover()
        #expect(keeper.outcome(of: first) == .lost)
    }

    @Test("a loss is reported to callers that ask during the rollback")
    func tellsDuringTheUndo() async throws {
        let asked = Mutex<Bool>(false)
        let outcome = AsyncStream.makeStream(of: JournalOutcome.self)
        keeper.onRollback { [keeper] in
            guard
                asked.withLock({ asked in
                    defer { asked = true }; return !asked
                })
            else { return }
            keeper.onOutcome(since: keeper.rollbackCount) { outcome.continuation.yield($0) }
        }
        journal.problem = Self.full
        simulator.setMetadata("x", for: "x")
        keeper.commit()
        #expect(await outcome.stream.first { _ in true } == .lost)
    }

    @Test("a device that could not be written is undone, and pushes to it are rejected") func undoesDevices() throws {
        journal.problem = Self.full
        let phone = simulator.registered("Phone")
        keeper.commit()
        journal.problem = nil
        keeper.recover()
        #expect(simulator.device(named: "Phone") == nil)
        #expect(throws: JournalRefusal.self) { try simulator.accept(.make("{}", to: phone), for: phone) }
    }

    @Test("the clock stands still while the journal cannot be written, and due events happen afterwards")
    func timeWaits() async throws {
        let phone = simulator.registered("Phone")
        try simulator.perform(.conditions(.with { $0.isOnline = false }), on: "Phone", at: .at(0))
        simulator.receive(.make(#"{"aps":{"alert":"late"}}"#, to: phone, at: .at(0)), for: phone)
        keeper.commit()
        let due = try #require(simulator.nextDue)
        journal.problem = Self.full
        simulator.setMetadata("x", for: "x")
        keeper.commit()
        #expect(simulator.nextDue == nil)
        #expect(await simulator.dueEvents { simulator.advance(to: due) }.deviceCount == 0)
        journal.problem = nil
        keeper.recover()
        #expect(simulator.nextDue == due)
        #expect(await simulator.dueEvents { simulator.advance(to: due) }.deviceCount == 1)
        keeper.commit()
        #expect(try Self.read(journal).essence == simulator.essence)
    }

    @Test("a suspension ends by itself, because refused requests are no inputs") func resumes() async throws {
        journal.ownership = JournalOwnership(isHeld: false, epoch: 1, hasQuorum: false)
        Thread.detachNewThread { [keeper] in keeper.run() }
        defer { keeper.stop() }
        try await Patience.wait(for: "the probe") { keeper.suspension == nil }
    }

    @Test func pendingWaitsGetEitherOutcome() async throws {
        let phone = simulator.registered("Phone")
        let position = try simulator.accept(.make("{}", to: phone, id: 1), for: phone).position
        async let outcome = keeper.awaitOutcome(of: position)
        keeper.commit()
        #expect(await outcome == .written)
        let next = try simulator.accept(.make("{}", to: phone, id: 2), for: phone).position
        journal.problem = Self.full
        async let other = keeper.awaitOutcome(of: next)
        keeper.commit()
        #expect(await other == .lost)
        #expect(await keeper.awaitOutcome(of: position) == .written)
    }

    @Test func listenersAreCalledForEveryCommit() {
        let count = Atomic<Int>(0)
        keeper.onProgress { count.add(1, ordering: .relaxed) }
        simulator.setMetadata("1", for: "a")
        keeper.commit()
        keeper.commit()
        #expect(count.load(ordering: .relaxed) == 1)
        journal.problem = Self.full
        simulator.setMetadata("2", for: "a")
        keeper.commit()
        #expect(count.load(ordering: .relaxed) == 2)
        #expect(simulator.metadata("a") == "1")
    }

    @Test("a checkpoint is written after the configured number of inputs") func checkpoints() throws {
        let settings = JournalSettings(checkpointInterval: 10, retainedCount: 5, retainedAge: 1000)
        let journal = MemoryJournal()
        let keeper = JournalKeeper(DeviceSimulator.make(), in: journal, settings: settings) { 0 }
        try keeper.open()
        for number in 1...30 {
            keeper.simulator.setMetadata("\(number)", for: "number")
            keeper.commit()
            keeper.waitForCheckpoint()
        }
        #expect(keeper.figures.checkpoints == 2)
        let position = try #require(journal.checkpoint()?.position)
        #expect(journal.contents.first?.last == position - 4, "as many are kept as asked for")
        #expect(try Self.read(journal).metadata("number") == "30")
    }

    @Test("a checkpoint that starts with a failing commit retains no devices") func freesDevices() throws {
        let journal = MemoryJournal()
        let simulator = DeviceSimulator.make()
        let keeper = JournalKeeper(simulator, in: journal, settings: JournalSettings(checkpointInterval: 1)) { 0 }
        try keeper.open()
        _ = simulator.registered("Phone")
        keeper.commit()
        keeper.waitForCheckpoint()
        weak let device = simulator.store.withLock { $0.devices["Phone"] }
        #expect(device != nil)
        journal.problem = Self.full
        simulator.setMetadata("1", for: "a")
        keeper.commit()
        journal.problem = nil
        #expect(keeper.recover())
        #expect(device == nil, "the state was read again, so it is another device")
        #expect(simulator.device(named: "Phone") != nil)
    }

    static let damages: [(String, @Sendable (inout [JournalBatch]) -> Void)] = [
        ("a bit flipped", { $0[1].bytes[$0[1].bytes.count / 2] ^= 1 }),
        ("a batch is missing", { $0.remove(at: 1) }),
        ("a batch is there twice", { $0.insert($0[1], at: 1) }),
        ("two changed places", { $0.swapAt(0, 1) }),
        ("the end is cut off", { $0[1].bytes.removeLast() }),
        (
            "an input that cannot have happened",
            {
                let input = JournalRecord.change(.input(.time, device: "Nobody", at: .at(0)))
                $0 += JournalBatch.batches(of: [input], last: $0.last!.last + 1, previous: $0.last!.last, writtenAt: 0)
            }
        ),
    ]

    @Test(arguments: damages.indices) func damageStopsStartUp(_ index: Int) throws {
        for number in 1...3 {
            simulator.setMetadata("\(number)", for: "number")
            keeper.commit()
        }
        Self.damages[index].1(&journal.contents)
        let problem = #expect(throws: JournalProblem.self) { try Self.read(journal) }
        let reason = "is damaged: an input is missing or was changed"
        #expect(problem?.reason == reason, Comment(rawValue: Self.damages[index].0))
    }

    private static func read(_ journal: MemoryJournal) throws -> DeviceSimulator {
        let simulator = DeviceSimulator.make()
        try JournalKeeper(simulator, in: journal) { 0 }.open()
        return simulator
    }
}

import Foundation
import TestSupport
import Testing

@testable import DeviceModel
@testable import DeviceSimulator

/// Replaying a recording, through JSON, gives the same simulator.
@Suite struct InputTapeTests {
    @Test(arguments: 0..<UInt64(40)) func aRandomHistoryIsTheSame(_ seed: UInt64) throws {
        var generator = HistoryGenerator(seed: seed)
        let phone = generator.phone()
        for _ in 0..<15 { phone.take(generator.step(on: phone)) }
        let start = phone.simulator.beginTape()
        for step in 0..<40 {
            phone.take(generator.step(on: phone))
            if step % 4 == 0 { _ = try? phone.perform(generator.donationInput()) }
        }
        let tape = try #require(phone.simulator.readTape())
        #expect(tape.problem == nil)
        let inputs = try JSONDecoder().decode([RecordedInput].self, from: try JSONEncoder().encode(tape.inputs))
        let copy = DeviceSimulator(assumptions: phone.simulator.assumptions, deriveToken: phone.simulator.deriveToken)
        try copy.load(start)
        _ = copy.takeExtensionRequests()
        for input in inputs { try copy.replay(input) }
        #expect(copy.essence == phone.simulator.essence, "seed \(seed)")
        #expect(copy.takeExtensionRequests().isEmpty, "they have answered in the recording")
    }

    @Test func nothingIsRetainedWithoutATape() {
        let simulator = DeviceSimulator.make()
        simulator.push("one", to: simulator.registered("Phone"))
        #expect(simulator.readTape() == nil && simulator.tapePosition == 0)
        _ = simulator.beginTape()
        simulator.endTape()
        simulator.push("two", to: simulator.registered("Phone"))
        #expect(simulator.readTape() == nil)
    }

    @Test("a full recording keeps the beginning and says that it is truncated") func isBounded() throws {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 2))
        let phone = simulator.registered("Phone")
        _ = simulator.beginTape()
        let text = String(repeating: "x", count: 4000)
        let count = InputTape.byteCapacity / 4000
        for _ in 0..<count { simulator.push(text, to: phone) }
        let tape = try #require(simulator.readTape())
        #expect(tape.inputs.count < count && tape.inputs.count > count * 9 / 10)
        #expect(tape.problem == "it is full after \(tape.inputs.count) inputs; record a shorter run")
    }

    @Test func aRollbackOfTheJournalEndsIt() throws {
        let journal = MemoryJournal()
        let simulator = DeviceSimulator.make()
        let keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        _ = simulator.beginTape()
        simulator.push("one", to: simulator.registered("Phone"))
        journal.problem = JournalProblem(file: "memory", reason: "full", remedy: "none")
        keeper.commit()
        #expect(simulator.readTape()?.problem == "the journal could not be written, so inputs were undone")
    }

    @Test("a recording has no metadata, which contains secrets of webhooks") func hasNoMetadata() throws {
        let journal = MemoryJournal()
        let simulator = DeviceSimulator.make()
        let keeper = JournalKeeper(simulator, in: journal) { 0 }
        try keeper.open()
        keeper.commit()
        _ = simulator.beginTape()
        simulator.setMetadata("secret", for: "webhook:orders")
        #expect(simulator.readTape()?.inputs.isEmpty == true)
        #expect(keeper.commit(), "the journal stores it")
    }

    @Test(arguments: [
        #"{"push":{"_0":{},"token":"ab","notification":1}}"#, #"{"change":{"_0":{"what":{}}}}"#, "{}", "7",
    ]) func whatIsNoInputIsRefused(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(RecordedInput.self, from: Data(text.utf8)) }
    }

    @Test("decreasing and overflowing numbers are rejected", arguments: [0, 1, 1 << 54, UInt64.max])
    func badNumbers(_ number: UInt64) throws {
        let simulator = DeviceSimulator.make()
        simulator.push("one", to: simulator.registered("Phone"))
        let text = #"{"change":{"_0":{"astray":{"sequence":\#(number)}}}}"#
        let input = try JSONDecoder().decode(RecordedInput.self, from: Data(text.utf8))
        #expect(throws: (any Error).self) { try simulator.replay(input) }
        #expect(simulator.lastSequence == 1)
    }
}

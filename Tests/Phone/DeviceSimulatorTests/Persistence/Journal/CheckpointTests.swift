import DeviceModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// A checkpoint is a consistent snapshot taken while the simulator runs; shared values are written once.
@Suite struct CheckpointTests {
    /// The state restored from a checkpoint's parts.
    private static func read(_ parts: [[UInt8]], like simulator: DeviceSimulator) throws -> [String] {
        try restored(parts, like: simulator).essence
    }

    private static func restored(_ parts: [[UInt8]], like simulator: DeviceSimulator) throws -> DeviceSimulator {
        let conditions = simulator.plainConditions
        let other = DeviceSimulator(conditions: conditions) { _ in .numbered(1) }
        let journal = MemoryJournal()
        try journal.replaceCheckpoint(JournalCheckpoint(position: 1, parts: parts))
        let keeper = JournalKeeper(other, in: journal) { 0 }
        try keeper.open()
        return other
    }

    @Test("a device begins another life when it is deleted, when a state is loaded, and in the next process")
    func lives() throws {
        var simulator = DeviceSimulator.make()
        var lives: [DeviceLife] = []
        for _ in 0..<2 {
            simulator.push("one", to: simulator.registered("Phone"))
            lives.append(simulator.life(of: "Phone"))
            simulator.deleteDevice(named: "Phone")
            simulator.push("two", to: simulator.registered("Phone"))
            lives.append(simulator.life(of: "Phone"))
            try simulator.load(simulator.snapshot())
            lives.append(simulator.life(of: "Phone"))
            simulator = try Self.restored(simulator.takeImage { _ in }.image.parts(simulator.store), like: simulator)
        }
        #expect(Set(lives).count == lives.count)
    }

    @Test("a checkpoint excludes changes made while it is written", arguments: 0..<UInt64(40)) func isOfOneMoment(
        _ seed: UInt64
    )
        throws
    {
        let kept = try KeptPhone(seed: seed)
        kept.live(steps: 25)
        let simulator = kept.phone.simulator
        let tablet = simulator.registered("Tablet")
        let (gone, untouched) = (simulator.registered("Gone"), simulator.registered("Untouched"))
        for registration in [tablet, gone, untouched] { simulator.push("before", to: registration) }
        let before = simulator.essence
        let image = simulator.takeImage { _ in }.image
        kept.live(steps: 25)
        simulator.push("after", to: tablet)
        simulator.setStatus(.unregistered, of: tablet.token, at: .at(9))
        _ = simulator.registered("Tablet")
        simulator.push("after", to: gone)
        simulator.deleteDevice(named: "Gone")
        simulator.push("new", to: simulator.registered("New"))
        if seed % 3 == 1 { simulator.reset(keeping: [.devices]) }
        if seed % 3 == 2 { try simulator.load(simulator.snapshot()) }
        let after = simulator.essence
        let parts = image.parts(simulator.store)
        #expect(try Self.read(parts, like: simulator) == before)
        #expect(simulator.essence == after)
    }

    @Test("an open checkpoint does not affect the next one") func startsOver() throws {
        let simulator = DeviceSimulator.make()
        let phone = simulator.registered("Phone")
        simulator.push("one", to: phone)
        let before = simulator.essence
        let open = simulator.takeImage { _ in }.image
        simulator.push("two", to: phone)
        let two = simulator.essence
        let image = simulator.takeImage { _ in }.image
        simulator.push("three", to: phone)
        #expect(try Self.read(open.parts(simulator.store), like: simulator) == before)
        #expect(simulator.store.withLock { StoreImage(&$0) } == nil, "the second one is open")
        #expect(try Self.read(image.parts(simulator.store), like: simulator) == two)
        #expect(simulator.store.withLock { StoreImage(&$0) } != nil, "none is open")
    }

    /// A simulator with devices that have a notification each.
    private static func crowd(_ count: Int) -> DeviceSimulator {
        let simulator = DeviceSimulator.make()
        for number in 0..<count { simulator.push("one", to: simulator.registered("Phone \(number)")) }
        return simulator
    }

    @Test("the time that a checkpoint blocks pushes does not grow with the number of devices") func holdsNobodyUp() {
        func shortest(_ simulator: DeviceSimulator) -> Duration {
            (0..<20).map { _ in
                let start = ContinuousClock.now
                let image = simulator.takeImage { _ in }.image
                let time = ContinuousClock.now - start
                image.collect(simulator.store)
                return time
            }.min() ?? .zero
        }
        let few = shortest(Self.crowd(200))
        let many = shortest(Self.crowd(20_000))
        // A hundred times the devices, which are no longer in the caches.
        #expect(many < few * 50, "\(few) for 200 devices, \(many) for 20,000")
    }

    @Test("values shared by many notifications are written once and read once") func sharesWhatIsEqual() throws {
        let simulator = DeviceSimulator.make()
        let phone = simulator.registered("Phone")
        for number in 0..<200 {
            // Each change of the conditions creates a new context.
            try simulator.perform(number % 2 == 0 ? .unlock : .lock, on: "Phone", at: .at(0))
            simulator.push("one", to: phone)
        }
        #expect(Self.context(of: simulator).count > 100)
        let journal = MemoryJournal()
        let image = simulator.takeImage { _ in }.image
        let parts = image.parts(simulator.store)
        try journal.replaceCheckpoint(JournalCheckpoint(position: 1, parts: parts))
        let other = DeviceSimulator.make()
        try JournalKeeper(other, in: journal) { 0 }.open()
        #expect(other.essence == simulator.essence)
        #expect(Self.context(of: other).count == 2)
    }

    private static func context(of simulator: DeviceSimulator) -> Set<ObjectIdentifier> {
        simulator.store.withLock { store in
            Set(store.devices.values.flatMap { $0.state.inbox.items.map { ObjectIdentifier($0.context) } })
        }
    }

    @Test("journal values are decoded at least three times as fast as by JSONDecoder") func readsFast() throws {
        var conditions = DeviceConditions()
        conditions.focus.modes = [.with { ($0.id, $0.name) = ("work", "Work") }]
        let json = conditions.recordedJSON
        func shortest(_ body: () throws -> DeviceConditions) throws -> Duration {
            try (0..<20).map { _ in
                let start = ContinuousClock.now
                for _ in 0..<10 { try #require(try body() == conditions) }
                return ContinuousClock.now - start
            }.min() ?? .zero
        }
        let decoder = JSONDecoder()
        let slow = try shortest { try decoder.decode(DeviceConditions.self, from: Data(json)) }
        let fast = try shortest { try DeviceConditions(recordedJSON: json) }
        #expect(fast * 3 < slow, "\(fast), and \(slow) by JSONDecoder")
    }

    @Test("a number beyond Int's range reads back exactly") func readsLargeNumbers() throws {
        let change = SimulatorChange.astray(sequence: UInt64.max - 1)
        guard case .astray(let sequence) = try SimulatorChange(recordedJSON: change.recordedJSON)
        else { throw RecordDamage() }
        #expect(sequence == UInt64.max - 1)
    }
}

import APNs
import DeviceModel
import Foundation
import Synchronization
import Testing

@testable import DeviceSimulator

/// Pushes beside the loading of a state.
@Suite struct LoadedStateTests {
    private static let count = 3000

    private static func full() throws -> DeviceSimulator {
        let simulator = DeviceSimulator.make()
        for number in 0..<count { simulator.push("Hello", to: simulator.registered("Device \(number)")) }
        return simulator
    }

    @Test func `a state is built outside the lock`() async throws {
        let simulator = try Self.full()
        let snapshot = simulator.snapshot()
        // The machine may be busy, so one of three attempts is enough.
        var least = 1.0
        for _ in 0..<3 {
            least = min(least, try await Self.longestWait(beside: 5, { try simulator.load(snapshot) }, in: simulator))
        }
        #expect(least < 0.1)
    }

    /// The longest wait for the lock, relative to the time of all repetitions.
    private static func longestWait(
        beside count: Int, _ work: @Sendable () throws -> Void, in simulator: DeviceSimulator
    ) async throws -> Double {
        let end = End()
        return try await withThrowingTaskGroup(of: Duration.self) { group in
            group.addTask {
                var longest = Duration.zero
                while !end.isReached.load(ordering: .acquiring) {
                    let start = ContinuousClock.now
                    _ = simulator.lastSequence
                    longest = max(longest, ContinuousClock.now - start)
                }
                return longest
            }
            let start = ContinuousClock.now
            for _ in 0..<count { try work() }
            let whole = ContinuousClock.now - start
            end.isReached.store(true, ordering: .releasing)
            return (try await group.next() ?? .zero) / whole
        }
    }

    @Test func `a simulator leaves no devices behind`() {
        weak var device: Device?
        do {
            let simulator = DeviceSimulator.make()
            simulator.push("Hello", to: simulator.registered("Phone"))
            device = simulator.store.withLock { $0.devices["Phone"] }
            #expect(device != nil)
        }
        #expect(device == nil)
    }

    @Test func `a push to a device that a loaded state replaced is astray`() throws {
        let simulator = try Self.full()
        let former = simulator.registered("Device 1")
        try simulator.load(simulator.snapshot())
        let before = simulator.counters.counts
        simulator.push("Hello", to: former)
        let counts = simulator.counters.counts
        #expect(counts.received == before.received + 1 && counts.cleared == before.cleared + 1)
    }

    @Test func `nothing becomes due on a device that a loaded state replaced`() throws {
        let phone = Phone()
        let former = phone.registration(Phone.chat, .app)
        try phone.schedule("tea", in: 60)
        let empty = DeviceSimulator.make().snapshot()
        let replaced = try phone.simulator.store.withLock { try $0.load(empty) }
        phone.wait(.seconds(60))
        phone.push(#"{"aps":{"alert":"Hello"}}"#, to: former, type: .alert)
        #expect(phone.simulator.counters.notifications == 0)
        phone.simulator.finish(replaced)
    }
}

private final class End: Sendable {
    let isReached = Atomic<Bool>(false)
}

import APNs
import DeviceModel
import Foundation
import Synchronization
import Testing

@testable import DeviceSimulator

/// What changes many devices leaves the lock to pushes in between.
@Suite struct PartsTests {
    private static let count = 3000

    private static func full() throws -> DeviceSimulator {
        let simulator = DeviceSimulator.make()
        for number in 0..<count { simulator.push("Hello", to: simulator.registered("Device \(number)")) }
        return simulator
    }

    /// The inputs that the journal gets.
    private static func inputs(of simulator: DeviceSimulator, _ change: () throws -> Void) rethrows -> [SimulatorChange]
    {
        simulator.store.withLock { $0.queue = InputQueue(after: 0) {} }
        try change()
        return simulator.store.withLock { store in
            store.queue?.take().compactMap { if case .change(let change) = $0 { change } else { nil } } ?? []
        }
    }

    @Test func `a reset that keeps devices`() throws {
        let simulator = try Self.full()
        simulator.deleteDevice(named: "Device 0")
        let inputs = Self.inputs(of: simulator) { simulator.reset(keeping: [.devices, .apps]) }
        let parts = inputs.compactMap { if case .devicesStartedOver(let names) = $0 { names } else { nil } }
        #expect(parts.count > 1)
        #expect(parts.joined().count == Self.count - 1 && Set(parts.joined()).count == Self.count - 1)
        let counters = simulator.counters
        #expect(
            counters.counts == DeliveryCounts() && counters.notifications == 0 && counters.devices == Self.count - 1)
        simulator.push("Hello", to: simulator.registered("Device 1"))
        #expect(simulator.counters.counts.received == 1)
    }

    @Test func `new categories of an app`() throws {
        let simulator = try Self.full()
        let own: [NotificationCategory] = []
        for number in 0..<Self.count {
            _ = try simulator.perform(
                .setCategories(own, app: "com.example.chat"), on: "Device \(number)", at: .at(1))
        }
        var app = App(bundleID: "com.example.chat")
        app.categories = [NotificationCategory()]
        let inputs = Self.inputs(of: simulator) { simulator.put(app) }
        let parts = inputs.compactMap { if case .categoriesReplaced(_, let names) = $0 { names } else { nil } }
        #expect(parts.count > 1 && parts.joined().count == Self.count)
        // Repeating the request completes what a crash interrupts.
        if case .app? = inputs.last {} else { Issue.record("the app changes last") }
        #expect(simulator.appsOnDevice("Device 7").first?.hasOwnCategories == false)
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

    @Test func `a push to a device that a loaded state replaced is astray`() throws {
        let simulator = try Self.full()
        let former = simulator.registered("Device 1")
        try simulator.load(simulator.snapshot())
        let before = simulator.counters.counts
        simulator.push("Hello", to: former)
        let counts = simulator.counters.counts
        #expect(counts.received == before.received + 1 && counts.cleared == before.cleared + 1)
    }
}

private final class End: Sendable {
    let isReached = Atomic<Bool>(false)
}

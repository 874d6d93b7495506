import DeviceModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// The order in which devices become due.
@Suite struct DueQueueTests {
    private func device(_ name: String, due: Int64) -> Device {
        let device = Device(name: name, createdAt: .at(0), conditions: Shared(DeviceConditions()), CheckpointNumber())
        device.state.nextDue = .at(due)
        return device
    }

    /// Takes out everything that is due, as the simulator does.
    private func names(_ queue: inout DueQueue, until now: Int64) -> [String] {
        var names: [String] = []
        while let device = queue.next(until: .at(now)) {
            names.append(device.name)
            device.state.nextDue = .never
        }
        return names
    }

    @Test func ordersByTimeThenName() {
        var queue = DueQueue()
        var random = LinearGenerator(state: 3)
        let dues = (0..<200).map { _ in Int64.random(in: 1...20, using: &random) }
        for (number, due) in dues.enumerated() { queue.insert(device("\(1000 + number)", due: due)) }
        #expect(queue.firstDue() == .at(dues.min()!))
        let expected = dues.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
        #expect(names(&queue, until: 10) == expected.filter { $0.element <= 10 }.map { "\(1000 + $0.offset)" })
        #expect(names(&queue, until: 20) == expected.filter { $0.element > 10 }.map { "\(1000 + $0.offset)" })
        #expect(queue.firstDue() == nil)
    }

    @Test func heapOfManyChunksOrders() {
        var heap = ChunkedHeap<Int>()
        var random = LinearGenerator(state: 5)
        var expected: [Int] = []
        for _ in 0..<3 {
            for _ in 0..<3000 {
                expected.append(Int.random(in: 0..<4000, using: &random))
                heap.insert(expected[expected.count - 1])
            }
            expected.sort()
            #expect(heap.count == expected.count && heap.min == expected[0])
            for _ in 0..<1500 { #expect(heap.popMin() == expected.removeFirst()) }
        }
        while let least = heap.popMin() { #expect(least == expected.removeFirst()) }
        #expect(expected.isEmpty && heap.count == 0 && heap.min == nil)
    }

    @Test func countsTheLatestInsertionOnly() {
        var queue = DueQueue()
        let device = device("A", due: 10)
        queue.insert(device)
        device.state.nextDue = .at(5)
        queue.insert(device)
        #expect(names(&queue, until: 20) == ["A"])
    }

    @Test func removesWhatIsNoLongerDue() {
        var queue = DueQueue()
        let late = device("late", due: 5)
        let never = device("never", due: 5)
        queue.insert(late)
        queue.insert(never)
        late.state.nextDue = .at(8)
        never.state.nextDue = .never
        #expect(names(&queue, until: 7) == [])
        #expect(queue.firstDue() == .at(8))
        #expect(names(&queue, until: 8) == ["late"])
    }

    @Test("I.6 advancing the clock applies due events of all devices in order") func advancesManyDevices() throws {
        let simulator = DeviceSimulator.make()
        for number in 0..<300 {
            let registration = simulator.registered("device-\(number)")
            try simulator.perform(.conditions(.with { $0.isOnline = false }), on: registration.device, at: .at(0))
            simulator.push("Hello", to: registration)  // Expires on 2027-01-15.
        }
        let expiry = Instant.at(30 * .day)
        #expect(simulator.nextDue == expiry)
        simulator.advance(to: .at(30 * .day - 1))
        #expect(simulator.counters.counts.discarded == 0)
        simulator.advance(to: expiry)
        #expect(simulator.counters.counts.discarded == 300)
        #expect(simulator.nextDue == nil)
    }

    @Test func forgetsItsDevicesOnAReset() throws {
        let simulator = DeviceSimulator.make()
        let registration = simulator.registered("Phone")
        try simulator.perform(.conditions(.with { $0.isOnline = false }), on: "Phone", at: .at(0))
        simulator.push("Hello", to: registration)
        simulator.reset()
        #expect(simulator.nextDue == nil)
    }
}

import APNs
import DeviceModel
import DeviceSimulator
import Foundation
import Testing

@Suite struct LoadTests {
    @Test func losesNothingUnderConcurrentPushes() async {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 100_000, total: 100_000))
        let devices = (0..<5).map { simulator.registered("Device \($0)") }
        await withTaskGroup { group in
            for sender in 0..<4 {
                group.addTask {
                    for number in 0..<2000 {
                        simulator.push("\(sender):\(number)", to: devices[number % 5], id: UInt64(sender))
                        if number % 500 == 0 { _ = simulator.notifications(NotificationQuery(limit: 10)) }
                    }
                }
            }
        }
        #expect(simulator.counters.counts.delivered == 8000)
        #expect(simulator.lastSequence == 8000)
        let all = simulator.notifications(NotificationQuery(limit: 10_000)).items
        #expect(all.map(\.sequence) == Array(1...8000))
        for device in devices {
            let items = simulator.notifications(NotificationQuery(device: device.device, limit: 10_000)).items
            #expect(items.count == 1600)
            #expect(zip(items, items.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
            // Pushes of one sender to one device arrive in order.
            for sender in 0..<4 {
                let numbers = items.map(\.decoded.content.body).compactMap { body -> Int? in
                    let parts = body.split(separator: ":")
                    return parts[0] == "\(sender)" ? Int(parts[1]) : nil
                }
                #expect(numbers.count == 400)
                #expect(numbers == numbers.sorted())
            }
        }
    }

    /// Old notifications of quiet devices must not retain the index entries of evicted ones.
    @Test func deletesTheIndexEntriesOfEvictedNotifications() {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 10, total: 100_000))
        let busy = simulator.registered("Busy")
        for quiet in 0..<50 {
            simulator.push("kept", to: simulator.registered("Quiet \(quiet)"))
            for _ in 0..<1100 { simulator.push("busy", to: busy) }
        }
        #expect(simulator.counters.notifications == 60)
        #expect(simulator.counters.counts.dropped == 50 * 1100 - 10)
        #expect(simulator.placeCount <= 2 * 60 + 1024)
        let all = simulator.notifications().items
        #expect(all.count == 60)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.sequence < $1.sequence })
        for notification in all { #expect(simulator.notification(notification.sequence) != nil) }
    }

    /// The order index behaves like a sorted list after any removals.
    @Test(arguments: [1, 2, 3]) func agreesWithAPlainList(_ seed: Int) {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 150, total: 1000))
        var generator = LinearGenerator(state: UInt64(seed))
        let devices = (0..<20).map { simulator.registered("Device \($0)") }
        var kept: [(sequence: UInt64, device: Int)] = []
        var counts = [Int](repeating: 0, count: devices.count)
        for round in 0..<8000 {
            let device = Int.random(in: 0..<(round % 3 == 0 ? 2 : 20), using: &generator)
            if counts[device] == 150 {
                kept.remove(at: kept.firstIndex { $0.device == device }!)
                counts[device] -= 1
            } else if kept.count == 1000 {
                counts[kept.removeFirst().device] -= 1
            }
            kept.append((simulator.push("x", to: devices[device], id: UInt64(round % 17)), device))
            counts[device] += 1
            if round % 1999 == 0 {
                let query = NotificationQuery(apnsID: APNsID(high: 0, low: 5), limit: 5000)
                let gone = Set(simulator.notifications(query).items.map(\.sequence))
                #expect(simulator.clear(query) == gone.count)
                for entry in kept where gone.contains(entry.sequence) { counts[entry.device] -= 1 }
                kept.removeAll { gone.contains($0.sequence) }
            }
        }
        let all = simulator.notifications(NotificationQuery(limit: 5000)).items
        #expect(all.map(\.sequence) == kept.map(\.sequence))
        #expect(all.map(\.device) == kept.map { "Device \($0.device)" })
        #expect(simulator.placeCount <= 2 * kept.count + 1024)
        let totals = simulator.counters
        #expect(totals.counts.received == totals.notifications + totals.counts.dropped + totals.counts.cleared)
    }
}

struct LinearGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}

import APNs
import Testing
import Time

@testable import DeviceModel
@testable import DeviceSimulator

/// The changes that the store records for its followers.
@Suite struct ChangeSetTests {
    @Test(arguments: 0..<UInt64(20))
    func `every change of an existing notification is recorded`(_ batch: UInt64) throws {
        for seed in batch * 5..<batch * 5 + 5 {
            var generator = HistoryGenerator(seed: seed)
            let phone = generator.phone()
            _ = phone.simulator.recordChanges()
            for number in 1...HistoryTests.stepCount {
                let step = generator.step(on: phone)
                let before = phone.rows
                phone.take(step)
                let after = phone.rows
                let changes = try #require(phone.simulator.takeChanges())
                let changed = before.filter { after[$0.key] != nil && after[$0.key] != $0.value }.keys
                let missed = Set(changed).subtracting(changes.changed)
                #expect(missed == [], "seed \(seed), step \(number): \(step)")
                #expect(changes.changed.allSatisfy { $0 <= changes.since }, "a new one is found by its number")
                #expect(!changes.isIncomplete && changes.last == phone.simulator.lastSequence)
                if case .push = step { continue }
                #expect(changed.isEmpty || changes.devices == [Phone.name], "seed \(seed), step \(number)")
            }
        }
    }

    @Test func `nothing is recorded without a follower`() {
        let simulator = DeviceSimulator.make()
        simulator.push("Hi", to: simulator.registered("phone"))
        #expect(simulator.takeChanges() == nil)
        #expect(simulator.recordChanges() == 1)
        #expect(simulator.takeChanges() != nil)
        simulator.ignoreChanges()
        #expect(simulator.takeChanges() == nil)
    }

    @Test func `cleared and evicted notifications are recorded with their device and topic`() throws {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 2))
        let phone = simulator.registered("phone")
        let tablet = simulator.registered("tablet", topic: "com.example.mail")
        _ = simulator.recordChanges()
        simulator.push("1", to: tablet)
        for text in ["2", "3", "4"] { simulator.push(text, to: phone) }
        simulator.clear(NotificationQuery(device: "tablet"))
        let changes = try #require(simulator.takeChanges())
        #expect(
            changes.removed == [
                .init(number: 2, device: "phone", topic: "com.example.chat"),
                .init(number: 1, device: "tablet", topic: "com.example.mail"),
            ])
        #expect(simulator.deleteDevice(named: "phone"))
        let deletion = try #require(simulator.takeChanges())
        #expect(deletion.removed.map(\.number) == [3, 4])
        #expect(deletion.deletedDevices == ["phone"] && deletion.devices == [])
    }

    @Test func `a device deleted and created again is reported as existing`() throws {
        let simulator = DeviceSimulator.make()
        _ = simulator.registered("phone")
        _ = simulator.recordChanges()
        #expect(simulator.deleteDevice(named: "phone"))
        _ = simulator.registered("phone")
        let changes = try #require(simulator.takeChanges())
        #expect(changes.devices == ["phone"] && changes.deletedDevices == [])
    }

    @Test func `new devices and registrations are changes of devices`() throws {
        let simulator = DeviceSimulator.make()
        _ = simulator.recordChanges()
        let phone = simulator.registered("phone")
        #expect(try #require(simulator.takeChanges()).devices == ["phone"])
        simulator.setStatus(.expired, of: phone.token, at: .at(1))
        #expect(try #require(simulator.takeChanges()).devices == ["phone"])
        #expect(try #require(simulator.takeChanges()).devices == [])
    }

    @Test func `removals beyond the capacity are only counted`() throws {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 2000))
        let phone = simulator.registered("phone")
        for _ in 0...ChangeSet.capacity { simulator.push("Hi", to: phone) }
        _ = simulator.recordChanges()
        simulator.clear(NotificationQuery())
        let changes = try #require(simulator.takeChanges())
        #expect(changes.removed.count == ChangeSet.capacity && changes.hasMoreRemoved)
        #expect(!changes.isIncomplete)
    }

    @Test(arguments: [ChangeSet.capacity, ChangeSet.capacity + 1])
    func `more changed notifications than the capacity leave the record incomplete`(_ count: Int) throws {
        let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 2000))
        let phone = simulator.registered("phone")
        for _ in 0..<count { simulator.push("Hi", to: phone) }
        _ = simulator.recordChanges()
        try simulator.perform(.unlock, on: "phone", at: .at(1))
        let changes = try #require(simulator.takeChanges())
        #expect(changes.isIncomplete == (count > ChangeSet.capacity))
        #expect(changes.changed.count == ChangeSet.capacity)
    }

    @Test func `a loaded state and a reset leave the record incomplete`() throws {
        let simulator = DeviceSimulator.make()
        simulator.push("Hi", to: simulator.registered("phone"))
        _ = simulator.recordChanges()
        try simulator.load(simulator.snapshot())
        #expect(try #require(simulator.takeChanges()).isIncomplete)
        #expect(try #require(simulator.takeChanges()).isIncomplete == false)
        simulator.reset()
        #expect(try #require(simulator.takeChanges()).isIncomplete)
    }
}

extension Phone {
    /// The mutable members of a notification in a list.
    struct Row: Equatable {
        let state: DeliveryState
        let settledAt: Instant
        let timing: Timing?
        let level: InterruptionLevel
        let places: [String]
        let body: String
    }

    fileprivate var rows: [UInt64: Row] {
        Dictionary(
            uniqueKeysWithValues: simulator.notifications().items.map { notification in
                let row = Row(
                    state: notification.state, settledAt: notification.settledAt, timing: notification.item.timing,
                    level: notification.item.level, places: notification.places.names,
                    body: notification.content.body)
                return (notification.sequence, row)
            })
    }
}

import APNs
import DeviceModel
import LiveModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// The events of an advance while other requests replace its devices.
@Suite struct DueEventsTests {
    private let simulator: DeviceSimulator
    /// Once a minute.
    private let request: LocalRequest

    init() throws {
        let phone = Phone()
        simulator = phone.simulator
        let content = NotificationContent.with { $0.body = "minute" }
        let trigger = LocalTrigger.interval(milliseconds: 60_000, repeats: true)
        request = LocalRequest(app: Phone.chat, identifier: "minute", content: content, trigger: trigger)
        try simulator.perform(.local(.add(request)), on: Phone.name, at: .at(0))
    }

    @Test func aStateLoadedDuringAnAdvanceBeginsAgain() async throws {
        let snapshot = simulator.snapshot()
        let due = try await simulator.dueEvents {
            simulator.advance(to: .at(.hour))
            try simulator.load(snapshot)
            simulator.advance(to: .at(60_000))
        }
        let found = simulator.events(of: due, limit: 1000)
        #expect(!found.events.isEmpty && found.events.allSatisfy { $0.event.at == .at(60_000) })
        #expect(found.rest.isEmpty && due.eventCount > UInt64(60 * found.events.count))
    }

    @Test func aRegistrationDuringAnAdvancePerformsWhatIsDueInSteps() async throws {
        let due = try await simulator.dueEvents {
            _ = try simulator.register(
                device: Phone.name, topic: "com.example.other", environment: .sandbox, kind: .app, at: .at(.day))
        }
        #expect(due.eventCount > 1000)
    }

    @Test func aBroadcastDuringAnAdvancePerformsWhatIsDueInSteps() async throws {
        let channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
        _ = try simulator.createChannel(channel, policy: .mostRecent, at: .at(0))
        try simulator.change(Phone.name) { store throws(SimulatorError) in
            store.subscribe(try store.device(named: Phone.name), to: channel, at: .at(0))
        }
        let message = Broadcast(
            Array(ActivityTests.update(2).utf8), on: channel, uniqueID: APNsID(high: 0, low: 1), priority: .immediate,
            expiration: .unspecified, receivedAt: .at(.day))
        let due = try await simulator.dueEvents { _ = try simulator.broadcast(message) }
        #expect(due.eventCount > 1000)
    }

    @Test func aDeviceCreatedAgainDuringAnAdvanceBeginsAgain() async throws {
        let due = try await simulator.dueEvents {
            simulator.advance(to: .at(.hour))
            simulator.deleteDevice(named: Phone.name)
            _ = try simulator.addDevice(named: Phone.name, at: .at(.hour))
            try simulator.perform(.local(.add(request)), on: Phone.name, at: .at(.hour))
            simulator.advance(to: .at(.hour + 60_000))
        }
        let found = simulator.events(of: due, limit: 1000)
        #expect(!found.events.isEmpty && found.events.allSatisfy { $0.event.at == .at(.hour + 60_000) })
        #expect(found.rest.isEmpty)
    }
}

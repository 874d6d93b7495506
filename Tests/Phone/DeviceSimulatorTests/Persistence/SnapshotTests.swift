import APNs
import DeviceModel
import Foundation
import JSON
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

@Suite struct SnapshotTests {
    let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 3))

    init() {
        let phone = simulator.registered("Phone")
        let tablet = simulator.registered("Tablet")
        for number in 1...4 { simulator.push("\(number)", to: phone) }
        simulator.receive(.make("{", to: tablet, at: .at(99)), for: tablet)
        simulator.setStatus(.unregistered, of: tablet.token, at: .at(100))
        _ = simulator.registered("Tablet")
        simulator.put(App(bundleID: "com.example.chat", team: "TEAM123456", entitlements: ["aps-environment"]))
    }

    private func json(_ simulator: DeviceSimulator) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        return String(decoding: try encoder.encode(simulator.snapshot()), as: UTF8.self)
    }

    @Test func evictsWhatExceedsTheLimits() throws {
        let small = DeviceSimulator.make(limits: InboxLimits(perDevice: 2, total: 2))
        try small.load(simulator.snapshot())
        #expect(small.notifications().items.map(\.sequence) == [4, 5])
        #expect(small.counters.counts.dropped == 3)
        #expect(small.device(named: "Phone")?.inboxCount == 1)
    }

    @Test func numbersAscendAcrossALoad() throws {
        let snapshot = simulator.snapshot()
        let phone = simulator.registered("Phone")
        for _ in 0..<5 { simulator.push("more", to: phone) }
        try simulator.load(snapshot)
        #expect(simulator.push("after", to: simulator.registered("Phone")) == 11)
        // A push in transit to the former state is lost.
        simulator.push("late", to: phone)
        #expect(simulator.bodies(NotificationQuery(device: "Phone")) == ["3", "4", "after"])
    }

    static let damages: [(SnapshotError, @Sendable (inout SimulatorSnapshot) -> Void)] = [
        (.duplicate("Phone"), { $0.devices[1].name = "Phone" }),
        (
            .duplicate(DeviceToken.numbered(9).hex),
            {
                $0.devices[0].registrations[0].token = .numbered(9)
                $0.devices[1].registrations[0].token = .numbered(9)
            }
        ),
        (.badNotification(sequence: 2), { $0.notifications[1].sequence = 2 }),
        (.badNotification(sequence: 3), { $0.notifications[1].token = .numbered(8) }),
        (.badNotification(sequence: 3), { $0.notifications[1].push.document.apnsID = "1" }),
        (.badNotification(sequence: 4), { $0.notifications[2].push.document.pushType = "shout" }),
        (.badNumber("lastSequence"), { $0.lastSequence = .max }),
        (.badNumber("formerPushes"), { $0.formerPushes = FormerPushes(last: .max, at: .at(0)) }),
        (
            .badNumber("the time of shared reservations"),
            {
                $0.shares = [
                    ReservationShare(
                        person: "maria", source: "Phone", items: [], changed: [], at: Instant(milliseconds: .max))
                ]
            }
        ),
        (.badNumber("a notification's sequence"), { $0.notifications[3].sequence = 1 << 53 + 1 }),
        (.badNumber("counts.received of the state"), { $0.counts.received = .max }),
        (.badNumber("counts.dropped of Phone"), { $0.devices[0].counts.dropped = -1 }),
        (.badNumber("eventCount of Phone"), { $0.devices[0].eventCount = .max }),
        (.badNumber("lastLostEvent of Phone"), { $0.devices[0].lastLostEvent = .max }),
        (.badNumber("receivedEvent of notification 2"), { $0.notifications[0].receivedEvent = .max }),
        (.badNumber("deliveryEvent of notification 3"), { $0.notifications[1].deliveryEvent = .max }),
        (.badNotification(sequence: 2), { $0.notifications[0].circumstances = 99 }),
        (.badNotification(sequence: 2), { $0.notifications[0].circumstances = -1 }),
        (.badNotification(sequence: 4), { $0.notifications[2].extensionCircumstances = 99 }),
    ]

    @Test(arguments: damages.indices) func refusesDamage(_ index: Int) throws {
        let (error, damage) = Self.damages[index]
        let before = try json(simulator)
        var snapshot = simulator.snapshot()
        damage(&snapshot)
        #expect(throws: error) { try simulator.load(snapshot) }
        #expect(try json(simulator) == before)
    }

    static let sums = [
        (#""createdCount":0"#, #""createdCount":-1"#, "createdCount of Phone"),
        (#""lastNumber":1,"#, #""lastNumber":18446744073709551615,"#, "lastNumber of donations of Phone"),
        (#""lastNumber":0,"#, #""lastNumber":9007199254740993,"#, "lastNumber of the calendar of Phone"),
        (#""minuteOfDay":0,"#, #""minuteOfDay":9007199254740993,"#, "minuteOfDay of Phone"),
        (#""generation":0,"#, #""generation":9223372036854775807,"#, "generation of a token of Phone"),
    ]

    @Test("sums of Live Activities and Siri that could overflow are refused", arguments: sums)
    func refusesSums(_ row: (text: String, edited: String, name: String)) throws {
        let phone = Phone()
        phone.alert()
        try phone.schedule("local", in: 60)
        try phone.donate(DonationTests.checkWeather("cupertino", "1"))
        let text = String(decoding: JSONTextEncoder.bytes(phone.simulator.snapshot()), as: UTF8.self)
        let edited = text.replacingOccurrences(of: row.text, with: row.edited)
        #expect(edited != text)
        let snapshot = try JSONTextDecoder.decode(SimulatorSnapshot.self, from: Array(edited.utf8))
        #expect(throws: SnapshotError.badNumber(row.name)) { try phone.simulator.load(snapshot) }
    }
}

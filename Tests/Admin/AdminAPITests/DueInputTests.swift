import DeviceModel
import DeviceSimulator
import Gateway
import LiveModel
import Testing
import Time

@testable import AdminAPI

/// Inputs of a device on which something else is due.
@Suite struct DueInputTests {
    static let app = "com.example.app"

    private static func request(_ identifier: String, _ trigger: LocalTrigger?) -> LocalRequest {
        var content = NotificationContent()
        content.body = identifier
        return LocalRequest(app: app, identifier: identifier, content: content, trigger: trigger)
    }

    static let triggers: [(LocalTrigger?, UInt64?)] = [
        (nil, 61), (.interval(milliseconds: 90_000, repeats: false), nil),
    ]

    @Test(arguments: triggers)
    func theAnswerNamesTheNotificationAdded(_ trigger: LocalTrigger?, _ number: UInt64?) throws {
        let simulator = makeGateway(limits: InboxLimits()).simulator
        let start = testTime.advanced(by: .seconds(-3600))
        try simulator.addDevice(named: "phone", at: start)
        let ticks = Self.request("tick", .interval(milliseconds: 60_000, repeats: true))
        try simulator.perform(.local(.add(ticks)), on: "phone", at: start)
        let added = Self.request("added", trigger)
        let events = try simulator.perform(.local(.add(added)), on: "phone", at: testTime)
        #expect(events.contains { $0.kind == .localFired }, "some ticks were due")
        #expect(ScheduledAnswer(added, events).notification == number)
    }
}

import APNs
import DeviceModel
import DeviceSimulator
import Gateway
import JSON
import LiveModel
import Testing

/// Inputs of a device on which something else is due.
@Suite struct DueInputTests {
    static let app = "com.example.app"
    static let earlier = testTime.advanced(by: .seconds(-3600))

    private func answer(_ admin: AdminFixture, _ path: String, _ body: String) async throws -> JSONValue {
        let answer = try await admin.send("POST", "/api/v1/devices/phone/" + path, body)
        #expect(answer.status == 201, "\(answer.text)")
        let value = JSONValue(Array(answer.text.utf8).span.bytes)
        return try #require(value)
    }

    static let triggers: [(String, JSONValue?)] = [
        ("", .integer(61)), (#","trigger":{"type":"timeInterval","timeInterval":90}"#, nil),
    ]

    @Test(arguments: triggers) func theAnswerNamesTheNotificationAdded(_ trigger: String, _ number: JSONValue?)
        async throws
    {
        try await withAdmin { admin in
            try admin.gateway.simulator.addDevice(named: "phone", at: Self.earlier)
            var content = NotificationContent()
            content.body = "tick"
            let ticks = LocalRequest(
                app: Self.app, identifier: "tick", content: content,
                trigger: .interval(milliseconds: 60_000, repeats: true))
            try admin.gateway.simulator.perform(.local(.add(ticks)), on: "phone", at: Self.earlier)
            let body = #"{"app":"\#(Self.app)","identifier":"added","content":{"body":"Hi"}\#(trigger)}"#
            #expect(try await answer(admin, "local-notifications", body)["notification"] == number)
        }
    }

    @Test func theAnswerIsTheActivityStarted() async throws {
        try await withAdmin { admin in
            try admin.gateway.simulator.addDevice(named: "phone", at: Self.earlier)
            var scheduled = ActivityStart()
            (scheduled.bundleID, scheduled.type, scheduled.isIntent) = (Self.app, "Scheduled", true)
            (scheduled.startsAt, scheduled.alert) = (testTime, ActivityAlertText())
            try admin.gateway.simulator.perform(.activity(.start(scheduled)), on: "phone", at: Self.earlier)
            let body = #"{"app":"\#(Self.app)","type":"Added","attributes":{},"content":{},"isIntent":true}"#
            #expect(try await answer(admin, "activities", body)["type"] == .string("Added"))
        }
    }
}

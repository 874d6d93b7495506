import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// A device's day over HTTP.
@Suite(.admin) struct DayTests {
    static let day = "/api/v1/devices/phone/day"

    @Test func aDayHasItsPushesByApp() async throws {
        #expect(admin.push(try admin.register()) == 200)
        let answer = try await admin.get(Self.day)
        #expect(
            answer.text
                == #"{"device":"phone","date":"2026-11-21","timeZone":"UTC","from":"2026-11-21T00:00:00.000Z","#
                + #""to":"2026-11-22T00:00:00.000Z","now":"2026-11-21T07:00:00.000Z","focus":[],"outages":[],"#
                + #""summaries":[],"lanes":[{"app":"com.example.app","name":"app","pushes":[{"notification":1,"text":"Hi","#
                + #""level":"active","outcome":"alerted","receivedAt":"2026-11-21T07:00:00.000Z","#
                + #""settledAt":"2026-11-21T07:00:00.000Z","shownAt":"2026-11-21T07:00:00.000Z"}]}],"#
                + #""omittedCount":0,"hasGap":false}"#)
        #expect(try await admin.get(Self.day + "?date=2026-11-20").text.contains(#""lanes":[]"#))
    }

    @Test("summaries say whether they were delivered; Focuses and outages have start and end times")
    func periods() async throws {
        let device = """
            {"isOnline":false,"focus":{"modes":[{"id":"work","name":"Work"}],"active":"work"},\
            "summary":{"isEnabled":true,"times":["18:00"]}}
            """
        #expect(try await admin.send("PUT", "/api/v1/devices/phone", device).status == 201)
        let text = try await admin.get(Self.day).text
        #expect(text.contains(#""summaries":[{"at":"2026-11-21T18:00:00.000Z","isDelivered":false}]"#))
        // It started at this instant.
        #expect(text.contains(#""focus":[],"outages":[]"#))
        let events = try await admin.get("/api/v1/devices/phone/events?kind=conditionsChanged").text
        #expect(
            events.contains(
                #""details":{"changed":["isOnline","focus","summary"],"values":{"isOnline":false,"summary":{"#))
    }

    @Test func anInvalidDateIsRejectedWithTheRemedy() async throws {
        try admin.register()
        for date in ["23.11.2026", "2026-02-30", "2026-11-23T00:00:00Z", "today"] {
            let answer = try await admin.get(Self.day + "?date=\(date)")
            #expect(answer.status == 400)
            #expect(answer.text.contains("'date' is '\(date)'; it must be a date such as 2026-11-23"))
        }
        #expect(try await admin.get(Self.day + "?date=").status == 400)
        #expect(try await admin.get(Self.day + "?day=2026-11-23").text.contains("Accepted are date"))
    }

    @Test func aDetailHasTheIndexOfTheDecidingRule() async throws {
        let focus = #"{"focus":{"modes":[{"id":"work","name":"Work"}],"active":"work"}}"#
        _ = try await admin.send("PUT", "/api/v1/devices/phone", focus)
        #expect(admin.push(try admin.register()) == 200)
        let explanation = try #require(admin.gateway.simulator.notification(1)?.explanation)
        #expect(explanation.trace[explanation.decidedBy].stage == "focus")
        let text = try await admin.get("/api/v1/notifications/1").text
        #expect(text.contains(#""decidedBy":\#(explanation.decidedBy),"#))
    }
}

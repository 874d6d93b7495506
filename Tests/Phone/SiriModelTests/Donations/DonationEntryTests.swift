import DeviceModel
import JSON
import TestSupport
import Testing
import Time

@testable import LiveModel
@testable import SiriModel

/// A donation's event (D.2).
@Suite struct DonationEntryTests {
    private func details(at time: String, wokeAt: String? = nil, _ edit: (inout DeviceConditions) -> Void) throws
        -> JSONObject
    {
        let context = DeviceContext(
            now: try #require(Instant(text: time)), device: .with(edit), assumptions: Assumptions()
        ) { (App(bundleID: $0), NotificationSettings(), false) }
        let donation = Donation(identifier: "6875", intent: ["class": .string("A")])
        let woke = try wokeAt.map { try #require(Instant(text: $0)) }
        return DonationEntry(donation, by: "com.example.app", in: .extension, wokeAt: woke, context).details
    }

    @Test("S1-8 a donation's context is the device's minute, weekday and time since waking") func context() throws {
        // Sunday in London, Monday 07:05 in Tokyo.
        let details = try details(at: "2026-01-04T22:05:59Z", wokeAt: "2026-01-04T21:59:30Z") {
            $0.timeZone = "Asia/Tokyo"
        }
        let expected: JSONValue = ["minuteOfDay": .integer(425), "weekday": .integer(2), "sinceWakeMin": .integer(6)]
        #expect(details["context"] == expected)
        #expect(details["appState"] == .string("extension") && details["identifier"] == .string("6875"))
        #expect(details["groupIdentifier"] == nil && details["dateInterval"] == nil && details["response"] == nil)
    }

    @Test("S1-8 the context has the Focus, and time since waking only on the same day") func focus() throws {
        // Saturday evening there.
        let details = try details(at: "2026-01-04T07:59:00Z", wokeAt: "2026-01-02T15:00:00Z") { device in
            device.timeZone = "America/Los_Angeles"
            (device.focus.modes, device.focus.active) = ([.with { ($0.id, $0.name) = ("work", "Work") }], "work")
        }
        let expected: JSONValue = ["minuteOfDay": .integer(1439), "weekday": .integer(7), "focus": .string("work")]
        #expect(details["context"] == expected)
    }
}

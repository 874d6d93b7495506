import APNs
import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// Explanations over HTTP.
@Suite(.admin) struct ExplanationTests {
    static let focus =
        #"{"locale":"ja_JP","showPreviews":"never","focus":{"modes":[{"id":"work","name":"Work"}],"active":"work"}}"#
    static let app = #"{"displayName":"Example","localizations":{"ja":{"HELLO":"こんにちは、%@"}}}"#
    static let payload = #"{"aps":{"alert":{"title":"T","loc-key":"HELLO","loc-args":["Bob"]},"sound":"default"}}"#

    /// A device in a Focus that allows no one, with one notification.
    private func prepare(_ admin: AdminFixture) async throws {
        #expect(try await admin.send("PUT", "/api/v1/apps/com.example.app", Self.app).status == 201)
        #expect(try await admin.send("PUT", "/api/v1/devices/phone", Self.focus).status == 201)
        #expect(admin.push(try admin.register(), Self.payload) == 200)
    }

    @Test func anEntrySaysWhereAndWhenItWasNoticed() async throws {
        try await prepare(admin)
        let text = try await admin.get("/api/v1/notifications?timing=silencedByFocus").text
        #expect(text.contains(#""timing":"silencedByFocus","level":"active","places":["#))
        let identifier = try #require(admin.gateway.simulator.notification(1)).identifier
        #expect(text.contains(#""id":1,"identifier":"\#(identifier)","device":"phone""#))
        #expect(try await admin.get("/api/v1/notifications?timing=now").text.hasPrefix(#"{"notifications":[]"#))
    }

    @Test func aNotificationIsFoundByItsUniqueIdentifier() async throws {
        let token = try admin.register()
        for _ in 0..<2 { #expect(admin.push(token) == 200) }
        let unique = try #require(admin.gateway.simulator.notification(2)).push.uniqueID.text(.lower)
        let text = try await admin.get("/api/v1/notifications?apnsUniqueId=\(unique)").text
        #expect(text.contains(#""id":2,"#) && !text.contains(#""id":1,"#))
        #expect(try await admin.get("/api/v1/notifications?apnsUniqueId=x").status == 400)
        #expect(try await admin.get("/api/v1/notifications?timing=later").text.contains("accepted are now, quiet"))
    }

    @Test func aDetailHasContentAsSentLocalizedAndSeen() async throws {
        try await prepare(admin)
        let text = try await admin.get("/api/v1/notifications/1").text
        #expect(text.contains(#""bodyLocalization":{"key":"HELLO","arguments":["Bob"]}"#))
        #expect(text.contains(#""localized":{"title":"T","subtitle":"","body":"こんにちは、Bob"}"#))
        #expect(text.contains(#""displayed":{"appName":"Example","title":"Example","body":"通知","isHidden":true,"#))
    }

    @Test(arguments: ["", "?where=text~Bob", "?where=body~Bob"])
    func aListHasTheTextsInTheDevicesLanguage(_ query: String) async throws {
        try await prepare(admin)
        let text = try await admin.get("/api/v1/notifications\(query)").text
        #expect(text.contains(#""title":"T","body":"こんにちは、Bob""#), "\(text)")
    }

    @Test func aDetailHasTheDecisionAndItsInputs() async throws {
        try await prepare(admin)
        // A later change is not part of the policy inputs.
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"ringSwitch":"silent"}"#)
        let text = try await admin.get("/api/v1/notifications/1").text
        #expect(text.contains(#""presentation":["notificationCenter""#))
        #expect(
            text.contains(#""circumstances":{"device":{"locale":"ja_JP""#) && text.contains(#""ringSwitch":"ring""#)
        )
        #expect(text.contains(#""app":{"bundleId":"com.example.app""#))
        #expect(text.contains(#""settings":{"authorizationStatus":"authorized""#))
        #expect(text.contains(#""trace":[{"stage":"authorization","rule":"authorization."#))
        #expect(text.contains(#""why":"Active, silenced by the Focus Work: in Notification Center"#))
        let log = #""deliveryLog":[{"at":"2026-11-21T07:00:00.000Z","text":"Accepted"},"#
        #expect(text.contains(log + #"{"at":"2026-11-21T07:00:00.000Z","text":"Delivered"}]"#))
    }

    @Test func theDeliveryLogShowsThatAPushWasStored() async throws {
        let token = try admin.register()
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isOnline":false}"#)
        #expect(admin.push(token) == 200)
        let waiting = try await admin.get("/api/v1/notifications/1").text
        #expect(waiting.contains(#""state":"stored","holdReason":"offline","outcome":"waiting","receivedAt""#))
        #expect(waiting.contains(#""why":"Waits until the device is online; expires "#))
        #expect(!waiting.contains(#""displayed""#) && !waiting.contains(#""trace""#))
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isOnline":true}"#)
        let texts = try await admin.get("/api/v1/notifications/1").text.split(separator: #","text":""#)
        #expect(
            texts.dropFirst().map { $0.prefix { $0 != "\"" } } == [
                "Accepted", "Stored – Device Offline", "Delivered",
            ])
    }

    @Test func aPushWithoutPermissionIsExplained() async throws {
        let token = try admin.register()
        let denied = #"{"apps":{"com.example.app":{"authorizationStatus":"denied"}}}"#
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", denied)
        #expect(admin.push(token) == 200)
        let text = try await admin.get("/api/v1/notifications/1").text
        #expect(text.contains(#""state":"discarded","discardReason":"disabled""#))
        let why = "Not shown because the app's notifications are not allowed: nothing noticeable."
        #expect(text.contains(#""why":"\#(why)""#))
        #expect(
            text.contains(#""rule":"authorization.denied","facts":"are the app's notifications turned off?","answer""#))
    }

    @Test func anExplanationSaysThatTheDeviceDiscardedWhatAPNsDelivered() async throws {
        let topic = "com.example.app.push-type.liveactivity"
        let push = #"{"aps":{"timestamp":1800000000}}"#
        let path = "/api/v1/devices/phone/push?topic=\(topic)&pushType=liveactivity"
        #expect(try await admin.send("POST", path, push).status == 201)
        let text = try await admin.get("/api/v1/notifications/1/explanation").text
        let line = "Notification 1 for com.example.app on phone: Delivered, and discarded by the device.\n"
        #expect(text.hasPrefix(line), "\(text)")
    }

    @Test func anExplanationIsPlainSentences() async throws {
        try await prepare(admin)
        let answer = try await admin.get("/api/v1/notifications/1/explanation")
        #expect(answer.headers["content-type"] == "text/plain; charset=utf-8")
        let lines = answer.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[0] == "Notification 1 for com.example.app on phone: Delivered.")
        #expect(lines[1].hasPrefix("Active, silenced by the Focus Work: "))
        #expect(lines[2] == "Shown as: Example | 通知")
        #expect(lines.contains("  2026-11-21T07:00:00.000Z Delivered"))
        let steps = try #require(admin.gateway.simulator.notification(1)?.reasons?.trace)
        #expect(steps.allSatisfy { lines.contains("  \($0.sentence)") })
        #expect(try await admin.get("/api/v1/notifications/9/explanation").status == 404)
    }
}

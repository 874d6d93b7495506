import DeviceModel
import DeviceSimulator
import Testing

/// The screen, and the events that apps receive.
@Suite(.admin) struct ScreenTests {
    static let screen = "/api/v1/devices/phone/screen"

    private func push(_ admin: AdminFixture, _ aps: String, _ fields: (name: String, value: String)...) throws {
        let token = try admin.register()
        #expect(admin.push(token, #"{"aps":{\#(aps)}}"#, fields: [("apns-push-type", "alert")] + fields) == 200)
    }

    @Test("I.2 notifications of a thread form a stack, the newest on top") func threadsAreStacks() async throws {
        for (text, thread) in [("A1", "a"), ("B1", "b"), ("A2", "a")] {
            try push(admin, #""alert":"\#(text)","thread-id":"\#(thread)""#)
        }
        let text = try await admin.get(Self.screen).text
        let stacks = try #require(text.split(separator: #""lockScreen":"#).last)
        #expect(stacks.hasPrefix(#"[{"app":"com.example.app","thread":"a","count":2,"text":"1 more notification","#))
        let order = stacks.split(separator: #""body":""#).dropFirst().map { String($0.prefix(2)) }
        #expect(order == ["A2", "A1", "B1", "A2", "A1", "B1"])
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"apps":{"com.example.app":{"grouping":"off"}}}"#)
        #expect(try await admin.get(Self.screen).text.split(separator: #""count":1"#).count == 7)
        _ = try await admin.send(
            "PATCH", "/api/v1/devices/phone", #"{"apps":{"com.example.app":{"grouping":"byApp"}}}"#)
        #expect(try await admin.get(Self.screen).text.split(separator: #""count":3"#).count == 3)
    }

    @Test func aFocusThatHidesBadgesStillCountsThem() async throws {
        try push(admin, #""alert":"A","badge":4"#)
        let focus = #"{"focus":{"modes":[{"id":"work","hidesBadges":true}],"active":"work"}}"#
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", focus)
        try push(admin, #""badge":5"#)
        #expect(try await admin.get(Self.screen).text.contains(#""badges":{}"#))
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"focus":{"active":null}}"#)
        #expect(try await admin.get(Self.screen).text.contains(#""badges":{"com.example.app":5}"#))
    }

    @Test(
        "B.3 an app without permission for badges has none",
        arguments: [
            #""badge":"disabled""#, #""authorizationStatus":"denied""#,
        ])
    func badgesNeedPermission(_ setting: String) async throws {
        try push(admin, #""alert":"A","badge":5"#)
        func set(_ setting: String) async throws {
            let body = #"{"apps":{"com.example.app":{\#(setting)}}}"#
            #expect(try await admin.send("PATCH", "/api/v1/devices/phone", body).status == 200)
        }
        try await set(setting)
        #expect(try await admin.get(Self.screen).text.contains(#""badges":{}"#))
        try await set(#""badge":"enabled","authorizationStatus":"authorized""#)
        #expect(try await admin.get(Self.screen).text.contains(#""badges":{"com.example.app":5}"#))
    }

    @Test func hiddenPreviewsFollowThePresentConditions() async throws {
        try push(admin, #""alert":{"title":"T","body":"B"},"badge":4"#)
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"showPreviews":"whenAuthenticated"}"#)
        let locked = try await admin.get(Self.screen).text
        #expect(locked.contains(#""title":"app","body":"Notification","isHidden":true"#))
        #expect(locked.contains(#""isLocked":true"#) && locked.contains(#""badges":{"com.example.app":4}"#))
        _ = try await admin.send("POST", "/api/v1/devices/phone/actions", #"{"action":"unlock"}"#)
        let unlocked = try await admin.get(Self.screen).text
        #expect(unlocked.contains(#""lockScreen":[],"notificationCenter":[{"#))
        #expect(unlocked.contains(#""title":"T","body":"B","isHidden":false"#))
    }

    @Test func theScreenHasButtonsAndPrompts() async throws {
        let app =
            #"{"categories":[{"identifier":"M","actions":[{"identifier":"D","title":"Delete","options":["destructive"]}]}],"#
            + #""entitlements":["com.apple.developer.usernotifications.time-sensitive"]}"#
        #expect(try await admin.send("PUT", "/api/v1/apps/com.example.app", app).status == 201)
        try push(admin, #""alert":"Hi","category":"M","interruption-level":"time-sensitive""#)
        let text = try await admin.get(Self.screen).text
        #expect(text.contains(#""label":"Time Sensitive","isCommunication":false,"buttons":[{"identifier":"D","#))
        #expect(text.contains(#""title":"Delete","isRed":true"#))
        let prompt =
            #"{"app":"com.example.app","prompt":"timeSensitiveIntro","text":"“app” alerts you with Time Sensitive "#
            + #"notifications at once. Leave them on?","choices":["leaveOn","turnOff"]}"#
        #expect(text.hasSuffix(#""prompts":["# + prompt + "]}"))
    }

    @Test("H.3 notifications waiting for the summary are counted, and listed only on request")
    func theNextSummaryIsShownOnRequest() async throws {
        _ = try await admin.send(
            "PUT", "/api/v1/apps/com.example.app", #"{"settings":{"scheduledDelivery":"enabled"}}"#)
        _ = try await admin.send("PUT", "/api/v1/devices/phone", #"{"summary":{"isEnabled":true}}"#)
        try push(admin, #""alert":"Later""#)
        let counted = try await admin.get(Self.screen).text
        #expect(counted.contains(#""nextSummary":{"at":"2026-11-21T08:00:00.000Z","count":1},"#))
        let refused = try await admin.send(
            "POST", "/api/v1/devices/phone/actions", #"{"action":"tap","notification":1}"#)
        #expect(refused.status == 409)
        #expect(refused.text.contains("Notification 1 waits for the scheduled summary and is not on the screen yet."))
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"summary":{"showsNext":true}}"#)
        let shown = try await admin.get(Self.screen).text
        #expect(shown.contains(#""count":1,"notifications":[{"notification":1,"#))
    }

    @Test("S3-4 B.4 notifications that a Focus released are in its section of the lock screen")
    func releasedStaysInItsSection() async throws {
        try admin.register()
        let focus = #"{"focus":{"modes":[{"id":"work"}],"active":"work"}}"#
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", focus)
        try push(admin, #""alert":"Held back""#)
        #expect(try await admin.get(Self.screen).text.contains(#""lockScreen":[],"#))
        #expect(try await !admin.get(Self.screen).text.contains("whileInFocus"))
        #expect(try await !admin.get("/api/v1/notifications/1").text.contains("alertReleasedAt"))
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"focus":{"active":null}}"#)
        try push(admin, #""alert":"Now""#)
        let cards = try await admin.get(Self.screen).text.split(separator: #"{"notification":"#)
        #expect(cards.filter { $0.contains(#""section":"whileInFocus""#) }.allSatisfy { $0.hasPrefix("1,") })
        #expect(cards.contains { $0.hasPrefix("1,") && $0.contains(#""section":"whileInFocus""#) })
        let detail = try await admin.get("/api/v1/notifications/1").text
        #expect(detail.contains(#""alertReleasedAt":"2026-11-21T07:00:00.000Z""#))
        _ = try await admin.send("POST", "/api/v1/devices/phone/actions", #"{"action":"unlock"}"#)
        #expect(try await !admin.get(Self.screen).text.contains("whileInFocus"))
    }

    @Test("B.1 the prompt offers the summary only while one is scheduled") func offersTheSummary() async throws {
        _ = try await admin.send(
            "PUT", "/api/v1/apps/com.example.app", #"{"settings":{"authorizationStatus":"provisional"}}"#)
        try push(admin, #""alert":"Quiet""#)
        let prompt =
            #"{"app":"com.example.app","prompt":"provisional","text":"“app” delivers its notifications quietly. "#
            + #"Keep them?","choices":["#
        #expect(try await admin.get(Self.screen).text.contains(prompt + #""keep","turnOff"]}"#))
        let events = try await admin.get("/api/v1/devices/phone/events?kind=prompt").text
        #expect(events.contains(#""choices":["keep","turnOff"]"#))
        let act = #"{"action":"answer","app":"com.example.app","choice":"keepInSummary"}"#
        #expect(try await admin.send("POST", "/api/v1/devices/phone/actions", act).status == 409)
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"summary":{"isEnabled":true}}"#)
        let offered = try await admin.get(Self.screen).text
        #expect(offered.contains(prompt + #""keep","keepInSummary","turnOff"]}"#))
        #expect(try await admin.send("POST", "/api/v1/devices/phone/actions", act).status == 200)
    }

    @Test("I.6 the delivered list has the app's notifications, the newest first") func theDeliveredAreListed()
        async throws
    {
        try push(admin, #""alert":"Now""#, (name: "apns-collapse-id", value: "first"))
        try push(admin, #""alert":"Next""#)
        let text = try await admin.get("/api/v1/devices/phone/delivered?app=com.example.app").text
        let bodies = text.split(separator: #""body":""#).dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(bodies == ["Next", "Now"])
        #expect(text.contains(#"{"identifier":"first","notification":1,"date":"2026-11-21T07:00:00.000Z","content":{"#))
        #expect(try await admin.get("/api/v1/devices/phone/delivered?app=other").text == #"{"notifications":[]}"#)
        #expect(try await admin.get("/api/v1/devices/phone/delivered").status == 400)
        #expect(try await admin.get("/api/v1/devices/none/screen").status == 404)
    }
}

import APNs
import DeviceSimulator
import Gateway
import TestSupport
import Testing
import Time

/// Widgets, controls, calls and other services over HTTP, and their pushes in the inbox (L3).
@Suite(.admin) struct ServiceTests {
    static let app = "/api/v1/devices/phone/apps/com.example.app"

    @Test("L-32 replies, kills and a withheld push over HTTP, on the simulated clock") func voip() async throws {
        _ = try await admin.send("PUT", "/api/v1/apps/com.example.app", #"{"pushkit":{"voip":true}}"#)
        let token = try admin.registerVoIP()
        let replies = try await admin.send("POST", Self.app + "/replies", #"{"voip":{"reply":"timeout"}}"#)
        #expect(replies.status == 200)
        #expect(replies.text.contains(#""voip":{"reply":"timeout","video":false}"#))
        #expect(try await admin.get(Self.app + "/replies").text == replies.text)
        #expect(admin.pushVoIP(token) == 200)
        #expect(!(try await admin.get("/api/v1/devices/phone/events").text.contains("appKilled")))
        admin.gateway.simulator.advance(to: testTime.advanced(by: .seconds(7)))
        let killed = try await admin.get("/api/v1/devices/phone/events?kind=appKilled").text
        #expect(killed.contains(#""code":"0xbaadca11""#) && killed.contains(#""notification":1"#))
        _ = try await admin.send("POST", Self.app + "/replies", #"{"voip":{"reply":"nothing"}}"#)
        for _ in 0..<3 { #expect(admin.pushVoIP(token) == 200) }
        let services = try await admin.get(Self.app + "/services").text
        #expect(services.contains(#""voip":{"unreported":4,"isWithheld":true}"#))
        // APNs still answers 200.
        #expect(admin.pushVoIP(token) == 200)
        let withheld = try await admin.get("/api/v1/notifications/latest").text
        #expect(withheld.contains(#""state":"discarded","discardReason":"voipWithheld""#))
        #expect(withheld.contains(#""why":"The push is discarded: VoIP withheld.""#))
    }

    @Test("L3 the detail and the explanation list every rule tried") func explains() async throws {
        _ = try await admin.send("PUT", "/api/v1/apps/com.example.app", #"{"pushkit":{"voip":true}}"#)
        let token = try admin.registerVoIP()
        _ = try await admin.send("POST", Self.app + "/replies", #"{"voip":{"handle":"+1555"}}"#)
        _ = admin.pushVoIP(token)
        let detail = try await admin.get("/api/v1/notifications/1").text
        #expect(detail.contains(#""decidedBy":3,"why":"The phone rings: +1555.""#))
        let explanation = try await admin.get("/api/v1/notifications/1/explanation").text
        #expect(explanation.contains("The phone rings: +1555."))
        #expect(explanation.contains("voip.registered: does the app not register for VoIP pushes? No; next rule."))
        #expect(explanation.contains("voip.rings: does the app report a call? Yes: the phone rings."))
    }

    @Test("L-33 placing widgets issues the app's token, and an invalid request changes nothing")
    func widgets() async throws {
        try admin.register()
        _ = try await admin.send(
            "PUT", "/api/v1/apps/com.example.app",
            #"{"widgets":[{"kind":"scores","push":true},{"kind":"still","push":false}]}"#)
        let path = Self.app + "/services"
        let before = try await admin.get(path).text
        for (body, words) in [
            (#"{"widgets":[{"id":"w","kind":"score"}]}"#, #"no widget of kind 'score'; it declares scores, still"#),
            (#"{"widgets":[{"id":"w"}]}"#, "'widgets[0].kind' is missing"),
            (#"{"widgets":[{"id":"w","kind":"scores"},{"id":"w","kind":"scores"}]}"#, "duplicate of"),
            (#"{"widget":[]}"#, "did you mean widgets?"),
            (#"{"environment":"live"}"#, "'environment' is 'live'"),
        ] {
            let answer = try await admin.send("PATCH", path, body)
            #expect(answer.status == 400 && answer.text.unescaped.contains(words), "\(answer.text)")
        }
        #expect(try await admin.get(path).text == before)
        let placed = try await admin.send(
            "PATCH", path,
            #"{"environment":"production","widgets":[{"id":"w1","kind":"scores"},{"id":"w2","kind":"still"}]}"#)
        #expect(placed.status == 200)
        let issued = try await admin.get("/api/v1/devices/phone/events?kind=tokenIssued").text
        #expect(issued.contains(#""topic":"com.example.app.push-type.widgets""#))
        #expect(issued.contains(#""environment":"production""#))
        // Writing back the answer changes nothing.
        #expect(try await admin.send("PATCH", path, placed.text).text == placed.text)
    }

    @Test("L3 an act in the wrong state gets 409, an unknown object 404") func refuses() async throws {
        try admin.register()
        let path = Self.app + "/services"
        let join = try await admin.send("PATCH", path, #"{"channel":"Team"}"#)
        #expect(join.status == 409 && join.text.contains("open com.example.app on the device first"))
        #expect(try await admin.get("/api/v1/devices/none/apps/com.x/services").status == 404)
        #expect(try await admin.get("/api/v1/devices/none/apps/com.x/replies").status == 404)
        let wrong = try await admin.send("POST", Self.app + "/replies", #"{"location":{"latitude":91}}"#)
        #expect(wrong.status == 400 && wrong.text.contains("a number from -90 to 90"))
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isPoweredOn":false}"#)
        #expect(try await admin.send("PATCH", path, #"{"call":"active"}"#).status == 409)
    }

    @Test("L5.3 a fourth background push within an hour is found") func findsRates() async throws {
        let token = try admin.register()
        for _ in 0..<4 {
            // Wakes no app, so it does not count.
            _ = admin.push(
                token, #"{"aps":{"content-available":1,"badge":1}}"#,
                fields: [("apns-push-type", "background"), ("apns-priority", "5")])
        }
        for _ in 0..<4 {
            _ = admin.push(
                token, #"{"aps":{"content-available":1}}"#,
                fields: [("apns-push-type", "background"), ("apns-priority", "5")])
        }
        #expect(!(try await admin.get("/api/v1/notifications/7").text.contains("bg.rate")))
        #expect(try await admin.get("/api/v1/notifications/8").text.contains("bg.rate"))
        let uninstall = #"{"action":"uninstall","app":"com.example.app"}"#
        #expect(try await admin.send("POST", "/api/v1/devices/phone/actions", uninstall).status == 200)
        _ = admin.push(
            try admin.register(), #"{"aps":{"content-available":1}}"#,
            fields: [("apns-push-type", "background"), ("apns-priority", "5")])
        #expect(!(try await admin.get("/api/v1/notifications/9").text.contains("bg.rate")))
        #expect(try await admin.get("/api/v1/notifications/8").text.contains("bg.rate"))
    }
}

extension AdminFixture {
    fileprivate func registerVoIP() throws -> DeviceToken {
        try gateway.simulator.register(
            device: "phone", topic: "com.example.app.voip", environment: .sandbox, kind: .voip, at: gateway.now()
        ).token
    }

    fileprivate func pushVoIP(_ token: DeviceToken) -> UInt16 {
        push(
            token, #"{"aps":{}}"#, topic: "com.example.app.voip",
            fields: [("apns-push-type", "voip"), ("apns-expiration", "0")])
    }
}

extension String {
    fileprivate var unescaped: String { replacing(#"\""#, with: "\"") }
}

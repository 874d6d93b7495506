import DeviceSimulator
import Gateway
import Testing

/// The event log of a device over HTTP.
@Suite(.admin, .timeLimit(.minutes(5))) struct EventTests {
    static let path = "/api/v1/devices/phone/events"
    static let loud = #"{"aps":{"alert":"Hi","sound":"default"}}"#

    @Test func eventsArePagedAndSelected() async throws {
        let token = try admin.register()
        #expect(admin.push(token, Self.loud) == 200)
        #expect(admin.push(token, Self.loud) == 200)
        let all = admin.gateway.simulator.events(EventQuery(device: "phone")).items
        let first = try await admin.get(Self.path + "?limit=1&since=1").text
        #expect(first.hasPrefix(#"{"events":[{"at":"2026-11-21T07:00:00.000Z","event":"received","number":2,"#))
        #expect(first.hasSuffix(#""next":"2","hasMore":true,"hasGap":false}"#))
        let rest = try await admin.get(Self.path + "?since=2").text
        #expect(rest.hasSuffix(#""next":"\#(all.count)","hasMore":false,"hasGap":false}"#))
        let sounds = try await admin.get(Self.path + "?kind=sound,haptic&notification=2").text
        #expect(sounds.split(separator: #""event":"#).count == 3)
        #expect(sounds.contains(#""event":"sound""#) && sounds.contains(#""event":"haptic""#))
    }

    static let refusals = [
        ("phone/events?kind=noise", 400, "accepted are received, stored"), ("none/events", 404, "no device 'none'"),
        ("phone/events?kind=sound,,haptic", 400, "'kind' is ''"), ("phone/events?count=2", 400, "'count' needs 'wait'"),
        ("phone/events?notification=x", 400, "'notification' is 'x'"),
    ]

    @Test(arguments: refusals)
    func errorsNameTheMistake(_ row: (path: String, status: Int, words: String)) async throws {
        try admin.register()
        let answer = try await admin.get("/api/v1/devices/" + row.path)
        #expect(answer.status == row.status && answer.text.contains(row.words), "\(answer.text)")
    }

    @Test func aWaitEndsWithTheLastEventOfTheCount() async throws {
        let token = try admin.register()
        async let waited = admin.get(Self.path + "?kind=sound&wait=1m&count=2")
        await admin.waitForWaits(1)
        #expect(admin.push(token, Self.loud) == 200)
        #expect(admin.push(token, Self.loud) == 200)
        let answer = try await waited
        #expect(answer.text.contains(#""outcome":"complete""#))
        #expect(answer.text.split(separator: #""event":"sound""#).count == 3)
    }

    @Test func deliveringAStoredPushEndsAWaitForDelivery() async throws {
        let token = try admin.register()
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isOnline":false}"#)
        #expect(admin.push(token) == 200)
        let stored = try await admin.get("/api/v1/notifications?state=stored").text
        #expect(stored.contains(#""id":1"#))
        async let byState = admin.get("/api/v1/notifications?state=delivered&topic=com.example.app&wait=1m")
        async let byTiming = admin.get("/api/v1/notifications?timing=now&wait=1m")
        await admin.waitForWaits(2)
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isOnline":true}"#)
        for answer in try await [byState, byTiming] {
            #expect(answer.text.contains(#""id":1"#) && answer.text.contains(#""outcome":"complete""#))
        }
    }

    @Test func aNotificationSeenInAStateCountsEvenIfItHasChangedSince() async throws {
        let token = try admin.register()
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isOnline":false}"#)
        #expect(admin.push(token) == 200)
        async let waited = admin.get("/api/v1/notifications?state=stored&wait=1m&count=2")
        await admin.waitForWaits(1)
        // A newer push of the app replaces the stored one.
        #expect(admin.push(token) == 200)
        let answer = try await waited.text
        #expect(answer.contains(#""id":1"#) && answer.contains(#""id":2"#))
    }
}

import APNs
import DeviceSimulator
import Gateway
import Testing

/// Lists of notifications and single ones.
@Suite(.admin) struct NotificationTests {
    static let fields: [(name: String, value: String)] = [
        ("apns-push-type", "alert"), ("apns-id", "123e4567-e89b-12d3-a456-4266554400a0"), ("apns-collapse-id", "c"),
        ("apns-expiration", "0"),
    ]

    @Test func aNotificationHasItsRequestAndItsContent() async throws {
        let token = try admin.register()
        let payload =
            #"{ "aps":{"alert":{"title":"T","subtitle":"S","body":"It works."},"badge":3,"sound":"ping.aiff"},"n":1.10,"a":"ü"}"#
        #expect(admin.push(token, payload, fields: Self.fields) == 200)
        let unique = try #require(admin.gateway.simulator.notification(1)).push.uniqueID.text(.lower)
        let summary =
            #"{"id":1,"identifier":"c","device":"phone","topic":"com.example.app","origin":"push","token":"\#(token.hex)","environment":"sandbox","#
            + #""state":"delivered","outcome":"alerted","timing":"now","level":"active","places":["lockScreen","notificationCenter"],"#
            + #""receivedAt":"2026-11-21T07:00:00.000Z","settledAt":"2026-11-21T07:00:00.000Z","#
            + #""shownAt":"2026-11-21T07:00:00.000Z","#
            + #""apnsId":"123e4567-e89b-12d3-a456-4266554400a0","apnsUniqueId":"\#(unique)","pushType":"alert","#
            + #""priority":10,"expiration":0,"collapseId":"c","isCommunication":false,"title":"T","subtitle":"S","body":"It works.","badge":3,"sound":"ping.aiff","#
            + #""findingCount":0"#
        let page = try await admin.get("/api/v1/notifications")
        #expect(
            page.text
                == #"{"notifications":["# + summary + #"}],"next":"1","hasMore":false,"dropped":0,"hasGap":false}"#)
        let detail = try await admin.get("/api/v1/notifications/1").text
        #expect(detail.hasPrefix(summary + #","request":{"headers":[{"name":":method","value":"POST"},"#))
        // Numbers and member order are as in the payload.
        #expect(detail.contains(#""payload":\#(payload),"payloadText":"{ \"aps\":"#))
        #expect(detail.contains(#""payloadByteCount":\#(payload.utf8.count),"connection":1},"content":{"#))
        let timeline = detail.split(separator: #""timeline":"#).last ?? ""
        #expect(timeline.hasPrefix(#"[{"at":"2026-11-21T07:00:00.000Z","event":"accepted"},"#))
        let words = timeline.split(separator: #""event":""#).dropFirst().map { $0.prefix { $0 != "\"" } }
        #expect(
            words == [
                "accepted", "received", "contentDelivered", "badge", "lockScreen", "notificationCenter",
                "screenLit", "sound", "haptic",
            ])
        #expect(try await admin.get("/api/v1/notifications/1/payload").body == Array(payload.utf8))
    }

    @Test func aBinaryPayloadIsReturnedAsBase64() async throws {
        let token = try admin.register()
        #expect(admin.push(token.hex, [0xFF, 0x00], topic: "com.example.app", fields: []) == 200)
        let detail = try await admin.get("/api/v1/notifications/1").text
        #expect(detail.contains(#""state":"discarded","discardReason":"invalidJson""#))
        #expect(detail.contains(#""payloadBase64":"/wA=","payloadByteCount":2"#))
        #expect(!detail.contains("payloadText") && !detail.contains(#""payload":"#))
        #expect(detail.contains(#""id":"payload.json","severity":"error""#))
        #expect(detail.contains(#""id":"push-type.missing""#))
        #expect(try await admin.get("/api/v1/notifications/1/payload").body == [0xFF, 0x00])
    }

    static let filters = [
        ("", [1, 2, 3]), ("device=phone", [1, 3]), ("topic=com.example.pad", [2]), ("state=discarded", [3]),
        ("text=HELLO", [1]), ("text=a%2Bb+c", [2]), ("pushType=background", [2]), ("since=1", [2, 3]),
        ("cursor=2", [3]), ("limit=2", [1, 2]), ("device=nobody", []), ("since=99", []),
    ]

    @Test func filtersSelectNotifications() async throws {
        let phone = try admin.register("phone")
        let pad = try admin.register("pad", topic: "com.example.pad")
        #expect(admin.push(phone, #"{"aps":{"alert":"Hello"}}"#) == 200)
        let background = [(name: "apns-push-type", value: "background")]
        let payload = #"{"aps":{"content-available":1},"x":"a+b c"}"#
        #expect(admin.push(pad, payload, topic: "com.example.pad", fields: background) == 200)
        #expect(admin.push(phone, "[]") == 200)
        for (query, expected) in Self.filters {
            let text = try await admin.get("/api/v1/notifications?\(query)").text
            let found = (1...3).filter { text.contains(#"{"id":\#($0),"#) }
            #expect(found == expected, "\(query)")
        }
        let first = try await admin.get("/api/v1/notifications?limit=2").text
        #expect(first.contains(#""next":"2","hasMore":true"#))
    }

    @Test func clearingDeletesAndCountsMatchingNotificationsOnly() async throws {
        let phone = try admin.register("phone")
        let pad = try admin.register("pad")
        for token in [phone, phone, pad] { #expect(admin.push(token) == 200) }
        let cleared = try await admin.send("DELETE", "/api/v1/notifications?device=phone")
        #expect(cleared.text == #"{"removed":2}"#)
        #expect(try await admin.send("DELETE", "/api/v1/notifications?device=phone").text == #"{"removed":0}"#)
        #expect(try await admin.send("DELETE", "/api/v1/notifications").text == #"{"removed":1}"#)
    }

    @Test func evictedNotificationsAreCounted() async throws {
        try await withAdmin(limits: InboxLimits(perDevice: 1)) { admin in
            let token = try admin.register()
            for _ in 0..<3 { #expect(admin.push(token) == 200) }
            let text = try await admin.get("/api/v1/notifications").text
            #expect(text.hasSuffix(#""next":"3","hasMore":false,"dropped":2,"hasGap":true}"#))
            let device = try await admin.get("/api/v1/devices/phone").text
            #expect(device.contains(#""notificationCount":1,"storedCount":0,"droppedCount":2"#))
            #expect(try await admin.get("/metrics").text.contains("pushcote_notifications_dropped_total 2"))
        }
    }
}

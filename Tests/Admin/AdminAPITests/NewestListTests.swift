import APNs
import NIOCore
import Testing

/// Lists in descending order, the newest entry, and waits for requests.
@Suite(.admin, .timeLimit(.minutes(5))) struct NewestListTests {
    private static func push(_ count: Int, _ admin: AdminFixture, to token: DeviceToken) {
        for _ in 0..<count { #expect(admin.push(token) == 200) }
    }

    @Test func aPageOfNotificationsHasItsTotalAndBothCursors() async throws {
        let token = try admin.register()
        Self.push(3, admin, to: token)
        let first = try await admin.get("/api/v1/notifications?order=newest&limit=2").text
        #expect(first.hasPrefix(#"{"notifications":[{"id":3,"#))
        #expect(
            first.hasSuffix(
                #""next":"2","hasMore":true,"dropped":0,"hasGap":false,"total":3,"isTotalExact":true,"since":"3"}"#)
        )
        let rest = try await admin.get("/api/v1/notifications?order=newest&before=2&limit=2").text
        #expect(rest.hasPrefix(#"{"notifications":[{"id":1,"#))
        #expect(rest.contains(#""next":"0","hasMore":false,"#) && rest.contains(#""total":3,"#))
        let none = try await admin.get("/api/v1/notifications?order=newest&device=nobody").text
        #expect(
            none
                == #"{"notifications":[],"next":"0","hasMore":false,"dropped":0,"hasGap":false,"total":0,"isTotalExact":true,"since":"3"}"#
        )
    }

    @Test func ascendingPagesAreUnchanged() async throws {
        let token = try admin.register()
        Self.push(2, admin, to: token)
        for path in ["/api/v1/notifications", "/api/v1/requests"] {
            let plain = try await admin.get(path).text
            #expect(try await admin.get(path + "?order=oldest").text == plain)
            #expect(!plain.contains(#""total""#) && !plain.contains(#""since""#))
        }
    }

    @Test func aPageOfRequestsHasItsTotalAndBothCursors() async throws {
        let token = try admin.register()
        Self.push(2, admin, to: token)
        #expect(admin.push("00ff", [0x7B, 0x7D], topic: "", fields: []) != 200)
        let page = try await admin.get("/api/v1/requests?order=newest&limit=2").text
        #expect(page.hasPrefix(#"{"requests":[{"number":3,"#) && page.contains(#"{"number":2,"#))
        #expect(
            page.hasSuffix(
                #""next":"2","hasMore":true,"dropped":0,"isTruncated":false,"total":3,"isTotalExact":true,"since":"3"}"#
            ))
        let accepted = try await admin.get("/api/v1/requests?order=newest&status=200&before=2").text
        #expect(accepted.hasPrefix(#"{"requests":[{"number":1,"#) && accepted.contains(#""total":2,"#))
        #expect(accepted.contains(#""scanned":1,"#) && !page.contains("scanned"))
        let found = try await admin.get("/api/v1/notifications?where=payload.aps.badge%3E7").text
        #expect(found.hasPrefix(#"{"notifications":[],"#) && found.contains(#""scanned":2"#))
    }

    static let refused = [
        ("order=latest", "'order' is 'latest'; accepted are oldest, newest"),
        ("before=3", "'before' needs order=newest"),
        ("order=oldest&before=3", "'before' needs order=newest"), ("order=newest&before=x", "'before' is 'x'"),
        ("order=newest&before=-1", "'before' is '-1'"), ("order=newest&since=3", "'since' and order=newest"),
        ("order=newest&wait=5s", "'wait' and order=newest"), ("order=newest&count=5", "'count' and order=newest"),
        ("order=newest&limit=0", "'limit' is '0'"), ("order=newest&limit=1001", "from 1 to 1000"),
        ("order=newest&order=newest", "Duplicate query parameter 'order'"),
    ]

    @Test(arguments: refused)
    func conflictingParametersAreRejected(_ row: (query: String, words: String)) async throws {
        for path in ["/api/v1/notifications?", "/api/v1/requests?"] {
            let answer = try await admin.get(path + row.query)
            #expect(answer.status == 400 && answer.text.contains(row.words), "\(path): \(answer.text)")
        }
        let cursor = try await admin.get("/api/v1/notifications?order=newest&cursor=3")
        #expect(cursor.status == 400 && cursor.text.contains("'cursor' and order=newest exclude each other"))
    }

    @Test func theNewestNotificationHasAnAddress() async throws {
        let none = try await admin.get("/api/v1/notifications/latest")
        #expect(none.status == 404 && none.text.contains("No notification matches: none has arrived yet"))
        let phone = try admin.register("phone")
        let pad = try admin.register("pad")
        Self.push(2, admin, to: phone)
        Self.push(1, admin, to: pad)
        let second = try await admin.get("/api/v1/notifications/2").text
        #expect(try await admin.get("/api/v1/notifications/latest?device=phone&state=delivered").text == second)
        #expect(try await admin.get("/api/v1/notifications/latest").text.hasPrefix(#"{"id":3,"#))
        #expect(try await admin.get("/api/v1/notifications/latest?text=nowhere").status == 404)
        #expect(try await admin.get("/api/v1/notifications/latest?state=lost").status == 400)
        #expect(try await admin.get("/api/v1/notifications/latest?order=newest").status == 400)
        // Only numbers have further addresses.
        #expect(try await admin.get("/api/v1/notifications/latest/payload").status == 400)
    }

    @Test func theNewestRequestHasAnAddress() async throws {
        let none = try await admin.get("/api/v1/requests/latest")
        #expect(none.status == 404 && none.text.contains("No request matches: none has arrived yet"))
        let token = try admin.register()
        Self.push(1, admin, to: token)
        #expect(admin.push("00ff", [0x7B, 0x7D], topic: "", fields: []) == 400)
        #expect(try await admin.get("/api/v1/requests/latest").text.hasPrefix(#"{"number":2,"#))
        let first = try await admin.get("/api/v1/requests/1").text
        #expect(try await admin.get("/api/v1/requests/latest?status=200").text == first)
        #expect(try await admin.get("/api/v1/requests/latest?status=413").status == 404)
    }

    @Test func requestsHaveTheirDeviceAndSource() async throws {
        let token = try admin.register("phone")
        Self.push(1, admin, to: token)
        #expect(admin.push(token.hex, [0x7B, 0x7D], topic: "", fields: []) == 400)
        #expect(admin.push("00ff", [0x7B, 0x7D], topic: "", fields: []) == 400)
        let sent = try await admin.send("POST", "/api/v1/devices/pad/push?topic=com.example.app", #"{"aps":{}}"#)
        #expect(sent.status == 201)
        func numbers(_ query: String) async throws -> [Int] {
            let text = try await admin.get("/api/v1/requests?" + query).text
            return (1...4).filter { text.contains(#"{"number":\#($0),"#) }
        }
        #expect(try await numbers("source=provider") == [1, 2, 3])
        #expect(try await numbers("source=hand") == [4])
        #expect(try await numbers("device=phone") == [1, 2])
        #expect(try await numbers("device=pad&source=hand") == [4])
        #expect(try await numbers("device=pad&source=provider") == [])
        let page = try await admin.get("/api/v1/requests").text
        #expect(page.contains(#""source":"hand","authentication":"admin","status":200"#))
        #expect(page.split(separator: #""device":"phone""#).count == 3)
        let wrong = try await admin.get("/api/v1/requests?source=page")
        #expect(wrong.status == 400 && wrong.text.contains("'source' is 'page'; accepted are provider, hand"))
    }

    @Test func aWaitForARejectionEndsWithIt() async throws {
        let token = try admin.register()
        Self.push(1, admin, to: token)
        async let waited = admin.get("/api/v1/requests?reason=BadPriority&wait=60s&count=2")
        await admin.waitForWaits(1)
        Self.push(1, admin, to: token)
        for _ in 0..<2 { #expect(admin.push(token, fields: [("apns-priority", "7")]) == 400) }
        let text = try await waited.text
        #expect(text.hasPrefix(#"{"requests":[{"number":3,"#) && text.contains(#"{"number":4,"#))
        // The number of compared requests depends on timing.
        #expect(text.contains(#""hasMore":false,"dropped":0,"isTruncated":false,"scanned":"#))
        #expect(text.hasSuffix(#","outcome":"complete"}"#))
        let late = try await admin.get("/api/v1/requests?status=413&wait=10ms").text
        #expect(late.hasPrefix(#"{"requests":[],"#) && late.hasSuffix(#""outcome":"timeout"}"#))
        let wrong = try await admin.get("/api/v1/requests?count=2")
        #expect(wrong.status == 400 && wrong.text.contains("'count' needs 'wait'"))
    }

    @Test func devicesAreFoundByNamePrefix() async throws {
        for name in ["ann", "anna", "bob", "Ann", "än"] { try admin.register(name) }
        func names(_ query: String) async throws -> [String] {
            let text = try await admin.get("/api/v1/devices?" + query).text
            return text.split(separator: #"{"name":""#).dropFirst().map { String($0.prefix { $0 != "\"" }) }
        }
        #expect(try await names("prefix=an") == ["ann", "anna"])
        #expect(try await names("prefix=anna") == ["anna"])
        #expect(try await names("prefix=annas") == [])
        #expect(try await names("prefix=%C3%A4") == ["än"])
        #expect(try await names("limit=2&cursor=ann") == ["anna", "bob"])
        let first = try await admin.get("/api/v1/devices?prefix=an&limit=1").text
        #expect(first.hasSuffix(#""next":"ann","total":2}"#))
        let second = try await admin.get("/api/v1/devices?prefix=an&limit=1&cursor=ann").text
        #expect(second.contains(#""name":"anna""#) && second.hasSuffix(#","total":2}"#) && !second.contains(#""next""#))
        #expect(try await admin.get("/api/v1/devices?prefix=zoe").text == #"{"devices":[],"total":0}"#)
    }
}

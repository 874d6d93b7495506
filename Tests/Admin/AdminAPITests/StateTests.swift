import APNs
import Gateway
import RequestWire
import TLSEngine
import Testing
import Time

/// Keys, requests, state, health, metrics.
@Suite(.admin) struct StateTests {
    @Test func aKeyIsGeneratedRegisteredReplacedAndDeleted() async throws {
        let minted = try await admin.send("POST", "/api/v1/keys", "")
        #expect(minted.status == 201)
        let rest = #""teamId":"PUSHCOTEAM","environments":["sandbox","production"],"privateKey":"---"#
        #expect(minted.text.contains(rest))
        let list = try await admin.get("/api/v1/keys").text
        #expect(list.contains("PUSHCOTEAM") && !list.contains("privateKey"))

        let pem = P256PrivateKey().publicKey.pem.split(separator: "\n").joined(separator: #"\n"#)
        let body =
            #"{"keyId":"ABCDEFGHIJ","teamId":"TEAMTEAM01","publicKey":"\#(pem)\n","environments":["production"],"#
            + #""topics":["b.c","a.b"],"relatedKeyId":"0123456789"}"#
        let shape =
            #"{"keyId":"ABCDEFGHIJ","teamId":"TEAMTEAM01","environments":["production"],"topics":["a.b","b.c"],"#
            + #""relatedKeyId":"0123456789"}"#
        let registered = try await admin.send("POST", "/api/v1/keys", body)
        #expect(registered.status == 201 && registered.text == shape)
        #expect(try await admin.send("POST", "/api/v1/keys", body).status == 200)
        #expect(try await admin.get("/api/v1/keys/ABCDEFGHIJ").text == shape)
        #expect(try await admin.send("DELETE", "/api/v1/keys/ABCDEFGHIJ").text == #"{"removed":1}"#)
        #expect(try await admin.send("DELETE", "/api/v1/keys/ABCDEFGHIJ").text == #"{"removed":0}"#)
    }

    @Test func rejectedRequestsShowTheirReasonAndDiagnosis() async throws {
        let token = try admin.register()
        #expect(admin.push(token) == 200)
        #expect(admin.push(token, fields: [("apns-priority", "7")]) == 400)
        #expect(admin.push("zz", [0x7B, 0x7D], topic: "com.example.app", fields: []) == 400)
        let refused = try await admin.get("/api/v1/requests?reason=BadPriority").text
        #expect(
            refused.hasPrefix(
                #"{"requests":[{"number":2,"receivedAt":"2026-11-21T07:00:00.000Z","connection":2,"#
                    + #""environment":"sandbox","source":"provider","authentication":"off","status":400,"reason":"BadPriority","#
            ))
        #expect(refused.contains(#""token":"\#(token.hex)","topic":"com.example.app","#))
        #expect(refused.contains(#""diagnosis":{"id":"apns-priority"#))
        let rows = [
            ("status=200", [1]), ("status=400", [2, 3]), ("device=phone", [1, 2]), ("since=2", [3]),
            ("limit=1", [1]),
        ]
        for (query, expected) in rows {
            let text = try await admin.get("/api/v1/requests?\(query)").text
            #expect((1...3).filter { text.contains(#"{"number":\#($0),"#) } == expected, "\(query)")
        }
        let detail = try await admin.get("/api/v1/requests/1").text
        #expect(detail.contains(#""notification":1,"findings":[{"id":"token.off""#))
        #expect(detail.hasSuffix(#""payloadText":"{\"aps\":{\"alert\":\"Hi\"}}","payloadByteCount":22}"#))
        #expect(try await admin.send("DELETE", "/api/v1/requests").text == #"{"removed":3}"#)
        let empty = #"{"requests":[],"next":"3","hasMore":false,"dropped":0,"isTruncated":false}"#
        #expect(try await admin.get("/api/v1/requests").text == empty)
    }

    @Test func aLoadedStateDoesNotExplainEarlierRequests() async throws {
        let state = try await withAdmin { other in
            let token = try other.register("tablet", topic: "com.example.other")
            #expect(other.push(token, topic: "com.example.other") == 200)
            return try await other.get("/api/v1/state").text
        }
        #expect(admin.push(try admin.register()) == 200)
        #expect(try await admin.send("PUT", "/api/v1/state", state).status == 200)
        let answer = try await admin.get("/api/v1/requests/1").text
        #expect(answer.contains("com.example.app → phone, cleared"), "\(answer)")
    }

    @Test func connectionsShowWhatIsKnownOfThem() async throws {
        let token = try admin.register()
        #expect(admin.push(token) == 200)
        let text = try await admin.get("/api/v1/connections/1").text
        #expect(
            text
                == #"{"number":1,"remoteAddress":"127.0.0.1:50000","localAddress":"127.0.0.1:2197","traffic":"provider","#
                + #""httpVersion":"HTTP/2","tls":{"version":"TLSv1.3","cipher":"TLS_AES_128_GCM_SHA256","#
                + #""offeredAlpn":["h2"],"selectedAlpn":"h2","serverName":"localhost","isResumed":false},"#
                + #""openedAt":"2026-11-21T07:00:00.000Z","#
                + #""accepted":1,"refused":0,"pings":0,"refusedStreams":0,"streamsAfterGoAway":0,"streamLimit":1000,"settings":{},"tokens":[],"faults":[],"goAways":[],"findings":[]}"#
        )
        #expect(try await admin.get("/api/v1/connections").text == #"{"connections":["# + text + "]}")
    }

    @Test func connectionsAreListedByPage() async throws {
        let token = try admin.register()
        for _ in 1...3 { #expect(admin.push(token) == 200) }
        let rows = [
            ("", [1, 2, 3], "]}"), ("?limit=3", [1, 2, 3], "]}"), ("?limit=2", [1, 2], #"],"next":"2"}"#),
            ("?since=2", [3], "]}"), ("?since=1&limit=1", [2], #"],"next":"2"}"#), ("?since=3", [], "[]}"),
        ]
        for (query, numbers, end) in rows {
            let text = try await admin.get("/api/v1/connections\(query)").text
            #expect((1...3).filter { text.contains(#"{"number":\#($0),"#) } == numbers, "\(query)")
            #expect(text.hasSuffix(end), "\(query)")
        }
    }

    @Test func aStateIsRestoredAndLoadingItTwiceChangesNothing() async throws {
        let token = try admin.register()
        #expect(admin.push(token) == 200)
        let saved = try await admin.get("/api/v1/state").text
        #expect(try await admin.send("POST", "/api/v1/reset").text == #"{"status":"reset"}"#)
        #expect(try await admin.get("/api/v1/devices").text == #"{"devices":[],"total":0}"#)
        for _ in 0..<2 {
            let loaded = try await admin.send("PUT", "/api/v1/state", saved)
            #expect(loaded.text == #"{"status":"loaded","devices":1,"apps":0,"notifications":1}"#)
            #expect(try await admin.get("/api/v1/state").text == saved)
        }
    }

    @Test func aRestoredNotificationIsNotLinkedToALaterConnection() async throws {
        let saved = try await withAdmin { admin in
            #expect(admin.push(try admin.register()) == 200)
            return (try await admin.get("/api/v1/state").text, try await admin.get("/api/v1/notifications/1").text)
        }
        try await admin.gateway.stopClock(at: testTime.advanced(by: .seconds(60)))
        var clearText = ConnectionFacts(openedAt: admin.gateway.now())
        (clearText.traffic, clearText.httpVersion) = (.clearText, .http1)
        let connection = admin.gateway.connect(clearText, certificate: nil)
        #expect(try await admin.send("PUT", "/api/v1/state", saved.0).status == 200)
        #expect(try await admin.get("/api/v1/notifications/1").text == saved.1)
        withExtendedLifetime(connection) {}
    }

    @Test func readinessAndLivenessDiffer() async throws {
        try await withAdmin(isReady: false) { admin in
            #expect(try await admin.get("/livez").text == #"{"status":"ok"}"#)
            let answer = try await admin.get("/readyz")
            #expect(answer.status == 503 && answer.text == #"{"status":"starting"}"#)
        }
        let ready = try await admin.get("/api/v1/readyz")
        #expect(ready.text == #"{"status":"ready"}"#)
        let head = try await admin.send("HEAD", "/readyz")
        #expect(head.status == 200 && head.body.isEmpty)
    }

    @Test func documentsAreServedUnchanged() async throws {
        #expect(try await admin.get("/ca.pem").text == "CA")
        #expect(try await admin.get("/api/v1/bundle.pem").text == "BUNDLE")
        let store = try await admin.get("/ca.p12")
        #expect(store.body == [0, 1, 2] && store.headers["content-type"] == "application/x-pkcs12")
    }

    @Test func metricsCountRequestsByReason() async throws {
        let token = try admin.register()
        for priority in ["10", "7", "8"] { _ = admin.push(token, fields: [("apns-priority", priority)]) }
        let answer = try await admin.get("/metrics")
        #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
            "# TYPE pushcote_requests_total counter",
            #"pushcote_info{version="1.2.3",profile="faithful"} 1"#,
            #"pushcote_requests_total{status="200",reason=""} 1"#,
            #"pushcote_requests_total{status="400",reason="BadPriority"} 2"#,
            #"pushcote_notifications_received_total{state="delivered"} 1"#,
            "pushcote_notifications 1", "pushcote_notifications_dropped_total 0", "pushcote_devices 1",
            "pushcote_open_connections 3", "pushcote_refused_streams_total 0",
            #"pushcote_limits_reached_total{limit="PingFlood"} 3"#,
            "process_start_time_seconds 1795244400.0",
        ] { #expect(answer.text.split(separator: "\n").contains { $0 == line }, "\(line)") }
    }
}

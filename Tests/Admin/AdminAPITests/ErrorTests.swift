import NIOCore
import TestSupport
import Testing

@testable import AdminAPI

/// Every error has the same shape and names the remedy.
@Suite(.admin) struct ErrorTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var request: String
        var body: String
        var status: Int
        /// Texts that the sentence must contain.
        var words: String

        init(_ request: String, _ status: Int, says words: String) { self.init(request, "", status, says: words) }

        init(_ request: String, _ body: String, _ status: Int, says words: String) {
            self.request = request
            self.body = body
            self.status = status
            self.words = words
        }

        var testDescription: String { "\(request) \(body.prefix(60))" }
    }

    static let rows = [
        Row("GET /api/v1/device", 404, says: "/api/v1/devices"),
        Row("GET /devices", 404, says: "/api/v1/devices"),
        Row("GET /api/v1/notification/7", 404, says: "/api/v1/notifications/{id}"),
        Row("POST /api/v1/devices", 405, says: "GET, HEAD"),
        Row("DELETE /livez", 405, says: "GET, HEAD"),
        Row("GET /api/v1/notifications?devices=a", 400, says: "Accepted are device, topic"),
        Row("GET /api/v1/info?a=1", 400, says: "None is accepted"),
        Row("GET /api/v1/notifications?device=%zz", 400, says: "percent-encoded"),
        Row("GET /api/v1/notifications?device=a&device=b", 400, says: "Duplicate"),
        Row("GET /api/v1/notifications?limit=0", 400, says: "'limit' is '0'; it must be a whole number from 1 to 1000"),
        Row("GET /api/v1/notifications?limit=1001", 400, says: "from 1 to 1000"),
        Row("GET /api/v1/notifications?since=-1", 400, says: "'since'"),
        Row("GET /api/v1/notifications?since=1&cursor=1", 400, says: "use one"),
        Row("GET /api/v1/notifications?state=lost", 400, says: "accepted, stored, delivered or discarded"),
        Row("GET /api/v1/notifications?pushType=Alert", 400, says: "background"),
        Row("GET /api/v1/notifications?apnsId=1", 400, says: "36 characters"),
        Row("GET /api/v1/notifications?count=3", 400, says: "'count' needs 'wait'"),
        Row("GET /api/v1/notifications?wait=5", 400, says: "such as 5s"),
        Row("GET /api/v1/notifications?wait=PT", 400, says: "such as 5s"),
        Row("GET /api/v1/notifications?wait=601s", 400, says: "at most 600s"),
        Row("GET /api/v1/notifications?wait=1s&count=0", 400, says: "'count' is '0'"),
        Row("GET /api/v1/notifications/x", 400, says: "'id' in the path is 'x'"),
        Row("GET /api/v1/notifications/7", 404, says: "no notification 7"),
        Row("GET /api/v1/requests/7", 404, says: "no request 7"),
        Row("GET /api/v1/requests?status=99", 400, says: "from 200 to 599"),
        Row("GET /api/v1/requests?status=foo", 400, says: "from 200 to 599, or none."),
        Row("GET /api/v1/connections?limit=0", 400, says: "'limit' is '0'"),
        Row("GET /api/v1/requests?reason=Bad", 400, says: "BadDeviceToken"),
        Row("GET /api/v1/connections/7", 404, says: "connection 7"),
        Row("GET /api/v1/devices/none", 404, says: "PUT /api/v1/devices/{name}"),
        Row("PATCH /api/v1/devices/none", 404, says: "no device 'none'"),
        Row("POST /api/v1/devices/none/actions", #"{"action":"lock"}"#, 404, says: "no device 'none'"),
        Row("GET /api/v1/devices/none/day", 404, says: "no device 'none'"),
        Row("PUT /api/v1/devices/a%2Fb", 400, says: "without '/'"),
        Row("PUT /api/v1/devices/a", #"{"name":"b"}"#, 400, says: "names do not change"),
        Row("PUT /api/v1/devices/a", #"{"topics":[]}"#, 400, says: "'topics' is unknown; known are locale"),
        Row(
            "PUT /api/v1/devices/a", #"{"registrations":[{}]}"#, 400,
            says: "'registrations[0].topic' is missing; accepted"),
        Row("PUT /api/v1/devices/a", #"{"registrations":[{"x":1}]}"#, 400, says: "'registrations[0].x' is unknown"),
        Row(
            "PUT /api/v1/devices/a", #"{"registrations":{}}"#, 400,
            says: "'registrations' is an object; accepted: a list"),
        Row("PUT /api/v1/devices/a", "{\n \"registrations\": [,]}", 400, says: "line 2, column 20"),
        Row("PUT /api/v1/devices/a", "[]", 400, says: "must be a JSON object"),
        Row("POST /api/v1/devices/a/registrations", #"{"topic":"a b"}"#, 400, says: "'topic' is 'a b'"),
        Row(
            "POST /api/v1/devices/a/registrations", #"{"topic":1}"#, 400,
            says: "'topic' is 1; accepted: a bundle identifier"),
        Row(
            "POST /api/v1/devices/a/registrations", #"{"topic":"a","environment":"x"}"#, 400,
            says: "'environment' is 'x'; accepted: sandbox or production"),
        Row(
            "POST /api/v1/devices/a/registrations", #"{"topic":"a","kind":"voip"}"#, 400,
            says: "the topic a.voip, not a"),
        Row("POST /api/v1/devices/a/registrations", #"{"topic":"a","token":"abc"}"#, 400, says: "hexadecimal"),
        Row("DELETE /api/v1/devices/a/registrations/ab", 404, says: "no device 'a'"),
        Row("POST /api/v1/devices/a/push", #"{"aps":{}}"#, 400, says: "Simulator Target Bundle"),
        Row("POST /api/v1/devices/a/push?topic=a", #"{"aps":}"#, 400, says: "line 1, column 8"),
        Row("POST /api/v1/devices/a/push?topic=a", "[]", 400, says: "must be a JSON object"),
        Row("POST /api/v1/devices/a/push?topic=a", #"{"Simulator Target Bundle":1}"#, 400, says: "must be a string"),
        Row("POST /api/v1/devices/a/push?topic=a&pushType=x", #"{"aps":{}}"#, 400, says: "InvalidPushType"),
        Row("POST /api/v1/devices/a/push?topic=a&pushType=voip", #"{"aps":{}}"#, 400, says: "a.voip"),
        Row(
            "POST /api/v1/devices/a/push?topic=a", #"{"a":"\#(String(repeating: "a", count: 4096))"}"#, 413,
            says: "PayloadTooLarge"),
        Row("GET /api/v1/apps/none", 404, says: "PUT /api/v1/apps/{bundleId}"),
        Row("PUT /api/v1/apps/a", #"{"entitlements":[1]}"#, 400, says: "'entitlements[0]' is 1; accepted: a text"),
        Row("PUT /api/v1/apps/a", #"{"bundleId":"b"}"#, 400, says: "'bundleId' is 'b', but the path says 'a'."),
        Row(
            "PUT /api/v1/apps/a", #"{"displayname":"A"}"#, 400,
            says: "'displayname' is unknown; did you mean displayName?"),
        Row(
            "PUT /api/v1/apps/a", #"{"settings":{"alert":"of","soun":1}}"#, 400,
            says: "'settings.alert' is 'of'; accepted: enabled, disabled or notSupported. "
                + "'settings.soun' is unknown; did you mean sound?\""),
        Row("PATCH /api/v1/apps/none", #"{"team":"T"}"#, 404, says: "no app 'none'"),
        Row("GET /api/v1/keys/none", 404, says: "no key 'none'"),
        Row(
            "POST /api/v1/keys", #"{"keyId":"a/b"}"#, 400,
            says: "'keyId' is 'a/b'; accepted: 1 to 64 letters and digits"),
        Row("POST /api/v1/keys", #"{"publicKey":"a","privateKey":"b"}"#, 400, says: "use one"),
        Row("POST /api/v1/keys", #"{"publicKey":"eyJ.eyJ.abc"}"#, 400, says: "provider token"),
        Row("POST /api/v1/keys", #"{"environments":[]}"#, 400, says: "'environments' is empty"),
        Row("PUT /api/v1/state", "{", 400, says: "line 1, column 2"),
        Row("PUT /api/v1/state", "{}", 400, says: "'apps' is missing"),
        Row("POST /api/v1/reset", #"{"keep":["keys"]}"#, 400, says: "devices, apps, requests or faults"),
    ]

    @Test func everyErrorNamesTheFieldAndTheRemedy() async throws {
        for row in Self.rows {
            let parts = row.request.split(separator: " ").map(String.init)
            let answer = try await admin.send(parts[0], parts[1], row.body)
            #expect(answer.status == row.status, "\(row.request): \(answer.text)")
            #expect(answer.text.contains(row.words), "\(row.request): \(answer.text)")
            #expect(answer.text.hasSuffix(#","status":\#(row.status)}"#))
            #expect(answer.headers["content-type"] == "application/json")
        }
    }

    @Test(.admin(AdminConfiguration(maximumBodyByteCount: 20)))
    func aBodyAboveTheLimitIsRejectedAndOneAtTheLimitAccepted() async throws {
        let fits = try await admin.send("PUT", "/api/v1/devices/a", #"{"name":        "a"}"#)
        #expect(fits.status == 201)
        let isTooLarge = try await admin.send("PUT", "/api/v1/devices/a", #"{"name":         "a"}"#)
        #expect(isTooLarge.status == 413)
        #expect(isTooLarge.text == #"{"error":"The body is larger than 20 bytes.","status":413}"#)
        // The state has a limit of its own.
        let state = try await admin.send("PUT", "/api/v1/state", try await admin.get("/api/v1/state").text)
        #expect(state.status == 200)
    }

    @Test func aHeaderOverTheLimitEndsTheConnectionOnly() async throws {
        let answer = try? await admin.send("GET", "/livez", headers: [("a", String(repeating: "a", count: 20_000))])
        #expect(answer?.status != 200)
        let next = try await admin.get("/livez")
        #expect(next.status == 200)
    }

    @Test func aMethodThatIsNotAllowedGetsTheAllowedOnes() async throws {
        let answer = try await admin.send("PATCH", "/api/v1/keys/ABCDEFGHIJ")
        #expect(answer.headers["allow"] == "DELETE, GET, HEAD")
        let collection = try await admin.send("POST", "/api/v1/devices", "{}")
        #expect(collection.status == 405)
        #expect(collection.text.contains("DELETE, GET, HEAD; to create one, PUT /api/v1/devices/{name}"))
        // A device may have the name of an endpoint.
        let named = try await admin.send("PATCH", "/api/v1/devices/generate", "{}")
        #expect(named.status == 404 && named.text.contains("generate"), "\(named.text)")
    }

    @Test(arguments: [
        ("/api/devices", "/api/v1/devices,"), ("/v1/devices", "/api/v1/devices,"), ("/devices", "/api/v1/devices,"),
        ("/api/v1/api/v1/info", "/api/v1/info,"), ("/api/v1/notification", "/api/v1/notifications,"),
        ("/api/v1/devices/phone/screens", "/api/v1/devices/{name}/screen,"),
    ])
    func `an unknown path gets the nearest one first`(_ path: String, _ nearest: String) async throws {
        let answer = try await admin.get(path)
        #expect(answer.status == 404 && answer.text.contains("Similar paths: \(nearest)"), "\(answer.text)")
    }

    @Test func `a push and a tunnel to this port are told where they belong`() async throws {
        let push = try await admin.send("POST", "/3/device/abcd", "{}")
        #expect(push.status == 404 && push.text.contains("the provider API, whose addresses GET /api/v1/info lists"))
        try await RawClient.withConnection(to: try #require(admin.address.port)) { client in
            let head = "CONNECT api.push.apple.com:443 HTTP/1.1\r\nhost: api.push.apple.com:443\r\n"
            try await client.send(head + "connection: close\r\n\r\n")
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 400") && answer.contains("listen.proxy"), "\(answer)")
        }
    }

    @Test(arguments: [
        ("PUT", "/api/v1/devices/a", #"{"isOnline":false,"isOnline":true}"#, "isOnline"),
        ("POST", "/api/v1/verify", #"{"where":{"title":"a","title":"b"}}"#, "where.title"),
        ("POST", "/api/v1/faults", #"{"effect":{"delay":"1s"},"match":{"topic":"a","topic":"b"}}"#, "match.topic"),
    ])
    func `a repeated member is refused by its path`(
        _ method: String, _ path: String, _ body: String, _ member: String
    ) async throws {
        let answer = try await admin.send(method, path, body)
        #expect(answer.status == 400 && answer.text.contains("'\(member)' occurs more than once"), "\(answer.text)")
        let preview = #"{"device":"a","topic":"com.example.app","payload":{"aps":{"badge":1,"badge":2}}}"#
        try admin.register("a")
        let accepted = try await admin.send("POST", "/api/v1/preview", preview)
        #expect(accepted.status == 200, "\(accepted.text)")
    }
}

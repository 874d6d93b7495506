import APNs
import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// An empty value never means "everything", in query, path or body.
@Suite(.admin) struct EmptyInputTests {
    @Test func everyRouteRejectsEmptyQueryValues() async throws {
        try admin.register("x")
        var count = 0
        for operation in OpenAPIOperation.all {
            for name in operation.query {
                for query in ["\(name)=", name, "\(name)=&\(name)=1"] {
                    let answer = try await admin.send(operation.method, operation.example + "?" + query)
                    let place = "\(operation.method) \(operation.example)?\(query)"
                    #expect(answer.status == 400, "\(place)")
                    let words = "The query parameter '\(name)' is empty; set a value or omit it."
                    #expect(answer.text == #"{"error":"\#(words)","status":400}"#, "\(place)")
                    count += 1
                }
            }
        }
        #expect(count > 100)
    }

    @Test func anEmptyFilterClearsNothing() async throws {
        #expect(admin.push(try admin.register()) == 200)
        for query in ["device=", "topic=", "device=phone&topic="] {
            let answer = try await admin.send("DELETE", "/api/v1/notifications?\(query)")
            #expect(answer.status == 400)
        }
        #expect(admin.gateway.simulator.counters.notifications == 1)
    }

    @Test("an unset variable in a path is not all of them") func anEmptyPartOfAPathIsNothing() async throws {
        try admin.register("screen")
        #expect(try await admin.send("POST", "/api/v1/faults", #"{"scenario":"G1"}"#).status == 201)
        for request in [
            "DELETE /api/v1/faults/", "DELETE /api/v1/devices//screen", "GET /api/v1/devices//screen",
            "GET /api/v1/devices/", "GET /api/v1/", "GET /livez/",
        ] {
            let parts = request.split(separator: " ").map(String.init)
            let answer = try await admin.send(parts[0], parts[1])
            #expect(answer.status == 404, "\(request)")
            #expect(answer.text.contains("'\(parts[1])': a part of the path is empty"), "\(request): \(answer.text)")
        }
        #expect(admin.gateway.faults.statuses.count == 1)
        #expect(admin.gateway.simulator.counters.devices == 1)
    }

    /// Every operation that reads a JSON object, with the setup it needs.
    static let bodies = [
        "PUT /api/v1/devices/x", "PATCH /api/v1/devices/x", "POST /api/v1/devices/x/registrations",
        "PATCH /api/v1/devices/x/registrations/\(token)", "POST /api/v1/devices/x/actions", "PUT /api/v1/apps/x",
        "PATCH /api/v1/apps/x", "POST /api/v1/keys", "POST /api/v1/provider-tokens", "PUT /api/v1/clock",
        "POST /api/v1/clock/advance",
        "PUT /api/v1/faults", "POST /api/v1/faults", "PUT /api/v1/state", "POST /api/v1/reset",
        "POST /api/v1/recordings", "POST /api/v1/demo",
        "POST /api/v1/devices/x/local-notifications", "POST /api/v1/devices/x/donations",
        "PUT /api/v1/devices/x/location",
        "POST /api/v1/devices/x/push?topic=x", "POST /api/v1/session", "POST /api/v1/preview",
        "POST /api/v1/webhooks", "PUT /api/v1/apps/x/token-webhook", "POST /api/v1/verify", "POST /api/v1/channels",
        "POST /api/v1/devices/x/activities", "POST /api/v1/devices/x/activities/1/update",
        "POST /api/v1/devices/x/activities/1/end", "POST /api/v1/devices/x/activities/1/dismiss",
        "POST /api/v1/devices/x/activities/1/rotate-token", "PATCH /api/v1/devices/x/apps/x/live-activities",
        "POST /api/v1/devices/x/apps/x/live-activities/answer",
        "POST /api/v1/devices/x/apps/x/live-activities/push-to-start", "PATCH /api/v1/devices/x/apps/x/services",
        "POST /api/v1/devices/x/apps/x/replies", "PATCH /api/v1/devices/x/calendar",
        "POST /api/v1/devices/x/calendar/1", "POST /mock/error-tokens", "PUT /mock/error-tokens",
        "POST /api/v1/devices/generate",
    ]

    private static let token = "ab"

    @Test func aBlankBodyIsNotAMissingBody() async throws {
        try Self.prepare(admin)
        for operation in Self.bodies {
            let parts = operation.split(separator: " ").map(String.init)
            for body in ["\0", " ", "\n", " \r\n\t ", "\0\0"] {
                let answer = try await admin.send(parts[0], parts[1], body)
                #expect(answer.status == 400, "\(operation) \(body.utf8.map { $0 }): \(answer.text)")
            }
        }
        #expect(admin.gateway.simulator.counters.devices == 1)
    }

    /// A new operation with a body must be in the table above. `POST /lint` and `POST …/markup` accept any bytes; the others read none.
    @Test func everyOperationThatReadsABodyIsInTheTable() {
        let writing = OpenAPIOperation.all.filter { ["PUT", "POST", "PATCH"].contains($0.method) }
        let described = Set(writing.map { "\($0.method) \($0.example)" }).subtracting([
            "POST /api/v1/lint", "POST /api/v1/clock/reset", "POST /api/v1/devices/x/markup",
            "POST /mock/reset", "PUT /mock/reset", "POST /api/v1/handover",
        ])
        #expect(described == Set(Self.bodies.map { String($0.prefix { $0 != "?" }) }))
    }

    /// `null` as a value, and what the answer must name.
    static let nulls: [(request: String, body: String, names: String)] = [
        ("POST /api/v1/reset", #"{"keep":null}"#, "'keep'"),
        ("POST /api/v1/reset", #"{"keep":[null]}"#, "'keep[0]'"),
        ("POST /api/v1/session", #"{"token":null}"#, "'token'"),
        ("PUT /api/v1/clock", #"{"mode":null}"#, "'mode'"),
        ("PUT /api/v1/clock", #"{"mode":"real","now":null}"#, "'now'"),
        ("POST /api/v1/clock/advance", #"{"by":null}"#, "'by'"),
        ("POST /api/v1/clock/advance", #"{"by":"1s","to":null}"#, "'by'"),
        ("POST /api/v1/keys", #"{"keyId":null}"#, "'keyId'"),
        ("POST /api/v1/keys", #"{"teamId":null}"#, "'teamId'"),
        ("POST /api/v1/keys", #"{"topics":null}"#, "'topics'"),
        ("POST /api/v1/keys", #"{"environments":null}"#, "'environments'"),
        ("POST /api/v1/keys", #"{"publicKey":null}"#, "'publicKey'"),
        ("POST /api/v1/keys", #"{"privateKey":null}"#, "'privateKey'"),
        ("POST /api/v1/keys", #"{"relatedKeyId":null}"#, "'relatedKeyId'"),
        ("PUT /api/v1/devices/x", #"{"name":null}"#, "'name'"),
        ("PUT /api/v1/devices/x", #"{"registrations":null}"#, "'registrations'"),
        ("PUT /api/v1/devices/x", #"{"registrations":[null]}"#, "'registrations[0]'"),
        ("PUT /api/v1/devices/x", #"{"registrations":[{"topic":"a","token":null}]}"#, "'registrations[0].token'"),
        ("PUT /api/v1/devices/x", #"{"apps":null}"#, "'apps'"),
        ("PATCH /api/v1/devices/x", #"{"apps":null}"#, "'apps'"),
        ("PATCH /api/v1/devices/x", #"{"registrations":null}"#, "'registrations'"),
        ("POST /api/v1/devices/x/registrations", #"{"topic":null}"#, "'topic'"),
        ("POST /api/v1/devices/x/registrations", #"{"topic":"a","environment":null}"#, "'environment'"),
        ("POST /api/v1/devices/x/registrations", #"{"topic":"a","kind":null}"#, "'kind'"),
        ("POST /api/v1/devices/x/registrations", #"{"topic":"a","status":null}"#, "'status'"),
        ("PATCH /api/v1/devices/x/registrations/ab", #"{"status":null}"#, "'status'"),
        ("POST /api/v1/devices/x/actions", #"{"action":null}"#, "'action'"),
        ("POST /api/v1/devices/x/actions", #"{"action":"clear","app":null}"#, "'app'"),
        ("POST /api/v1/devices/x/actions", #"{"action":"lock","app":null}"#, "'app'"),
        ("POST /api/v1/devices/x/actions", #"{"action":"tap","notification":null}"#, "'notification'"),
        ("POST /api/v1/faults", #"{"name":null,"effect":{"delay":"1s"}}"#, "'name'"),
        ("POST /api/v1/faults", #"{"name":"a","effect":{"delay":"1s"},"count":null}"#, "'count'"),
        ("POST /api/v1/faults", #"{"name":"a","effect":{"delay":"1s"},"match":{"nth":null}}"#, "'match.nth'"),
        ("PUT /api/v1/faults", #"{"faults":null}"#, "'faults'"),
        ("PUT /api/v1/faults", #"{"faults":[{"scenario":"G1"},null]}"#, "'faults[1]'"),
    ]

    @Test func nullIsRejectedUnlessItRestoresADefault() async throws {
        try Self.prepare(admin)
        let before = try await admin.get("/api/v1/state").text
        for row in Self.nulls {
            let parts = row.request.split(separator: " ").map(String.init)
            let answer = try await admin.send(parts[0], parts[1], row.body)
            #expect(answer.status == 400, "\(row.request) \(row.body): \(answer.text)")
            #expect(answer.text.contains(row.names), "\(row.request) \(row.body): \(answer.text)")
        }
        #expect(try await admin.get("/api/v1/state").text == before)
        #expect(admin.gateway.keys.keys.isEmpty)
        #expect(admin.gateway.faults.statuses.isEmpty)
    }

    @Test func nullRestoresTheDocumentedDefaults() async throws {
        try Self.prepare(admin)
        for (request, body) in [
            ("PATCH /api/v1/devices/x", #"{"focus":null,"locale":null,"haptics":{"ring":null},"apps":{"x":null}}"#),
            ("PATCH /api/v1/apps/x", #"{"team":null,"extension":null,"settings":{"alert":null}}"#),
            ("POST /api/v1/devices/x/actions", #"{"action":"switchFocus","focus":null}"#),
            ("POST /api/v1/devices/x/actions", #"{"action":"open","app":null}"#),
        ] {
            let parts = request.split(separator: " ").map(String.init)
            let answer = try await admin.send(parts[0], parts[1], body)
            #expect(answer.status == 200, "\(request) \(body): \(answer.text)")
        }
    }

    @Test func everyMethodRejectsImpossibleNames() async throws {
        let long = String(repeating: "a", count: 129)
        for operation in OpenAPIOperation.all where operation.path.hasPrefix("/api/v1/devices/{name}") {
            for name in [long, "a%2Fb", "a%00"] {
                let path =
                    operation.example.replacing("/devices/x", with: "/devices/\(name)", maxReplacements: 1)
                    + (operation.query.contains("app") ? "?app=x" : "")
                let answer = try await admin.send(operation.method, path, "{}")
                #expect(answer.status == 400, "\(operation.method) \(path): \(answer.text)")
                #expect(answer.text.contains("A device's name has 1 to 128 bytes"), "\(operation.method) \(path)")
            }
            let fits = operation.example.replacing("/devices/x", with: "/devices/\(long.dropLast())")
            let answer = try await admin.send(operation.method, fits, "{}")
            #expect(!answer.text.contains("A device's name has"), "\(operation.method) \(fits)")
        }
        for path in ["/apps/a%20b", "/apps/\(String(repeating: "a", count: 256))", "/keys/a%20b", "/keys/\(long)"] {
            for method in ["GET", "DELETE"] {
                let answer = try await admin.send(method, "/api/v1" + path)
                #expect(answer.status == 400, "\(method) \(path): \(answer.text)")
            }
        }
    }

    /// A device, an app and a token for the operations.
    private static func prepare(_ admin: AdminFixture) throws {
        _ = try admin.gateway.simulator.register(
            device: "x", topic: "x", environment: .sandbox, kind: .app, token: .init(hex: Array(token.utf8).span.bytes),
            at: admin.gateway.now())
        admin.gateway.simulator.put(.init(bundleID: "x"))
    }
}

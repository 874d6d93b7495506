import APNs
import RequestWire
import Testing
import Time

/// Valid and invalid values of every header.
@Suite struct HeaderRulesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var header: String
        var value: String?
        var verdict: String

        init(_ header: String, _ value: String?, _ verdict: String = "passes") {
            self.header = header
            self.value = value
            self.verdict = verdict
        }

        var testDescription: String { "\(header): \(value ?? "absent")" }
    }

    static let rows = [
        Row("apns-id", nil),
        Row("apns-id", "123e4567-e89b-12d3-a456-426614174000"),
        Row("apns-id", "123E4567-E89B-12D3-A456-42661417400F"),
        Row("apns-id", "", "BadMessageId apns-id.form"),
        Row("apns-id", "123e4567e89b12d3a456426614174000", "BadMessageId apns-id.form"),
        Row("apns-id", "{23e4567-e89b-12d3-a456-42661417400}", "BadMessageId apns-id.form"),
        Row("apns-id", "123e4567-e89b-12d3-a456-42661417400g", "BadMessageId apns-id.form"),
        Row("apns-id", "123e4567-e89b-12d3-a456-4266141740000", "BadMessageId apns-id.form"),
        Row("apns-id", "123e4567-e89b-12d3-a4560426614174000", "BadMessageId apns-id.form"),
        Row("apns-id", "42", "BadMessageId apns-id.form"),
        Row("apns-expiration", nil),
        Row("apns-expiration", "0"),
        Row("apns-expiration", "1"),
        Row("apns-expiration", "1800000000"),
        Row("apns-expiration", "9999999999999999"),
        Row("apns-expiration", "10000000000000000", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", "", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", "1518182259.475", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", "-1", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", "+1", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", " 1", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", "1e9", "BadExpirationDate apns-expiration.form"),
        Row("apns-expiration", "tomorrow", "BadExpirationDate apns-expiration.form"),
        Row("apns-priority", nil),
        Row("apns-priority", "10"),
        Row("apns-priority", "5"),
        Row("apns-priority", "1"),
        Row("apns-priority", "", "BadPriority apns-priority.value"),
        Row("apns-priority", "0", "BadPriority apns-priority.value"),
        Row("apns-priority", "9", "BadPriority apns-priority.value"),
        Row("apns-priority", "010", "BadPriority apns-priority.value"),
        Row("apns-priority", "high", "BadPriority apns-priority.value"),
        Row("apns-collapse-id", nil),
        Row("apns-collapse-id", ""),
        Row("apns-collapse-id", String(repeating: "x", count: 64)),
        Row("apns-collapse-id", String(repeating: "x", count: 65), "BadCollapseId apns-collapse-id.length"),
        Row("apns-collapse-id", String(repeating: "é", count: 32)),
        Row("apns-collapse-id", String(repeating: "é", count: 32) + "x", "BadCollapseId apns-collapse-id.length"),
    ]

    @Test(arguments: rows) func judges(_ row: Row) {
        let request = RequestFixture.with(row.header, row.value)
        let result = outcome { () throws(APNsRejection) in
            _ = try HeaderRules.messageID(request)
            _ = try HeaderRules.expiration(request)
            _ = try HeaderRules.priority(request)
            try HeaderRules.checkCollapseID(request)
        }
        #expect(result.verdict == row.verdict)
    }

    @Test(arguments: [
        (nil, Expiration.unspecified), ("0", .immediate), ("000", .immediate),
        ("1800000000", .at(Instant(seconds: 1_800_000_000))), ("1", .at(Instant(milliseconds: 1000))),
    ]) func readsExpirations(_ text: String?, _ expiration: Expiration) throws {
        #expect(try HeaderRules.expiration(RequestFixture.with("apns-expiration", text)) == expiration)
    }

    @Test(arguments: [
        (nil, Priority.immediate), ("10", .immediate), ("5", .powerConserving), ("1", .lowPower),
    ]) func readsPriorities(_ text: String?, _ priority: Priority) throws {
        #expect(try HeaderRules.priority(RequestFixture.with("apns-priority", text)) == priority)
    }

    @Test(arguments: [
        ("1518182259.475", "fraction"), ("-1", "negative"), ("soon", "decimal digits"),
    ]) func explainsAnInvalidExpiration(_ text: String, _ hint: String) {
        let request = RequestFixture.with("apns-expiration", text)
        let rejection = outcome { () throws(APNsRejection) in try HeaderRules.expiration(request) }.rejection
        #expect(rejection?.diagnosis.message.contains(hint) == true)
        #expect(rejection?.diagnosis.message.contains("'\(text)'") == true)
    }

    @Test(arguments: [
        ("apns-id", true), ("apns-topic", true), ("apns-push-type", true), ("apns-priority", true),
        ("apns-expiration", true), ("apns-collapse-id", true), ("authorization", true), ("accept", false),
        ("user-agent", false), ("x-other", false),
    ]) func rejectsRepeatedAPNsHeaders(_ name: String, _ isRefused: Bool) {
        var fixture = RequestFixture()
        fixture.fields += [(name, "a"), (name, "a")]
        let request = fixture.request
        let result = outcome { () throws(APNsRejection) in try HeaderRules.checkDuplicates(request) }
        #expect(result.verdict == (isRefused ? "DuplicateHeaders headers.duplicate" : "passes"))
        #expect(!isRefused || result.rejection?.diagnosis.message.contains(name) == true)
    }

    static let payloads: [(Int, PushType?, String, String)] = [
        (0, .alert, "com.example.app", "PayloadEmpty payload.empty"),
        (1, .alert, "com.example.app", "passes"),
        (4096, .alert, "com.example.app", "passes"),
        (4097, .alert, "com.example.app", "PayloadTooLarge payload.size"),
        (4096, nil, "com.example.app", "passes"),
        (4097, nil, "com.example.app", "PayloadTooLarge payload.size"),
        (4097, .liveactivity, "com.example.app.push-type.liveactivity", "PayloadTooLarge payload.size"),
        (5120, .voip, "com.example.app.voip", "passes"),
        (5121, .voip, "com.example.app.voip", "PayloadTooLarge payload.size"),
        (5120, nil, "com.example.app.voip", "passes"),
        (5121, nil, "com.example.app.voip", "PayloadTooLarge payload.size"),
        (4097, .pushtotalk, "com.example.app.voip-ptt", "PayloadTooLarge payload.size"),
    ]

    @Test(arguments: payloads) func limitsPayloads(_ count: Int, _ type: PushType?, _ topic: String, _ verdict: String)
    {
        let result = outcome { () throws(APNsRejection) in
            try PayloadRules.checkSize(byteCount: count, pushType: type, topic: topic)
        }
        #expect(result.verdict == verdict)
    }

    @Test func saysByHowMuchAPayloadIsTooLarge() {
        let result = outcome { () throws(APNsRejection) in
            try PayloadRules.checkSize(byteCount: 4100, pushType: .alert, topic: "a")
        }
        #expect(result.rejection?.diagnosis.message.contains("4 more than the 4096") == true)
    }

    @Test func recognisesExactlyTheKnownNames() {
        for name in HeaderName.allCases {
            let text = "\(name.text)"
            #expect(HeaderName(name: text.bytes) == name)
            #expect(HeaderName(name: text.uppercased().bytes) == nil)
            for index in text.bytes.indices {
                var bytes = text.bytes
                bytes[index] ^= 1
                #expect(HeaderName(name: bytes) == nil)
            }
            #expect(HeaderName(name: (text + "x").bytes) != name)
        }
        #expect(HeaderName(name: []) == nil)
    }
}

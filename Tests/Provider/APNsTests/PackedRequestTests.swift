import APNs
import RequestWire
import Testing
import Time

/// Packing a request and restoring it.
@Suite struct PackedRequestTests {
    private let token = DeviceToken(digits: RequestFixture.hex)!

    private func texts(_ fields: [(name: String, value: String)]) -> Set<String> {
        Set(fields.map { "\($0.name): \($0.value)" })
    }

    static let edits: [@Sendable (inout RequestFixture) -> Void] = [
        { _ in },
        { $0.fields = [] },
        { $0.body = [] },
        { $0["apns-id"] = "" },
        { $0["x-custom"] = "value" },
        { $0["x-" + String(repeating: "n", count: 253)] = String(repeating: "v", count: 254) },
        { $0["x-long"] = String(repeating: "v", count: 255) },
        { $0["x-longer"] = String(repeating: "v", count: 65535) },
        { $0[":method"] = "PUT" },
        { $0[":scheme"] = "http" },
        { $0[":path"] = "/3/device/" + RequestFixture.hex.uppercased() },
        { $0[":path"] = "/3/device/00" },
        { $0[":path"] = "/3/device/" + RequestFixture.hex + "f1" },
        { $0[":path"] = "/2/DEVICE/" + RequestFixture.hex },
        { fixture in for index in 0..<100 { fixture.fields.append(("x-\(index)", "\(index)")) } },
        { fixture in
            // More recognised names than the table of codes holds.
            for index in 0..<40 { fixture.fields.insert(("x-\(index)", "\(index)"), at: 0) }
            fixture["authorization"] = "bearer late secret"
        },
        { $0.fields += [("apns-topic", "again"), ("apns-topic", "and again")] },
    ]

    @Test(arguments: edits.indices) func everythingExceptTheSecretReadsBack(_ index: Int) {
        var fixture = RequestFixture()
        Self.edits[index](&fixture)
        let range = try? PathRules.tokenRange(fixture.request)
        for packedToken in [token, range.flatMap { try? PathRules.deviceToken(fixture.request, at: $0) }, nil] {
            let packed = PackedRequest(packing: fixture.request, token: packedToken)
            let kept = fixture.fields.filter { $0.name != "authorization" && $0.name != "content-length" }
            let implied = fixture.fields.isEmpty ? [(":method", "POST"), (":scheme", "https")] : []
            #expect(texts(packed.fields(token: packedToken)) == texts(kept + implied.map { ($0, $1) }))
            #expect(Array(packed.payload) == fixture.body)
            let push = Push.make(fixture.request, token: packedToken, Self.facts())
            #expect(texts(push.request.fields(token: packedToken)) == texts(packed.fields(token: packedToken)))
            #expect(push.payload == fixture.body)
        }
    }

    private static func facts() -> PushFacts {
        PushFacts(
            apnsID: APNsID(form: "123e4567-e89b-12d3-a456-426614174000")!, uniqueID: APNsID(high: 1, low: 2),
            environment: .sandbox, pushType: .alert, priority: .powerConserving,
            expiration: .at(Instant(seconds: 1_800_000_000)), receivedAt: .now, connection: 1)
    }

    /// A header is rebuilt from its parsed value only if the result is identical byte for byte.
    @Test(arguments: [
        ("apns-id", "123e4567-e89b-12d3-a456-426614174000", true),
        ("apns-id", "123E4567-E89B-12D3-A456-426614174000", false),
        ("apns-id", "123e4567-e89b-12d3-a456-426614174001", false), ("apns-id", "", false),
        ("apns-push-type", "alert", true), ("apns-push-type", "voip", false), ("apns-push-type", "Alert", false),
        ("apns-priority", "5", true), ("apns-priority", "05", false), ("apns-priority", "10", false),
        ("apns-expiration", "1800000000", true), ("apns-expiration", "01800000000", false),
        ("apns-expiration", "1800000001", false), ("apns-expiration", "0", false),
        (":method", "PUT", false), (":scheme", "http", false),
    ]) func aPushStoresWhatItsFactsDoNotDetermine(_ name: String, _ value: String, _ isSpelled: Bool) {
        var fixture = RequestFixture()
        fixture[name] = nil
        let without = Push.make(fixture.request, token: token, Self.facts()).facts.headByteCount
        fixture[name] = value
        let push = Push.make(fixture.request, token: token, Self.facts())
        #expect(push.request.fields(token: token).contains { $0 == (name, value) })
        #expect(push.facts.headByteCount - without == (isSpelled ? 1 : UInt32(value.utf8.count) + 2))
    }

    @Test func theBytesDoNotContainTheSecret() {
        var fixture = RequestFixture()
        fixture.fields += [("authorization", "bearer other secret")]
        let packed = PackedRequest(packing: fixture.request, token: token)
        #expect(packed.value(of: .authorization) == nil)
        #expect(!texts(packed.fields(token: token)).contains { $0.contains("secret") })
        #expect(!String(decoding: packed.head + packed.payload, as: UTF8.self).contains("secret"))
    }

    @Test func commonHeadersTakeNoSpace() {
        let fixture = RequestFixture()
        let packed = PackedRequest(packing: fixture.request, token: token)
        // Code and length beside each value: :authority, apns-topic, apns-push-type.
        #expect(packed.head.count + packed.payload.count == fixture.body.count + 11 + 17 + 7)
        #expect(!String(decoding: packed.head + packed.payload, as: UTF8.self).contains(RequestFixture.hex))
    }

    @Test func theFieldsKeepTheirOrder() {
        var fixture = RequestFixture()
        fixture.fields += [("x-b", "1"), ("x-a", "2"), ("x-b", "3")]
        let names = PackedRequest(packing: fixture.request, token: nil).fields(token: nil).map(\.name)
        #expect(names.suffix(3) == ["x-b", "x-a", "x-b"])
    }

    @Test func valuesAreFoundByName() {
        let packed = PackedRequest(packing: RequestFixture().request, token: token)
        #expect(packed.value(of: .apnsTopic) == "com.example.app")
        #expect(packed.value(of: .apnsID) == nil)
        #expect(packed.value(of: .path) == nil)
    }
}

import APNs
import Testing

/// What is kept of a request, and what it gives back.
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
        { $0[":path"] = "/2/DEVICE/" + RequestFixture.hex },
        { fixture in for index in 0..<100 { fixture.fields.append(("x-\(index)", "\(index)")) } },
        { fixture in
            // Recognised names beyond the number whose codes are remembered.
            for index in 0..<40 { fixture.fields.insert(("x-\(index)", "\(index)"), at: 0) }
            fixture["authorization"] = "bearer late secret"
        },
        { $0.fields += [("apns-topic", "again"), ("apns-topic", "and again")] },
    ]

    @Test(arguments: edits.indices) func everythingButTheSecretComesBack(_ index: Int) {
        var fixture = RequestFixture()
        Self.edits[index](&fixture)
        for packedToken in [token, nil] {
            let packed = PackedRequest(packing: fixture.request, token: packedToken)
            let kept = fixture.fields.filter { $0.name != "authorization" && $0.name != "content-length" }
            let implied = fixture.fields.isEmpty ? [(":method", "POST"), (":scheme", "https")] : []
            #expect(texts(packed.fields(token: packedToken)) == texts(kept + implied.map { ($0, $1) }))
            #expect(Array(packed.payload) == fixture.body)
        }
    }

    @Test func theSecretIsNowhereInTheBytes() {
        var fixture = RequestFixture()
        fixture.fields += [("authorization", "bearer other secret")]
        let packed = PackedRequest(packing: fixture.request, token: token)
        #expect(packed.value(of: .authorization) == nil)
        #expect(!texts(packed.fields(token: token)).contains { $0.contains("secret") })
        #expect(!String(decoding: packed.bytes, as: UTF8.self).contains("secret"))
    }

    @Test func whatEveryPushHasTakesNoRoom() {
        let fixture = RequestFixture()
        let packed = PackedRequest(packing: fixture.request, token: token)
        // Code and length beside each value: :authority, apns-topic, apns-push-type.
        #expect(packed.bytes.count == fixture.body.count + 11 + 17 + 7)
        #expect(!String(decoding: packed.bytes, as: UTF8.self).contains(RequestFixture.hex))
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

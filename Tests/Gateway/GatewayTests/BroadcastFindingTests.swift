import APNs
import DeviceModel
import RequestWire
import Testing

@testable import Gateway

@Suite struct BroadcastFindingTests {
    static let update = #""event":"update","timestamp":1767571200,"content-state":{}"#

    @Test(
        "the payload and the expiration of a broadcast have the advice that a push has",
        arguments: [
            (#""event":"update","timestamp":1767571200000,"content-state":{}"#, "0", "la.timestamp.ms"),
            (#""event":"update","timestamp":1767571200"#, "0", "la.state.missing"),
            (update + #","stale-date":1767571200000"#, "0", "la.date.ms"),
            (update + #","content_state":{}"#, "0", "payload.key.misspelt"), (update, "3600", "expiration.ttl"),
            (update, "1795926129000", "expiration.milliseconds"),
        ])
    func advice(_ aps: String, _ expiration: String, _ id: String) throws {
        func ids(_ aps: String, _ expiration: String) throws -> [String] {
            let fixture = ChannelFixture()
            var request = fixture.request(.broadcast)
            request["apns-channel-id"] = fixture.storing
            request["apns-expiration"] = expiration
            request.body = Array("{\"aps\":{\(aps)}}".utf8)
            _ = fixture.base.connect(traffic: .clearText).answer(request.request)
            return RequestFindings.findings(for: try #require(fixture.base.gateway.lastRequest), on: nil).map(\.id)
        }
        #expect(try ids(aps, expiration).contains(id))
        #expect(try !ids(Self.update, "0").contains(id))
    }

    @Test("la.broadcast.start: a broadcast starts no activities", arguments: ["start", "update"])
    func start(_ event: String) throws {
        let fixture = ChannelFixture()
        var request = fixture.request(.broadcast)
        request.body = Array(#"{"aps":{"event":"\#(event)"}}"#.utf8)
        _ = fixture.base.connect(traffic: .clearText).answer(request.request)
        let record = try #require(fixture.base.gateway.lastRequest)
        let ids = RequestFindings.findings(for: record, on: nil).map(\.id)
        #expect(ids.contains("la.broadcast.start") == (event == "start"))
    }
}

import APNs
import DeviceModel
import RequestWire
import Testing

@testable import Gateway

@Suite struct BroadcastFindingTests {
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

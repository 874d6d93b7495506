import APNs
import RequestWire
import Testing
import Time

@testable import DeviceSimulator

/// Encoding a push as a record and decoding it.
@Suite struct PushRecordTests {
    private static let id = "123e4567-e89b-12d3-a456-426614174000"

    @Test(arguments: [id, id.uppercased()]) func aRecordReadsBackAsAPush(_ spelling: String) throws {
        let request = RequestBlock(
            fields: [
                (":method", "POST"), (":scheme", "https"), (":path", "/3/device/00ff"), ("apns-id", spelling),
                ("apns-topic", "com.example.app"), ("apns-collapse-id", "score"), ("apns-expiration", "1800000000"),
            ], body: Array(#"{"aps":{}}"#.utf8))
        let apnsID = APNsID(Array(spelling.utf8).span.bytes)
        let push = Push.make(
            request, token: DeviceToken(bytes: [0, 255]),
            PushFacts(
                apnsID: try #require(apnsID), uniqueID: APNsID(high: 1, low: 2),
                environment: .sandbox, pushType: nil, priority: .immediate,
                expiration: .at(Instant(seconds: 1_800_000_000)), receivedAt: .at(0), connection: 7))
        var writer = RecordWriter()
        push.write(to: &writer)
        var reader = RecordReader(writer.bytes)
        let read = try Push(from: &reader)
        #expect(reader.isAtEnd)
        #expect(read.request == push.request)
        #expect(read.collapseID == "score")
        #expect(read.apnsIDText == spelling)
        #expect(read.connection == 7)
    }
}

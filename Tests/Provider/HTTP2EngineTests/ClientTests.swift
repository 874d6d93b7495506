import HTTP2Engine
import RequestWire
import TestSupport
import Testing

/// The client's session against the server's.
@Suite struct ClientTests {
    private static let push: [(name: String, value: String)] = [
        (":method", "POST"), (":scheme", "https"), (":authority", "localhost"), (":path", "/3/device/00ff"),
        ("apns-topic", "com.example.app"),
    ]

    /// Both sides after exchanging SETTINGS.
    private func pair() throws -> (client: HTTP2Client, server: HTTP2Session) {
        let (client, server) = (try HTTP2Client(), try HTTP2Session(settings: HTTP2Settings()))
        _ = try server.receive(try client.takeOutput())
        let events = try receive(from: server, client)
        #expect(events.contains { if case .ready = $0 { true } else { false } })
        _ = try server.receive(try client.takeOutput())
        return (client, server)
    }

    private func receive(from server: HTTP2Session, _ client: HTTP2Client) throws -> [HTTP2Client.Event] {
        var output: [UInt8] = []
        try server.takeOutput(into: &output)
        return try client.receive(output.span.bytes)
    }

    @Test func aRequestAndItsAnswerArriveUnchanged() throws {
        let (client, server) = try pair()
        let body = Array(repeating: UInt8(ascii: "x"), count: 20_000)
        let stream = try client.send(Self.push, body: body)
        let request = try #require(try server.requests(from: try client.takeOutput()).first)
        #expect(request.stream == stream)
        #expect(request.textFields == Self.push.map { "\($0.name): \($0.value)" })
        #expect(request.block.bodyByteCount == body.count)
        var response = Response(status: 400)
        response.body = Array(#"{"reason":"BadDeviceToken"}"#.utf8)
        try server.respond(to: stream, with: response)
        guard case .answered(stream, let answer)? = try receive(from: server, client).first else {
            Issue.record("no answer")
            return
        }
        #expect(answer.status == 400)
        #expect(answer.body == response.body)
    }

    @Test func aRequestWithoutABodyEndsWithItsHeaders() throws {
        let (client, server) = try pair()
        _ = try client.send(Self.push, body: [])
        #expect(try server.requests(from: try client.takeOutput()).map(\.text) == [""])
    }

    @Test func aResetIsAFailure() throws {
        let (client, server) = try pair()
        let stream = try client.send(Self.push, body: [1])
        _ = try server.receive(try client.takeOutput())
        try server.reset(stream: stream, .refusedStream)
        guard case .failed(stream, errorCode: 7)? = try receive(from: server, client).first else {
            Issue.record("no failure")
            return
        }
    }

    @Test func aGoAwayFailsStreamsAboveItsLast() throws {
        let (client, server) = try pair()
        let stream = try client.send(Self.push, body: [1])
        _ = try server.receive(try client.takeOutput())
        try server.submitGoAway(.noError, lastStream: 0, debugData: Array("why".utf8))
        let events = try receive(from: server, client)
        let words = events.map { event -> String in
            switch event {
            case .goAway(let debugData): String(decoding: debugData, as: UTF8.self)
            case .failed(stream, let code): "failed \(code)"
            default: "other"
            }
        }
        #expect(Set(words) == ["why", "failed 7"])
    }

    @Test func theServersStreamLimitIsObserved() throws {
        let (client, server) = try pair()
        try server.setStreamLimit(1)
        _ = try receive(from: server, client)
        _ = try server.receive(try client.takeOutput())
        let streams = try (0..<3).map { _ in try client.send(Self.push, body: [1]) }
        for stream in streams {
            #expect(try server.requests(from: try client.takeOutput()).map(\.stream) == [stream])
            try server.respond(to: stream, with: Response())
            #expect(try receive(from: server, client).count == 1)
        }
    }

    @Test func garbageEndsTheConnection() throws {
        let (client, _) = try pair()
        #expect(!client.isFinished)
        _ = try? client.receive(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8).span.bytes)
        _ = try client.takeOutput()
        #expect(client.isFinished)
    }
}

import HTTP2Engine
import RequestWire
import TestSupport
import Testing

/// Limits enforced by the session, on a manual clock.
@Suite struct LimitTests {
    private let ready = preface + frame(FrameType.settings, flags: Flag.ack)

    @Test func `resets unfinished requests and unread answers, each after its own timeout`() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let window0 = frame(FrameType.settings, [0, 4, 0, 0, 0, 0])
        _ = try session.receive(
            (ready + window0 + headers(stream: 1) + headers(stream: 3, endStream: true)).span.bytes, now: 100)
        var response = Response(status: 400)
        response.body = Array("{}".utf8)
        try session.respond(to: 3, with: response)
        #expect(try session.sentFrames().last?.type == FrameType.headers)
        #expect(try session.resetStalledStreams(requestsSince: 100, answersSince: 100) == (0, 0))
        #expect(try session.resetStalledStreams(requestsSince: 101, answersSince: 100) == (1, 0))
        #expect(try session.resetStalledStreams(requestsSince: 101, answersSince: 101) == (0, 1))
        let resets = try session.sentFrames()
        #expect(resets.map(\.type) == [FrameType.reset, FrameType.reset])
        #expect(resets.map(\.stream) == [1, 3])
        #expect(session.openStreamCount == 0)
    }

    @Test func `200 idle days at the highest frame rate refill the budget`() throws {
        var limits = HTTP2Limits()
        (limits.frameBurst, limits.frameRate) = (100, 1_000_000_000)
        let session = try HTTP2Session(settings: HTTP2Settings(), limits: limits)
        let pings = (0..<90).flatMap { _ in frame(FrameType.ping, Array(repeating: 0, count: 8)) }
        _ = try session.receive((ready + pings).span.bytes)
        _ = try session.sentFrames()
        _ = try session.receive(pings.span.bytes, now: 200 * 86_400_000)
        #expect(try session.sentFrames().map(\.type) == Array(repeating: FrameType.ping, count: 90))
    }

    @Test func `a paced answer's timeout starts when a part is released`() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let window0 = frame(FrameType.settings, [0, 4, 0, 0, 0, 0])
        _ = try session.receive((ready + window0 + headers(endStream: true)).span.bytes, now: 100)
        var response = Response(status: 400)
        response.body = Array("{}".utf8)
        (response.frameByteCount, response.isPaced) = (1, true)
        try session.respond(to: 1, with: response)
        _ = try session.sentFrames()
        #expect(try session.resetStalledStreams(requestsSince: 200, answersSince: 200) == (0, 0))
        _ = try session.releaseBody(of: 1, now: 300)
        _ = try session.sentFrames()
        // The window stays closed. Releasing another part does not restart the timeout.
        _ = try session.releaseBody(of: 1, now: 400)
        #expect(try session.resetStalledStreams(requestsSince: 300, answersSince: 300) == (0, 0))
        #expect(try session.resetStalledStreams(requestsSince: 301, answersSince: 301) == (0, 1))
    }

    @Test func `an answer's timeout starts with the answer, not with the request`() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let window0 = frame(FrameType.settings, [0, 4, 0, 0, 0, 0])
        _ = try session.receive((ready + window0 + headers(endStream: true)).span.bytes, now: 100)
        var response = Response(status: 400)
        response.body = Array("{}".utf8)
        try session.respond(to: 1, with: response, now: 300)
        _ = try session.sentFrames()
        #expect(try session.resetStalledStreams(requestsSince: 300, answersSince: 300) == (0, 0))
        #expect(try session.resetStalledStreams(requestsSince: 301, answersSince: 301) == (0, 1))
    }

    /// All streams but the first are refused, and the client still sends their bodies. The session remembers the last
    /// 2000 unfinished streams; of older ones it cannot tell whether they ended.
    @Test func `remembers a bounded number of unfinished streams`() throws {
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = 1
        let session = try HTTP2Session(settings: settings)
        func end(_ streams: Int32...) -> [UInt8] {
            streams.flatMap { frame(FrameType.data, flags: Flag.endStream, stream: $0) }
        }
        let requests = (0...Int32(2001)).flatMap { headers(stream: $0 * 2 + 1) }
        _ = try session.receive(ready + requests)
        _ = try session.sentFrames()
        _ = try session.receive(end(2001, 3, 3, 5))
        #expect(try session.sentFrames().isEmpty)
        _ = try session.receive(end(5))
        let goAway = try #require(try session.sentFrames().last { $0.type == FrameType.goAway })
        #expect(goAway.payload[4..<8].elementsEqual(bigEndian(HTTP2ErrorCode.streamClosed.number)))
    }

    /// A late frame on a recently reset stream is answered with RST_STREAM; on an older one it is a connection error.
    @Test func `late frames on recently reset streams get another reset`() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        func data(_ stream: Int32) -> [UInt8] { frame(FrameType.data, stream: stream, [0]) }
        let requests = (0..<Int32(17)).flatMap { turn in
            headers(stream: turn * 2 + 1) + frame(FrameType.reset, stream: turn * 2 + 1, bigEndian(8))
        }
        _ = try session.receive(ready + requests)
        _ = try session.sentFrames()
        _ = try session.receive(data(3))
        let code = bigEndian(HTTP2ErrorCode.streamClosed.number)
        let again = SentFrame(type: FrameType.reset, flags: 0, stream: 3, payload: code)
        #expect(try session.sentFrames() == [again])
        _ = try session.receive(data(1))
        #expect(try session.sentFrames().last?.type == FrameType.goAway)
    }
}

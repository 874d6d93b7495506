import HTTP2Engine
import TestSupport
import Testing

/// What a session does only when it is to misbehave.
@Suite struct FaultTests {
    private func session() throws -> HTTP2Session {
        let session = try HTTP2Session(settings: HTTP2Settings())
        _ = try session.receive(preface + headers(endStream: true))
        _ = try session.sentFrames()
        return session
    }

    private func response(_ body: String) -> Response {
        var response = Response(status: 400)
        response.body = Array(body.utf8)
        return response
    }

    @Test func aBodyTakesSeveralFrames() throws {
        let session = try session()
        var response = response("12345")
        response.frameByteCount = 3
        try session.respond(to: 1, with: response)
        let data = try session.sentFrames().filter { $0.type == FrameType.data }
        #expect(data.map { String(decoding: $0.payload, as: UTF8.self) } == ["123", "45"])
        #expect(data.map(\.flags) == [0, Flag.endStream])
    }

    @Test func aPacedBodyWaitsToBeReleased() throws {
        let session = try session()
        var response = response("12")
        (response.frameByteCount, response.isPaced) = (1, true)
        try session.respond(to: 1, with: response)
        #expect(try session.sentFrames().map(\.type) == [FrameType.headers])
        #expect(try session.releaseBody(of: 1, now: 0))
        #expect(try session.sentFrames().map(\.payload) == [Array("1".utf8)])
        #expect(try !session.releaseBody(of: 1, now: 0))
        #expect(try session.sentFrames().map(\.flags) == [Flag.endStream])
        #expect(try !session.releaseBody(of: 1, now: 0))
    }

    @Test func aPacedEndIsAFrameOfItsOwn() throws {
        let session = try session()
        var response = response("")
        response.isPaced = true
        try session.respond(to: 1, with: response)
        #expect(try session.sentFrames().map(\.flags) == [Flag.endHeaders])
        #expect(try !session.releaseBody(of: 1, now: 0))
        let frames = try session.sentFrames()
        #expect(frames.map(\.type) == [FrameType.data])
        #expect(frames.map(\.flags) == [Flag.endStream])
        #expect(frames.map(\.payload) == [[]])
    }

    @Test func newStreamsAreRefusedAndOldOnesAnswered() throws {
        let session = try session()
        session.refuseNewStreams()
        _ = try session.receive(headers(stream: 3, endStream: true))
        let refused = try session.sentFrames()
        #expect(refused == [SentFrame(type: FrameType.reset, flags: 0, stream: 3, payload: bigEndian(7))])
        #expect(try session.respond(to: 1, with: Response(status: 200)))
        #expect(try session.sentFrames().map(\.stream) == [1])
    }

    @Test func aGoAwayFrameIsAsTheStandardHasIt() {
        let bytes = HTTP2Session.goAwayFrame(11, lastStream: 5, debugData: Array("why".utf8))
        #expect(bytes == frame(FrameType.goAway, bigEndian(5) + bigEndian(11) + Array("why".utf8)))
    }
}

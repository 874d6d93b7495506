import HTTP2Engine
import TestSupport
import Testing

/// What the session itself counts, on a clock that the test holds.
@Suite struct LimitTests {
    private let ready = preface + frame(FrameType.settings, flags: Flag.ack)

    @Test func `ends requests that do not end, and answers nobody takes, each after its own time`() throws {
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
}

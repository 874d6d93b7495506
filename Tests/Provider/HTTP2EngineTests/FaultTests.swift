import HTTP2Engine
import RequestWire
import TestSupport
import Testing

/// Faults that a session applies on request.
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

    @Test func newStreamsAreRejectedAndOldOnesAnswered() throws {
        let session = try session()
        session.refuseNewStreams()
        _ = try session.receive(headers(stream: 3, endStream: true))
        let refused = try session.sentFrames()
        #expect(refused == [SentFrame(type: FrameType.reset, flags: 0, stream: 3, payload: bigEndian(7))])
        #expect(try session.respond(to: 1, with: Response(status: 200)))
        #expect(try session.sentFrames().map(\.stream) == [1])
    }

    @Test func theLastStreamNeverIncreasesAndLaterStreamsAreIgnored() throws {
        let session = try session()
        _ = try session.receive(headers(stream: 3, endStream: true) + headers(stream: 5))
        let announced = session.announceGoAway(0, lastStream: 1, debugData: [])
        #expect(announced == frame(FrameType.goAway, bigEndian(1) + bigEndian(0)))
        let refused = try session.receive(headers(stream: 7, endStream: true))
        #expect(refused.contains { if case .streamRefused(7) = $0 { true } else { false } })
        try session.submitShutdownNotice(debugData: Array("notice".utf8))
        _ = try session.sentFrames()
        _ = session.announceGoAway(0, lastStream: 9, debugData: [])
        try session.submitGoAway(.noError, debugData: Array("end".utf8))
        let last = try session.sentFrames().filter { $0.type == FrameType.goAway }
        #expect(last.map { Array($0.payload.prefix(4)) } == [bigEndian(1)])
        #expect(session.takeSentGoAways().map(\.lastStream) == [1, 1, 1, 1])
        #expect(session.lastStream == 1)
    }

    @Test(arguments: WindowScope.allCases) func aStarvedWindowIsNotReplenished(_ scope: WindowScope) throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        _ = try session.receive(preface + headers(endStream: false))
        _ = try session.sentFrames()
        func updatedStreams() throws -> Set<UInt32> {
            for _ in 0..<3 {
                _ = try session.receive(frame(FrameType.data, stream: 1, Array(repeating: 0x20, count: 16_384)))
            }
            return Set(try session.sentFrames().filter { $0.type == 8 }.map { UInt32($0.stream) })
        }
        session.starvedWindow = scope
        #expect(try updatedStreams() == (scope == .connection ? [1] : [0]))
    }

    @Test func aGoAwayFrameFollowsTheStandard() {
        let bytes = HTTP2Session.goAwayFrame(11, lastStream: 5, debugData: Array("why".utf8))
        #expect(bytes == frame(FrameType.goAway, bigEndian(5) + bigEndian(11) + Array("why".utf8)))
    }
}

import HTTP2Engine
import TestSupport
import Testing

/// Requests that arrive in one read are answered a few at a time.
@Suite struct BatchTests {
    private let ready = preface + frame(FrameType.settings, flags: Flag.ack)

    private func streams(_ numbers: Range<Int32>) -> [Int32] { numbers.map { $0 * 2 + 1 } }

    private func requests(_ numbers: Range<Int32>, areReset: Bool = false) -> [UInt8] {
        streams(numbers).flatMap { stream in
            let request = headers(stream: stream, endStream: true)
            return areReset ? request + frame(FrameType.reset, stream: stream, bigEndian(8)) : request
        }
    }

    /// The effects of one read.
    private struct Turn {
        var batches: [Int] = []
        var refused: [Int32] = []
        var attack: AttackClass?
        var frames: [SentFrame] = []

        mutating func answer(on session: HTTP2Session) throws {
            var answered = 0
            while let event = session.nextEvent() {
                switch event {
                case .request(let request):
                    try session.respond(to: request.stream, with: Response(status: 200))
                    answered += 1
                case .streamRefused(let stream): refused.append(stream)
                case .attack(let attack): self.attack = attack
                default: break
                }
            }
            batches.append(answered)
            frames += try session.sentFrames()
        }
    }

    private func read(_ bytes: [UInt8], with session: HTTP2Session, during: () throws -> Void = {}) throws -> Turn {
        var turn = Turn()
        var failure: (any Error)?
        try session.receive(bytes.span.bytes) {
            do {
                try turn.answer(on: session)
                try during()
            } catch { failure = error }
        }
        if let failure { throw failure }
        try turn.answer(on: session)
        return turn
    }

    @Test func `the first requests of a read are answered before the last are decoded`() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        let turn = try read(ready + requests(0..<20), with: session)
        #expect(turn.batches.reduce(0, +) == 20)
        #expect(turn.batches.count > 2 && turn.batches.allSatisfy { $0 <= 8 })
        let answered = turn.frames.filter { $0.type == FrameType.headers }.map(\.stream)
        #expect(answered == streams(0..<20))
        #expect(session.openStreamCount == 0)
    }

    @Test func `a read without batching returns all events at its end`() throws {
        let session = try HTTP2Session(settings: HTTP2Settings())
        #expect(try session.requests(from: ready + requests(0..<20)).count == 20)
    }

    /// The client opens these streams before it has seen an answer.
    @Test func `answers during a read do not free stream slots for that read`() throws {
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = 1
        let session = try HTTP2Session(settings: settings)
        let turn = try read(ready + requests(0..<20), with: session)
        #expect(turn.batches.reduce(0, +) == 1)
        #expect(turn.refused == streams(1..<20))
        #expect(try read(headers(stream: 41, endStream: true), with: session).batches == [1])
    }

    @Test func `a limit changed within a read applies to the next one`() throws {
        var settings = HTTP2Settings()
        settings.maximumConcurrentStreams = 1
        let session = try HTTP2Session(settings: settings)
        let turn = try read(ready + requests(0..<20), with: session) { try session.setStreamLimit(1000) }
        #expect(turn.refused.count == 19)
    }

    /// Answering before the reset must not make a flood of resets free (CVE-2023-44487).
    @Test func `streams reset in the same read refund no frames`() throws {
        var limits = HTTP2Limits()
        limits.frameBurst = 100
        let flood = try HTTP2Session(settings: HTTP2Settings(), limits: limits)
        let attack = try read(ready + requests(0..<200, areReset: true), with: flood).attack
        #expect(attack == .headersFlood || attack == .resetFlood)
        let traffic = try HTTP2Session(settings: HTTP2Settings(), limits: limits)
        _ = try read(ready, with: traffic)
        for turn in 0..<Int32(10) {
            #expect(try read(requests(turn * 50..<turn * 50 + 50), with: traffic).attack == nil)
        }
    }
}

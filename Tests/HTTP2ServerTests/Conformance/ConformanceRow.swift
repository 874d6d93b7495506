import HTTP2Engine
import TestSupport
import Testing

/// What a client sends after its preface, and what the standards ask of a server then.
struct ConformanceRow: CustomTestStringConvertible, Sendable {
    enum Answer: Sendable, Equatable {
        /// GOAWAY with one of the codes, and the end of the connection.
        case connectionError([HTTP2ErrorCode])
        /// RST_STREAM on a stream, or GOAWAY, with one of the codes (RFC 9113 §5.4.2 leaves the choice).
        case streamError(Int32, [HTTP2ErrorCode])
        /// The connection lives on: a PING at the end is answered.
        case alive
        /// A PING at the end is answered, or the connection ends without a word: after the client's GOAWAY either is right.
        case noError
        /// SETTINGS are acknowledged.
        case acknowledged
        /// A stream is answered.
        case answered(Int32)
    }

    var testDescription: String
    var bytes: [UInt8]
    var answer: Answer

    init(_ section: String, _ name: String, _ answer: Answer, _ bytes: [UInt8]) {
        testDescription = "\(section): \(name)"
        self.bytes = bytes
        self.answer = answer
    }

    static let ping = frame(FrameType.ping, Array("pushcote".utf8))

    /// Sends the row's bytes on a new connection and holds the answer against the standard.
    func run(on port: Int) async throws {
        try await RawClient.withConnection(to: port) { client in
            try await client.send(preface + frame(FrameType.settings, flags: Flag.ack))
            try await client.send([.alive, .noError].contains(answer) ? bytes + Self.ping : bytes)
            switch answer {
            case .connectionError(let codes):
                let goodbye = try await client.goodbye()
                let code = try #require(goodbye?.code)
                #expect(codes.map(\.rawValue).contains(code), "\(code) \(goodbye?.text ?? "")")
                // Answers to earlier streams may follow; then the connection ends.
                _ = try await client.rest()
            case .streamError(let stream, let codes):
                let error = try await client.frame {
                    $0.type == FrameType.goAway || $0.type == FrameType.reset && $0.stream == stream
                }
                let found = try #require(error)
                let code = Array(found.payload.dropFirst(found.type == FrameType.goAway ? 4 : 0).prefix(4))
                #expect(codes.map { bigEndian($0.rawValue) }.contains(code), "\(found)")
            case .alive:
                let pong = try await client.frame {
                    $0.type == FrameType.goAway
                        || $0.type == FrameType.ping && $0.flags == Flag.ack && $0.payload == Array("pushcote".utf8)
                }
                #expect(pong?.type == FrameType.ping, "\(String(describing: pong))")
            case .noError:
                let last = try await client.frame {
                    $0.type == FrameType.goAway || $0.type == FrameType.ping && $0.flags == Flag.ack
                }
                #expect(last?.type != FrameType.goAway, "\(String(describing: last))")
            case .acknowledged:
                // The preface's first, then the row's.
                for _ in 0..<2 {
                    let answer = try await client.frame {
                        $0.type == FrameType.goAway || $0.type == FrameType.settings && $0.flags == Flag.ack
                    }
                    #expect(answer?.type == FrameType.settings, "\(String(describing: answer))")
                }
            case .answered(let stream):
                let answer = try await client.frame {
                    $0.type == FrameType.goAway || $0.type == FrameType.headers && $0.stream == stream
                }
                #expect(answer?.type == FrameType.headers, "\(String(describing: answer))")
            }
        }
    }
}

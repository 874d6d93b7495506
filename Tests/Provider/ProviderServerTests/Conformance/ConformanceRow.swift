import RequestWire
import TestSupport
import Testing

/// What a client sends after its preface, and what the standards require of the server.
struct ConformanceRow: CustomTestStringConvertible, Sendable {
    enum Answer: Sendable, Equatable {
        /// GOAWAY with one of the codes, then the end of the connection.
        case connectionError([HTTP2ErrorCode])
        /// RST_STREAM on a stream, or GOAWAY, with one of the codes (RFC 9113 §5.4.2 leaves the choice).
        case streamError(Int32, [HTTP2ErrorCode])
        /// The connection stays open: a final PING is answered.
        case alive
        /// A final PING is answered, or the connection closes silently: both are correct after the client's GOAWAY.
        case noError
        /// A final PING is answered, and nothing else causes a PING.
        case onlyPong
        /// SETTINGS are acknowledged.
        case acknowledged
        /// A stream is answered.
        case answered(Int32)
        /// The first DATA of a stream has this many bytes.
        case data(Int32, Int)
    }

    var testDescription: String
    var bytes: [UInt8]
    var answer: Answer

    init(_ section: String, _ name: String, _ answer: Answer, _ bytes: [UInt8]) {
        testDescription = "\(section): \(name)"
        self.bytes = bytes
        self.answer = answer
    }

    /// How the row's frames are sent.
    enum Pace: String, CaseIterable, Sendable {
        /// At once, so that the server reads them together.
        case atOnce
        /// Each after the answers to the previous ones, so that ended streams are closed by then.
        case oneByOne
    }

    private static let pingText = Array("pushcote".utf8)

    /// Sends the row's bytes on a new connection and compares the answer with the standard.
    func run(on port: Int, over traffic: Traffic = .clearText, _ pace: Pace = .atOnce) async throws {
        try await RawClient.withConnection(to: port) { client in
            if traffic == .provider { try await client.startTLS() }
            try await client.send(preface + frame(FrameType.settings, flags: Flag.ack))
            var talk = Conversation(client)
            switch pace {
            case .atOnce: try await client.send(bytes)
            case .oneByOne:
                let frames = SentFrame.all(in: bytes)
                try await talk.send(frames)
                // The rest is an incomplete frame.
                let rest = bytes.dropFirst(frames.reduce(0) { $0 + 9 + $1.payload.count })
                if !rest.isEmpty { try? await client.send(Array(rest)) }
            }
            // The server may have closed meanwhile; its last frames can still be read.
            if [.alive, .noError, .onlyPong].contains(answer) {
                try? await client.send(frame(FrameType.ping, Self.pingText))
            }
            try await check(&talk)
        }
    }

    private func check(_ talk: inout Conversation) async throws {
        switch answer {
        case .connectionError(let codes):
            let goodbye = try #require(try await talk.frame { $0.type == FrameType.goAway }, "no GOAWAY")
            let code = Array(goodbye.payload[4..<8])
            #expect(codes.map { bigEndian($0.number) }.contains(code), "\(goodbye)")
            // Answers to earlier streams may follow; then the connection ends.
            while try await talk.frame(where: { _ in true }) != nil {}
        case .streamError(let stream, let codes):
            let error = try await talk.frame {
                $0.type == FrameType.goAway || $0.type == FrameType.reset && $0.stream == stream
            }
            let found = try #require(error)
            let code = Array(found.payload.dropFirst(found.type == FrameType.goAway ? 4 : 0).prefix(4))
            #expect(codes.map { bigEndian($0.number) }.contains(code), "\(found)")
        case .alive:
            let pong = try await talk.frame {
                $0.type == FrameType.goAway
                    || $0.type == FrameType.ping && $0.flags == Flag.ack && $0.payload == Self.pingText
            }
            #expect(pong?.type == FrameType.ping, "\(String(describing: pong))")
        case .noError:
            let last = try await talk.frame {
                $0.type == FrameType.goAway || $0.type == FrameType.ping && $0.flags == Flag.ack
            }
            #expect(last?.type != FrameType.goAway, "\(String(describing: last))")
        case .onlyPong:
            let pong = try await talk.frame { [FrameType.goAway, FrameType.ping].contains($0.type) }
            #expect(pong?.flags == Flag.ack && pong?.payload == Self.pingText, "\(String(describing: pong))")
        case .acknowledged:
            // The preface's first, then the row's.
            for _ in 0..<2 {
                let answer = try await talk.frame {
                    $0.type == FrameType.goAway || $0.type == FrameType.settings && $0.flags == Flag.ack
                }
                #expect(answer?.type == FrameType.settings, "\(String(describing: answer))")
            }
        case .answered(let stream):
            let answer = try await talk.frame {
                $0.type == FrameType.goAway || $0.type == FrameType.headers && $0.stream == stream
            }
            #expect(answer?.type == FrameType.headers, "\(String(describing: answer))")
        case .data(let stream, let byteCount):
            let data = try await talk.frame {
                $0.type == FrameType.goAway || $0.type == FrameType.data && $0.stream == stream
            }
            #expect(data?.type == FrameType.data && data?.payload.count == byteCount, "\(String(describing: data))")
        }
    }
}

/// A connection, with the answers that arrived while the client was still sending.
struct Conversation {
    private let client: RawClient
    private var seen: [SentFrame] = []
    private var isOver = false
    private static let barrier = Array("answered".utf8)

    init(_ client: RawClient) { self.client = client }

    /// The next frame of a kind; `nil` when there is none and the server has closed.
    mutating func frame(where matches: (SentFrame) -> Bool) async throws -> SentFrame? {
        while !seen.isEmpty {
            let frame = seen.removeFirst()
            if matches(frame) { return frame }
        }
        return try await client.frame(where: matches)
    }

    /// Sends frames, each after the answers to the previous ones, until the server sends GOAWAY.
    ///
    /// A PING's answer follows those to earlier requests. No PING is possible inside a header block. The server
    /// may close between two frames; its last frames can still be read.
    mutating func send(_ frames: [SentFrame]) async throws {
        var isInsideBlock = false
        for (index, next) in frames.enumerated() where !isOver {
            try? await client.send(next.bytes)
            if [FrameType.headers, FrameType.continuation].contains(next.type) {
                isInsideBlock = next.flags & Flag.endHeaders == 0
            }
            if !isInsideBlock, index < frames.count - 1 { try await wait() }
        }
    }

    private mutating func wait() async throws {
        try? await client.send(TestSupport.frame(FrameType.ping, Self.barrier))
        while let next = try await client.frame(for: "what was sent so far to be answered", where: { _ in true }) {
            if next.type == FrameType.ping && next.flags == Flag.ack && next.payload == Self.barrier { return }
            seen.append(next)
            if next.type == FrameType.goAway { break }
        }
        isOver = true
    }
}

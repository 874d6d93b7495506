import HTTP2Engine
import NIOCore
import ProviderServer
import RequestWire
import TestSupport
import Testing

/// More frames that cost work without a request than a connection may send at once.
extension HostileTests {
    @Suite(.serialized, .timeLimit(.minutes(5))) struct FloodTests {
        struct Row: CustomTestStringConvertible, Sendable {
            var testDescription: String
            /// Several if it depends on which frame empties the bucket; none if the first turn is already a connection
            /// error.
            var ends: [AttackClass]
            var code = HTTP2ErrorCode.enhanceYourCalm
            /// Sent before the flood.
            var opening: [UInt8] = []
            /// One turn of the flood; its argument is an odd stream number.
            var turn: @Sendable (Int32) -> [UInt8]
        }

        static let ready = preface + frame(FrameType.settings, flags: Flag.ack)
        /// More than `frameBurst` plus the refill.
        static let turns: Int32 = 12_000

        static let rows = [
            Row(testDescription: "requests cancelled at once", ends: [.resetFlood, .headersFlood]) {
                headers(stream: $0, endStream: true) + frame(FrameType.reset, stream: $0, bigEndian(8))
            },
            Row(testDescription: "requests cancelled with NO_ERROR", ends: [.resetFlood, .headersFlood]) {
                headers(stream: $0, endStream: true) + frame(FrameType.reset, stream: $0, bigEndian(0))
            },
            Row(testDescription: "requests without an end, taken back", ends: [.resetFlood, .headersFlood]) {
                headers(stream: $0) + frame(FrameType.reset, stream: $0, bigEndian(8))
            },
            Row(testDescription: "requests that the server must reset", ends: [.headersFlood]) {
                frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: $0, [0x82])
            },
            Row(testDescription: "streams reset for a window too large", ends: [.windowUpdateFlood, .headersFlood]) {
                headers(stream: $0) + frame(8, stream: $0, bigEndian(0x7fff_ffff))
            },
            Row(testDescription: "WINDOW_UPDATE of 0 on streams", ends: [], code: .protocolError) {
                headers(stream: $0) + frame(8, stream: $0, bigEndian(0))
            },
            Row(testDescription: "streams that depend on themselves", ends: [], code: .protocolError) {
                frame(
                    FrameType.headers, flags: Flag.endHeaders | Flag.endStream | Flag.priority, stream: $0,
                    bigEndian(UInt32($0)) + [255] + headerBlock(plainFields))
            },
            Row(
                testDescription: "streams reset for a body that contradicts `content-length`",
                ends: [.headersFlood, .dataFlood]
            ) {
                headers(plainFields + [("content-length", "2")], stream: $0)
                    + frame(FrameType.data, flags: Flag.endStream, stream: $0, [0x78])
            },
            Row(testDescription: "DATA behind the end of streams", ends: [], code: .streamClosed) {
                headers(stream: $0) + frame(FrameType.data, flags: Flag.endStream, stream: $0, [0x78])
                    + frame(FrameType.data, flags: Flag.endStream, stream: $0, [0x78])
            },
            Row(testDescription: "streams above the limit", ends: [.headersFlood]) { headers(stream: $0) },
            // Which one depends on how many frames the client reads meanwhile.
            Row(testDescription: "PING in one piece", ends: [.unreadAcknowledgements, .pingFlood]) { _ in
                frame(FrameType.ping, Array(repeating: 1, count: 8))
            },
            Row(testDescription: "acknowledgements of no PING", ends: [.pingFlood]) { _ in
                frame(FrameType.ping, flags: Flag.ack, Array(repeating: 1, count: 8))
            },
            Row(testDescription: "SETTINGS in one piece", ends: [.unreadAcknowledgements]) { _ in
                frame(FrameType.settings)
            },
            Row(testDescription: "PRIORITY", ends: [.priorityFlood]) {
                frame(FrameType.priority, stream: $0, [0, 0, 0, 0, 1])
            },
            Row(testDescription: "WINDOW_UPDATE of the connection", ends: [.windowUpdateFlood]) { _ in
                frame(8, bigEndian(1))
            },
            Row(testDescription: "RST_STREAM of one stream", ends: [.resetFlood], opening: headers(endStream: true)) {
                _ in
                frame(FrameType.reset, stream: 1, bigEndian(8))
            },
            Row(testDescription: "GOAWAY", ends: [.goAwayFlood], opening: headers()) { _ in
                frame(FrameType.goAway, bigEndian(0) + bigEndian(0))
            },
            Row(testDescription: "unknown frames", ends: [.unknownFrameFlood]) { _ in frame(0xbe) },
            Row(testDescription: "unknown frames of a stream", ends: [.unknownFrameFlood], opening: headers()) { _ in
                frame(0xff, stream: 1, [0])
            },
            Row(testDescription: "empty DATA", ends: [.dataFlood], opening: headers()) { _ in
                frame(FrameType.data, stream: 1)
            },
            Row(testDescription: "padding", ends: [.dataFlood], opening: headers()) { _ in
                frame(FrameType.data, flags: Flag.padded, stream: 1, [255] + Array(repeating: 0, count: 255))
            },
            Row(
                testDescription: "DATA for a stream that is over", ends: [.dataFlood],
                opening: headers() + frame(FrameType.reset, stream: 1, bigEndian(8))
            ) { _ in
                frame(FrameType.data, stream: 1, [0])
            },
            Row(testDescription: "one byte at a time", ends: [.dataFlood], opening: headers()) { _ in
                frame(FrameType.data, stream: 1, [0x78])
            },
            Row(
                testDescription: "empty CONTINUATION", ends: [.continuationFlood],
                opening: frame(FrameType.headers, stream: 1, headerBlock(plainFields))
            ) { _ in frame(FrameType.continuation, stream: 1) },
            Row(
                testDescription: "CONTINUATION with fields", ends: [.headerBomb],
                opening: frame(FrameType.headers, stream: 1, headerBlock(plainFields))
            ) { _ in frame(FrameType.continuation, stream: 1, headerBlock([("x", "y")])) },
            Row(testDescription: "empty HEADERS", ends: [.headersFlood]) {
                frame(FrameType.headers, flags: Flag.endHeaders, stream: $0)
            },
            Row(testDescription: "trailers without end", ends: [.headersFlood], opening: headers()) { _ in
                frame(FrameType.headers, flags: Flag.endHeaders, stream: 1, headerBlock([("x", "y")]))
            },
        ]

        /// So slow that no machine is too slow to use up the burst.
        private static var slowRefill: ConnectionLimits {
            var limits = ConnectionLimits()
            limits.http2.frameRate = 10
            return limits
        }

        @Test(arguments: rows) func `a flood ends in GOAWAY`(_ row: Row) async throws {
            let opening: Int32 = row.opening.isEmpty ? 1 : 3
            let flood = (0..<Self.turns).flatMap { row.turn($0 * 2 + opening) }
            try await besiege(Self.slowRefill, name: row.testDescription, ends: nil) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready + row.opening)
                    // The connection may close before the last bytes are sent.
                    try? await client.send(flood)
                    let goodbye = try await client.goodbye()
                    #expect(goodbye?.code == row.code.number)
                    #expect(
                        row.ends.isEmpty
                            || row.ends.map { #"{"reason":"\#($0.rawValue)"}"# }.contains(goodbye?.text ?? ""),
                        "\(goodbye?.text ?? "")")
                }
            }
        }

        /// As fast as before, but each answer is read before the next request.
        @Test(arguments: [
            (AttackClass.pingFlood, frame(FrameType.ping, Array(repeating: 1, count: 8))),
            (.settingsFlood, frame(FrameType.settings)),
        ]) func `a flood whose acknowledgements are read also ends`(_ attack: AttackClass, _ turn: [UInt8]) async throws
        {
            let turns = (0..<500).flatMap { _ in turn }
            try await besiege(Self.slowRefill, rounds: 2, ends: attack) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready)
                    var isOver = false
                    while !isOver {
                        try? await client.send(turns)
                        var acknowledged = 0
                        while acknowledged < 500, !isOver {
                            let frames = try await client.frames()
                            acknowledged += frames.count { $0.flags == Flag.ack }
                            isOver = frames.isEmpty || frames.contains { $0.type == FrameType.goAway }
                        }
                    }
                }
            }
        }

        @Test func `a client that never reads is disconnected after the timeout`() async throws {
            var limits = ConnectionLimits()
            limits.sendTimeout = .milliseconds(100)
            let questions = (0..<1000).flatMap { headers(path: "/large", stream: Int32($0 * 2 + 1)) }
            try await besiege(limits, rounds: 2, ends: .slowReader) { port in
                try await RawClient.withSilentConnection(to: port) { channel in
                    // The largest windows and 100 answers of 100 kB: more than socket buffers hold.
                    let windows =
                        frame(FrameType.settings, [0, 4, 0x7f, 0xff, 0xff, 0xff])
                        + frame(8, bigEndian(0x7fff_0000 - 65535))
                    try? await channel.writeAndFlush(ByteBuffer(bytes: Self.ready + windows + questions)).get()
                    // Nothing is read; a failing write shows the end.
                    while (try? await channel.writeAndFlush(
                        ByteBuffer(bytes: frame(FrameType.ping, Array(repeating: 1, count: 8)))
                    ).get()) != nil {}
                }
            }
        }

        @Test func `the frame allowance refills with time and with every answer`() async throws {
            try await withServer(.clearText) { port, server, _ in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready)
                    let habits = frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 1]) + frame(8, bigEndian(1))
                    let ping = frame(FrameType.ping, Array(repeating: 1, count: 8))
                    // 600 × 24 frames without effect.
                    let surplus = habits + ping + (0..<20).flatMap { _ in habits.prefix(14) }
                    for turn in 0..<Int32(600) {
                        let stream = turn * 2 + 1
                        try await client.send(headers(stream: stream, endStream: true) + surplus)
                        let answer = try await client.frame { $0.type == FrameType.headers }
                        #expect(answer?.stream == stream)
                    }
                }
                for attack in AttackClass.allCases { #expect(server.attacks[attack] == 0, "\(attack)") }
            }
        }
    }
}

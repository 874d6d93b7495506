import HTTP2Engine
import NIOCore
import ProviderServer
import RequestWire
import TestSupport
import Testing

/// Slow clients. Each waits until the server closes it; the victim beside it is unaffected.
extension HostileTests {
    @Suite(.serialized, .timeLimit(.minutes(5))) struct TimeoutTests {
        /// A slow client: what it sends, which timeout is short, and the error it receives.
        struct Row: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var ends: AttackClass
            var code: HTTP2ErrorCode?
            var timeout: any WritableKeyPath<ConnectionLimits, Duration> & Sendable
            var bytes: [UInt8]
            var waitsForAcknowledgement = false
        }

        static let half = headers(endStream: true)
        static let ready = preface + frame(FrameType.settings, flags: Flag.ack)
        static let rows = [
            Row(testDescription: "nothing at all", ends: .slowPreface, timeout: \.prefaceTimeout, bytes: []),
            Row(testDescription: "half of PRI", ends: .slowPreface, timeout: \.prefaceTimeout, bytes: Array("PR".utf8)),
            Row(
                testDescription: "half of the preface", ends: .slowPreface, code: .protocolError,
                timeout: \.prefaceTimeout,
                bytes: Array("PRI * HTTP/2.0\r\n".utf8)),
            Row(
                testDescription: "the preface without SETTINGS", ends: .slowPreface, code: .protocolError,
                timeout: \.prefaceTimeout, bytes: Array(preface.prefix(24))),
            Row(
                testDescription: "half of its SETTINGS", ends: .slowPreface, code: .protocolError,
                timeout: \.prefaceTimeout,
                bytes: preface.dropLast(3)),
            Row(
                testDescription: "no acknowledgement of SETTINGS", ends: .slowSettings, code: .settingsTimeout,
                timeout: \.settingsTimeout, bytes: preface),
            Row(
                testDescription: "half of a frame's header", ends: .slowFrame, code: .enhanceYourCalm,
                timeout: \.frameTimeout,
                bytes: ready + half.prefix(4)),
            Row(
                testDescription: "half of HEADERS", ends: .slowFrame, code: .enhanceYourCalm, timeout: \.frameTimeout,
                bytes: ready + half.dropLast(3)),
            Row(
                testDescription: "HEADERS without its CONTINUATION", ends: .slowFrame, code: .enhanceYourCalm,
                timeout: \.frameTimeout, bytes: ready + frame(FrameType.headers, stream: 1, headerBlock(plainFields))),
            Row(
                testDescription: "half of DATA", ends: .slowFrame, code: .enhanceYourCalm, timeout: \.frameTimeout,
                bytes: ready + headers() + frame(FrameType.data, stream: 1, Array("{}".utf8)).dropLast()),
            Row(
                testDescription: "no further frames", ends: .idle, code: .noError, timeout: \.idleTimeout,
                bytes: ready + headers(endStream: true)),
        ]

        @Test(arguments: rows) func `a stalled connection is closed with the reason`(_ row: Row) async throws {
            var limits = ConnectionLimits()
            limits[keyPath: row.timeout] = .seconds(1)
            try await besiege(limits, name: row.testDescription, rounds: 1, attackers: 2, ends: row.ends) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(row.bytes)
                    let goodbye = try await client.goodbye()
                    #expect(goodbye?.code == row.code?.number)
                    #expect(goodbye.map { $0.text == #"{"reason":"\#(row.ends.rawValue)"}"# } ?? (row.code == nil))
                }
            }
        }

        @Test func `a TLS handshake has a timeout`() async throws {
            var limits = ConnectionLimits()
            limits.handshakeTimeout = .seconds(2)
            for bytes: [UInt8] in [[], [22], [22, 3, 1, 2, 0, 1]] {
                try await besiege(limits, traffic: .provider, rounds: 1, attackers: 2, ends: .slowHandshake) { port in
                    try await RawClient.withConnection(to: port) { client in
                        try await client.send(bytes)
                        #expect(try await client.rest().isEmpty)
                    }
                }
            }
        }

        @Test func `the head of a CONNECT request has a timeout`() async throws {
            var limits = ConnectionLimits()
            limits.handshakeTimeout = .seconds(1)
            try await withServer(.proxy, limits: limits) { port, server, _ in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send("CONNECT api.push.apple.com:443 HTTP/1.1\r\n")
                    #expect(try await client.rest().isEmpty)
                }
                #expect(server.attacks[.slowHandshake] == 1)
            }
        }

        @Test func `an unfinished request is reset, and the next one is answered`() async throws {
            var limits = ConnectionLimits()
            limits.requestTimeout = .milliseconds(100)
            try await besiege(limits, rounds: 2, ends: .slowRequest) { port in
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(Self.ready + headers() + headers(stream: 3))
                    try await client.send(frame(FrameType.data, stream: 3, Array("{".utf8)))
                    var reset: Set<Int32> = []
                    while reset.count < 2 {
                        let frame = try await client.frame { $0.type == FrameType.reset }
                        #expect(frame?.payload == bigEndian(HTTP2ErrorCode.cancel.number))
                        reset.insert(try #require(frame).stream)
                    }
                    #expect(reset == [1, 3])
                    try await client.send(headers(stream: 5, endStream: true))
                    let answer = try await client.frame { $0.type == FrameType.headers }
                    #expect(answer?.stream == 5)
                }
            }
        }

        @Test func `a request waiting for the server's answer does not time out`() async throws {
            var limits = ConnectionLimits()
            limits.requestTimeout = .milliseconds(20)
            limits.sendTimeout = .milliseconds(20)
            limits.frameTimeout = .milliseconds(20)
            try await withClient(.clearText, limits: limits) { client, server, _ in
                try await client.send(Self.ready + headers(path: "/hold", stream: 1) + headers(stream: 3))
                // When the unfinished request is reset, the other has waited as long.
                let reset = try await client.frame { $0.type == FrameType.reset }
                #expect(reset?.stream == 3)
                try await client.send(headers(path: "/release", stream: 5))
                let answer = try await client.frame { $0.type == FrameType.headers }
                #expect(answer?.stream == 1)
            }
        }

        @Test func `an answer blocked by flow control is reset`() async throws {
            var limits = ConnectionLimits()
            limits.sendTimeout = .milliseconds(100)
            try await besiege(limits, rounds: 2, ends: .slowReader) { port in
                try await RawClient.withConnection(to: port) { client in
                    // SETTINGS_INITIAL_WINDOW_SIZE 0
                    try await client.send(
                        preface + frame(FrameType.settings, [0, 4, 0, 0, 0, 0])
                            + frame(FrameType.settings, flags: Flag.ack)
                            + headers(path: "/body"))
                    let answer = try await client.frame { $0.type == FrameType.headers }
                    #expect(answer?.stream == 1)
                    let reset = try await client.frame { $0.type == FrameType.reset }
                    #expect(reset?.payload == bigEndian(HTTP2ErrorCode.cancel.number))
                }
            }
        }

        /// Sends one byte per answer of the victim, so that the connection is never idle.
        @Test func `the head of a later HTTP/1.1 request has a timeout, even if it drips`() async throws {
            var limits = ConnectionLimits()
            limits.requestTimeout = .milliseconds(200)
            let request = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n"
            try await besiege(limits, rounds: 2, ends: .slowRequest) { port in
                try await RawClient.withSilentConnection(to: port) { channel in
                    var bytes = request + "POST / HTTP/1.1\r\nx: "
                    while (try? await channel.writeAndFlush(ByteBuffer(string: bytes)).get()) != nil {
                        bytes = "y"
                        try await RawClient.withConnection(to: port) { client in
                            try await client.send(request)
                            _ = try await client.text(until: "\r\n\r\n")
                        }
                    }
                }
            }
        }

        @Test func `HTTP/1.1 requests have timeouts`() async throws {
            var limits = ConnectionLimits()
            limits.requestTimeout = .seconds(1)
            limits.idleTimeout = .seconds(2)
            let request = "POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 2\r\n\r\n"
            for (bytes, attack) in [
                ("POST / HT", AttackClass.slowRequest), (request + "{", .slowRequest), (request + "{}", .idle),
            ] {
                try await withServer(.clearText, limits: limits) { port, server, _ in
                    try await RawClient.withConnection(to: port) { client in
                        try await client.send(bytes)
                        _ = try await client.rest()
                    }
                    #expect(server.attacks[attack] == 1, "\(bytes)")
                }
            }
        }
    }
}

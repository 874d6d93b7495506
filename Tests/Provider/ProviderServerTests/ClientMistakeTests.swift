import Logging
import NIOCore
import RequestWire
import Synchronization
import TLSEngine
import TestSupport
import Testing

/// Clients that speak the wrong protocol: the answer and the log entry.
@Suite(.timeLimit(.minutes(5))) struct ClientMistakeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var traffic: Traffic
        /// Bytes are sent inside TLS.
        var isInsideTLS = false
        var bytes: [UInt8]
        /// The answer, as far as it is text.
        var answer: String
        var line: String
    }

    static let request = Array("POST /3/device/\(String(repeating: "ab", count: 32)) HTTP/1.1\r\nhost: a\r\n\r\n".utf8)
    static let hello: [UInt8] = [22, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3] + Array(repeating: 7, count: 60)
    static let rubbish: [UInt8] = [0, 0xff, 0x80, 1, 2, 3, 4, 5] + Array(repeating: 0x9c, count: 40)
    private static let missing = "HTTP/2 client preface string missing or corrupt. Hex dump for received bytes: "
    private static let nonsense = "The first bytes are neither TLS nor HTTP"
    private static let insideTLS = "TLS succeeded, but the first bytes inside it are not HTTP/2"

    static let rows = [
        Row(
            testDescription: "HTTP/1.1 on the TLS port", traffic: .provider, bytes: request,
            answer: missing + "504f5354",
            line: "Clear text on the TLS port"),
        Row(
            testDescription: "HTTP/2 without TLS on the TLS port", traffic: .provider, bytes: preface,
            answer: missing + "50524920", line: "Clear text on the TLS port"),
        Row(
            testDescription: "rubbish on the TLS port", traffic: .provider, bytes: rubbish, answer: missing + "00ff80",
            line: nonsense),
        Row(
            testDescription: "HTTP/1.1 inside TLS", traffic: .provider, isInsideTLS: true, bytes: request,
            answer: missing + "504f5354", line: "HTTP/1.1 where APNs speaks HTTP/2 only"),
        Row(
            testDescription: "rubbish inside TLS", traffic: .provider, isInsideTLS: true, bytes: rubbish,
            answer: missing + "00ff80", line: insideTLS),
        Row(
            testDescription: "mail inside TLS", traffic: .provider, isInsideTLS: true,
            bytes: Array("EHLO mail.example.com\r\n".utf8), answer: missing + "45484c4f", line: insideTLS),
        Row(
            testDescription: "TLS inside TLS", traffic: .provider, isInsideTLS: true, bytes: hello,
            answer: missing + "16030102", line: insideTLS),
        Row(
            testDescription: "half a preface inside TLS", traffic: .provider, isInsideTLS: true,
            bytes: Array("PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n".utf8), answer: missing + "50524920",
            line: "Invalid HTTP/2 connection preface"),
        Row(
            testDescription: "another version of the preface on the clear-text port", traffic: .clearText,
            bytes: Array("PRI / HTTP/1.1\r\n\r\nSM\r\n\r\n".utf8), answer: missing + "50524920",
            line: "Invalid HTTP/2 connection preface"),
        Row(
            testDescription: "TLS on the clear-text port", traffic: .clearText, bytes: hello, answer: "",
            line: "TLS on the clear-text port"),
        Row(
            testDescription: "rubbish on the clear-text port", traffic: .clearText, bytes: rubbish + [13, 10, 13, 10],
            answer: "HTTP/1.1 400", line: nonsense),
        Row(
            testDescription: "TLS on the proxy port", traffic: .proxy, bytes: hello,
            answer: "the proxy's URL must begin with http://", line: "TLS on the proxy port"),
        Row(
            testDescription: "rubbish on the proxy port", traffic: .proxy, bytes: rubbish, answer: "HTTP/1.1 400",
            line: nonsense),
    ]

    @Test(arguments: rows) func `a client that speaks another protocol gets an immediate error, and the log an entry`(
        _ row: Row
    ) async throws {
        let log = LogLines()
        try await withClient(row.traffic, isInsideTLS: false, logger: log.logger) { client, _, _ in
            if row.isInsideTLS { try await client.startTLS() }
            try await client.send(row.bytes)
            let answer = String(decoding: try await client.rest(), as: UTF8.self)
            #expect(answer.contains(row.answer), "\(answer.debugDescription)")
        }
        #expect(log.lines.map(\.message).filter { !$0.hasPrefix(row.line) } == [])
        #expect(log.lines.count == 1)
    }

    @Test func `ALPN without h2 gets the alert no_application_protocol and a log entry`() async throws {
        let log = LogLines()
        try await withClient(.provider, isInsideTLS: false, logger: log.logger) { client, _, _ in
            var tls = TLSClient()
            tls.protocols = ["http/1.1"]
            let error = await #expect(throws: TLSError.self) { try await client.startTLS(tls) }
            #expect(error?.reasons.contains { $0.contains("no application protocol") } == true)
        }
        #expect(
            log.lines.map(\.message) == [
                "ALPN without h2: switch the client to HTTP/2, or use the clear-text port for HTTP/1.1"
            ])
        #expect(log.lines.first?.metadata["offered"] == "http/1.1")
    }

    @Test func `a repeated mistake does not flood the log`() async throws {
        let log = LogLines()
        let count = 60
        let start = ContinuousClock.now
        try await withServer(.provider, logger: log.logger) { port, _, _ in
            for _ in 0..<count {
                try await RawClient.withConnection(to: port) { client in
                    try await client.send([22, 3, 1, 0, 5, 0xff, 0xff, 0xff, 0xff, 0xff])
                    _ = try await client.rest()
                }
            }
            try await RawClient.withConnection(to: port) { client in
                try await client.send(Self.request)
                _ = try await client.rest()
            }
        }
        // The server has stopped and flushed its log.
        let failures = log.lines.filter { $0.message == "TLS failed" }
        #expect(failures.reduce(0) { $0 + (Int($1.metadata["count"] ?? "1") ?? 0) } == count)
        // One at once, one a second, and the final one at the stop.
        let seconds = Int((ContinuousClock.now - start) / .seconds(1))
        #expect(failures.count <= 2 + seconds, "\(failures.count) lines in \(seconds) s")
        #expect(failures.first?.metadata["count"] == nil)
        // Another kind does not wait for it.
        #expect(log.lines.contains { $0.message.hasPrefix("Clear text on the TLS port") })
    }

    static let violations: [(bytes: [UInt8], message: String, code: String)] = [
        (
            headers(stream: 5, endStream: true) + headers(stream: 3, endStream: true),
            "Connection ended: HEADERS out of order.", "PROTOCOL_ERROR"
        ),
        (
            headers(stream: 1, endStream: true) + headers(stream: 1, endStream: true), "Connection ended: the client",
            "STREAM_CLOSED"
        ),
        (frame(FrameType.ping, [1]), "Connection ended: the client", "FRAME_SIZE_ERROR"),
    ]

    @Test(arguments: violations.indices) func `a connection that ends for an error of HTTP/2 has one line`(
        _ index: Int
    ) async throws {
        let (bytes, message, code) = Self.violations[index]
        let log = LogLines()
        try await withClient(.clearText, logger: log.logger) { client, _, _ in
            try await client.send(preface + bytes)
            _ = try await client.rest()
        }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.message.hasPrefix(message) == true)
        #expect(log.lines.first?.metadata["code"] == code)
    }

    @Test func `each limit that ends connections has a line, and says how often`() async throws {
        let log = LogLines()
        let attacks = [frame(0x20), frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 0])]
        try await withServer(.clearText, logger: log.logger) { port, _, _ in
            for attack in attacks + attacks {
                try await RawClient.withConnection(to: port) { client in
                    try await client.send(preface + (0..<60_000).flatMap { _ in attack })
                    _ = try? await client.rest()
                }
            }
        }
        #expect(log.lines.allSatisfy { $0.message.hasPrefix("Connection ended by a limit") })
        let limits = Dictionary(grouping: log.lines) { $0.metadata["limit"] ?? "" }
        #expect(limits.count == 2, "\(limits.keys)")
        #expect(
            limits.values.allSatisfy { lines in lines.reduce(0) { $0 + (Int($1.metadata["count"] ?? "1") ?? 0) } == 2 })
    }

    @Test func `refused streams are all reported to the delegate, and once to the log`() async throws {
        let log = LogLines()
        try await withClient(.clearText, logger: log.logger) { client, _, delegates in
            let requests = (0..<103).flatMap { headers(stream: $0 * 2 + 1) }
            try await client.send(preface + frame(FrameType.settings, flags: Flag.ack) + requests)
            for _ in 0..<3 {
                let refusal = try await client.frame { $0.type == FrameType.reset }
                #expect(refusal?.payload == bigEndian(HTTP2ErrorCode.refusedStream.number))
            }
            await delegates.wait(for: "refused 3")
            try await client.send(headers(stream: 207, endStream: true))
            #expect(try await client.frame { $0.type == FrameType.reset }?.stream == 207)
            await delegates.wait(for: "refused 1")
        }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.message.contains("wait for the server's SETTINGS") == true)
        #expect(log.lines.first?.metadata["streams"] == "3")
    }
}

/// A server's log messages from level `info` up.
final class LogLines: Sendable {
    struct Line: Sendable {
        var message: String
        var metadata: [String: String]
    }

    private let kept = Mutex<[Line]>([])

    var lines: [Line] { kept.withLock { $0 } }

    var logger: Logger { Logger(label: "test") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        var lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let texts = (event.metadata ?? [:]).mapValues { "\($0)" }
            lines.kept.withLock { $0.append(Line(message: "\(event.message)", metadata: texts)) }
        }
    }
}

import RequestWire
import TestSupport
import Testing

/// RFC 9113 and RFC 7541 section by section, over a socket. Each row uses its own connection, and the next one must be served.
@Suite(.timeLimit(.minutes(5))) struct ConformanceTests {
    static let rows =
        ConformanceRow.framing + ConformanceRow.streams + ConformanceRow.definitions + ConformanceRow.messages
        + ConformanceRow.compression + ConformanceRow.genericStreams + ConformanceRow.genericFrames
        + ConformanceRow.genericCompression + ConformanceRow.rest + ConformanceRow.afterTheEnd

    @Test(arguments: rows) func `follows the standards`(_ row: ConformanceRow) async throws {
        try await withServer(.clearText) { port, _, _ in
            try await row.run(on: port)
            try await ConformanceRow("", "the next connection", .answered(1), headers(endStream: true)).run(on: port)
        }
    }

    /// If the client waits for each answer, streams that were half-closed in the test above are already closed.
    @Test(arguments: rows, [Traffic.clearText, .provider])
    func `follows the standards when each frame waits for earlier answers`(
        _ row: ConformanceRow, _ traffic: Traffic
    ) async throws {
        try await withServer(traffic) { port, _, _ in
            try await row.run(on: port, over: traffic, .oneByOne)
            let next = ConformanceRow("", "the next connection", .answered(1), headers(endStream: true))
            try await next.run(on: port, over: traffic)
        }
    }

    @Test(arguments: ["PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"])
    func `RFC 9113 3.4: another preface is rejected`(_ text: String) async throws {
        try await withClient(.provider) { client, _, _ in
            try await client.send(text)
            let goodbye = try await client.goodbye()
            #expect(goodbye?.code == HTTP2ErrorCode.protocolError.number)
        }
    }

    @Test(arguments: [Traffic.clearText, .provider])
    func `RFC 9113 3_4: the server begins with SETTINGS`(_ traffic: Traffic) async throws {
        try await withClient(traffic) { client, _, _ in
            try await client.send(preface)
            let first = try await client.frame { _ in true }
            #expect(first?.type == FrameType.settings && first?.flags == 0, "\(String(describing: first))")
        }
    }

    @Test func `RFC 9113 3_4: the preface is followed by SETTINGS and nothing else`() async throws {
        try await withClient(.clearText) { client, _, _ in
            try await client.send(Array(preface.prefix(24)) + headers(endStream: true))
            let goodbye = try await client.goodbye()
            #expect(goodbye?.code == HTTP2ErrorCode.protocolError.number)
        }
    }

    @Test func `RFC 9113 6_9_2: an answer obeys flow-control windows, also when they change`() async throws {
        func window(_ size: UInt32) -> [UInt8] { frame(FrameType.settings, [0, 4] + bigEndian(size)) }
        try await withClient(.clearText) { client, _, _ in
            try await client.send(preface + window(3) + headers(path: "/body"))
            let first = try await client.frame { $0.type == FrameType.data }
            #expect(first?.payload.count == 3)
            // The window is now 2 - 3 = -1: one more byte raises it to 0, the next to 1.
            try await client.send(window(2) + frame(8, stream: 1, bigEndian(2)))
            let second = try await client.frame { $0.type == FrameType.data }
            #expect(second?.payload.count == 1)
            try await client.send(window(100))
            let last = try await client.frame { $0.type == FrameType.data }
            #expect(last?.payload.count == 96)
            #expect(last?.flags == Flag.endStream)
        }
    }
}

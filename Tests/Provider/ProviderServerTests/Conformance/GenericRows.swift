import RequestWire
import TestSupport

/// What every server must accept: h2spec's generic cases, and others without an error.
extension ConformanceRow {
    private static let window: UInt8 = 8

    private static func request(_ method: String, flags: UInt8 = 0, stream: Int32 = 1, before: [UInt8] = []) -> [UInt8]
    {
        let fields = plainFields.map { $0.0 == ":method" ? ($0.0, method) : $0 }
        return frame(
            FrameType.headers, flags: Flag.endHeaders | Flag.endStream | flags, stream: stream,
            before + headerBlock(fields))
    }

    private static func data(_ text: String, flags: UInt8 = 0) -> [UInt8] {
        frame(FrameType.data, flags: flags, stream: 1, Array(text.utf8))
    }

    private static func priority(_ stream: Int32, on other: UInt32 = 0, weight: UInt8 = 255) -> [UInt8] {
        frame(FrameType.priority, stream: stream, bigEndian(other) + [weight])
    }

    private static let whole = request("POST")
    private static let open = headers()
    private static let end = data("test", flags: Flag.endStream)
    private static let reset = frame(FrameType.reset, stream: 1, bigEndian(8))

    /// A request whose answer's body is blocked by flow control.
    private static let held = frame(FrameType.settings, [0, 4] + bigEndian(0)) + headers(path: "/body")

    static let genericStreams: [ConformanceRow] = [
        .init("generic 1", "a connection preface, and a request behind it", .answered(1), whole),
        .init("generic 2", "PRIORITY of an idle stream", .answered(1), priority(1) + whole),
        .init(
            "generic 2", "WINDOW_UPDATE when half closed", .answered(1), whole + frame(window, stream: 1, bigEndian(1))),
        .init(
            "generic 2", "WINDOW_UPDATE when half closed, and the answer waits for it", .data(1, 1),
            held + frame(window, stream: 1, bigEndian(1))),
        .init("generic 2", "PRIORITY when half closed", .answered(1), whole + priority(1)),
        .init(
            "generic 2", "PRIORITY when half closed, and the answer waits", .data(1, 1),
            held + priority(1) + frame(window, stream: 1, bigEndian(1))),
        .init(
            "generic 2", "RST_STREAM when half closed", .alive, whole + frame(FrameType.reset, stream: 1, bigEndian(8))),
        .init(
            "generic 2", "PRIORITY when closed", .answered(3),
            whole + reset + priority(1) + headers(stream: 3, endStream: true)),
    ]

    private static let parameters: [(identifier: UInt8, value: UInt32)] = [
        (1, 4096), (2, 1), (3, 100), (4, 65535), (5, 16384), (6, 100),
    ]

    static let genericFrames: [ConformanceRow] = [
        .init("generic 3.1", "DATA", .answered(1), open + end),
        .init("generic 3.1", "several DATA", .answered(1), open + data("te") + end),
        .init(
            "generic 3.1", "DATA with padding", .answered(1),
            open
                + frame(
                    FrameType.data, flags: Flag.padded | Flag.endStream, stream: 1, [2] + Array("test".utf8) + [0, 0])),
        .init(
            "generic 3.2", "HEADERS with padding", .answered(1),
            frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.endStream | Flag.padded, stream: 1,
                [3] + headerBlock(plainFields) + [0, 0, 0])),
        .init(
            "generic 3.2", "HEADERS with priority", .answered(1),
            request("POST", flags: Flag.priority, before: bigEndian(0) + [15])),
        .init("generic 3.3", "PRIORITY of weight 1", .answered(1), priority(1, weight: 0) + whole),
        .init("generic 3.3", "PRIORITY that depends on a stream", .answered(1), priority(1, on: 3) + whole),
        .init("generic 3.3", "PRIORITY of a stream that depends on the next", .answered(1), priority(3, on: 1) + whole),
        .init("generic 3.3", "PRIORITY that excludes", .answered(1), priority(1, on: 0x8000_0003) + whole),
        .init("generic 3.3", "PRIORITY that excludes all others", .answered(1), priority(1, on: 0x8000_0000) + whole),
        .init("generic 3.3", "PRIORITY of an idle stream, HEADERS of a lower one", .answered(1), priority(5) + whole),
        .init("generic 3.4", "RST_STREAM", .answered(3), open + reset + headers(stream: 3, endStream: true)),
        .init("generic 3.5", "SETTINGS", .answered(1), frame(FrameType.settings, [0, 3] + bigEndian(100)) + whole),
        .init(
            "generic 3.5", "SETTINGS with every parameter", .acknowledged,
            frame(FrameType.settings, parameters.flatMap { [0, $0.identifier] + bigEndian($0.value) })),
        .init("generic 3.7", "PING", .alive, frame(FrameType.ping, Array(repeating: 7, count: 8))),
        .init(
            "generic 3.8", "GOAWAY, and the answer to what was asked before it", .answered(1),
            whole + frame(FrameType.goAway, bigEndian(0) + bigEndian(0))),
        .init(
            "generic 3.8", "GOAWAY with debug data", .noError,
            frame(FrameType.goAway, bigEndian(0) + bigEndian(0) + Array("goodbye".utf8))),
        .init("generic 3.9", "WINDOW_UPDATE of the connection", .answered(1), frame(window, bigEndian(1)) + whole),
        .init(
            "generic 3.9", "WINDOW_UPDATE of a stream", .answered(1),
            open + frame(window, stream: 1, bigEndian(1)) + end),
        .init(
            "generic 3.10", "CONTINUATION", .answered(1),
            frame(FrameType.headers, flags: Flag.endStream, stream: 1, Array(headerBlock(plainFields).prefix(30)))
                + frame(
                    FrameType.continuation, flags: Flag.endHeaders, stream: 1,
                    Array(headerBlock(plainFields).dropFirst(30)))),
        .init(
            "generic 3.10", "several CONTINUATION, one of them empty", .answered(1),
            frame(FrameType.headers, flags: Flag.endStream, stream: 1)
                + frame(FrameType.continuation, stream: 1, Array(headerBlock(plainFields).prefix(30)))
                + frame(FrameType.continuation, stream: 1)
                + frame(
                    FrameType.continuation, flags: Flag.endHeaders, stream: 1,
                    Array(headerBlock(plainFields).dropFirst(30)))),
        .init("generic 4", "GET", .answered(1), request("GET")),
        .init("generic 4", "HEAD", .answered(1), request("HEAD")),
        .init(
            "generic 4", "POST with trailers that it announces", .answered(1),
            headers(plainFields + [("trailer", "x-sum")]) + data("test") + headers([("x-sum", "1")], endStream: true)),
    ]

    /// `custom-key` and `custom-value` in Huffman's code (RFC 7541 C.4.3), with their lengths.
    private static let key: [UInt8] = [0x88, 0x25, 0xa8, 0x49, 0xe9, 0x5b, 0xa9, 0x7d, 0x7f]
    private static let value: [UInt8] = [0x89, 0x25, 0xa8, 0x49, 0xe9, 0x5b, 0xb8, 0xe8, 0xb4, 0xbf]
    private static let plainKey: [UInt8] = [3] + Array("key".utf8)
    private static let plainValue: [UInt8] = [5] + Array("value".utf8)

    private static func compressed(_ name: String, before: [UInt8] = [], _ field: [UInt8]) -> ConformanceRow {
        let block = before + headerBlock(plainFields) + field
        return .init(
            "generic 5", name, .answered(1),
            frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1, block))
    }

    /// RFC 7541 §6: every way to write a field. 0x3a, or 0x0f 0x2b, is `user-agent` (58) in the static table.
    static let genericCompression: [ConformanceRow] = [
        compressed("an indexed field", [0x90]),
        compressed("a field to be indexed, name indexed", [0x7a] + plainValue),
        compressed("a field to be indexed, name indexed, in Huffman's code", [0x7a] + value),
        compressed("a field to be indexed, new name", [0x40] + plainKey + plainValue),
        compressed("a field to be indexed, new name, in Huffman's code", [0x40] + key + value),
        compressed("a field not indexed, name indexed", [0x0f, 0x2b] + plainValue),
        compressed("a field not indexed, name indexed, in Huffman's code", [0x0f, 0x2b] + value),
        compressed("a field not indexed, new name", [0x00] + plainKey + plainValue),
        compressed("a field not indexed, new name, in Huffman's code", [0x00] + key + value),
        compressed("a field never indexed, name indexed", [0x1f, 0x2b] + plainValue),
        compressed("a field never indexed, name indexed, in Huffman's code", [0x1f, 0x2b] + value),
        compressed("a field never indexed, new name", [0x10] + plainKey + plainValue),
        compressed("a field never indexed, new name, in Huffman's code", [0x10] + key + value),
        compressed("a change of the table's size", before: [0x21], []),
        compressed("two changes of the table's size", before: [0x20, 0x3f, 0xe1, 0x1f], []),
    ]

    /// h2spec's cases that `FrameRows` does not have.
    static let rest: [ConformanceRow] = [
        .init(
            "4.3", "a header block that ends within a field", .connectionError([.compressionError]),
            frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1, [0x40])),
        .init(
            "5.1.2", "an answered stream above the limit, as no window lets the answers through",
            .streamError(201, [.refusedStream, .protocolError]),
            frame(FrameType.settings, [0, 4] + bigEndian(0))
                + (0...100).flatMap { headers(path: "/body", stream: $0 * 2 + 1) }),
        .init(
            "5.5", "an unknown frame of the connection inside a header block", .connectionError([.protocolError]),
            frame(FrameType.headers, flags: Flag.endStream, stream: 1, headerBlock(plainFields))
                + frame(0x16, Array(repeating: 0, count: 8))),
        .init(
            "6.3", "PRIORITY of another length, of a stream that has ended", .streamError(1, [.frameSizeError]),
            whole + frame(FrameType.priority, stream: 1, [0, 0, 0, 1])),
        .init(
            "6.4", "RST_STREAM of another length, of a stream that has ended", .connectionError([.frameSizeError]),
            whole + frame(FrameType.reset, stream: 1, [0, 0, 0])),
        .init(
            "6.5", "SETTINGS of another length, and not all of it", .connectionError([.frameSizeError]),
            frame(FrameType.settings, [0, 3, 0, 0, 0, 100, 0, 2, 0]).dropLast()),
        .init(
            "8.4", "PUSH_PROMISE of an idle stream", .connectionError([.protocolError]),
            frame(5, flags: Flag.endHeaders, stream: 1, bigEndian(3) + headerBlock(plainFields))),
        .init(
            "6.5.3", "the last of several INITIAL_WINDOW_SIZE counts", .data(1, 1),
            frame(FrameType.settings, [0, 4] + bigEndian(100) + [0, 4] + bigEndian(1)) + headers(path: "/body")),
        .init(
            "6.9.1", "an answer larger than its window", .data(1, 1),
            frame(FrameType.settings, [0, 4] + bigEndian(1)) + headers(path: "/body")),
        .init("6.5.3", "SETTINGS are acknowledged", .acknowledged, frame(FrameType.settings)),
        .init(
            "6.9.2", "SETTINGS that bring a window just to its maximum", .answered(1),
            open + frame(window, stream: 1, bigEndian(0x7fff_0000))
                + frame(FrameType.settings, [0, 4] + bigEndian(65535))
                + end),
        .init(
            "6.9.2", "SETTINGS that make a window overflow in their second entry",
            .connectionError([.flowControlError]),
            open + frame(window, stream: 1, bigEndian(0x7fff_0000 - 65535))
                + frame(FrameType.settings, [0, 4] + bigEndian(0) + [0, 4] + bigEndian(0x7fff_ffff))),
        .init(
            "7", "an unknown error code in GOAWAY", .noError, frame(FrameType.goAway, bigEndian(0) + bigEndian(0xff))),
    ]
}

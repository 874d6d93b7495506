import RequestWire
import TestSupport

extension ConformanceRow {
    private static let block = headerBlock(plainFields)
    private static let open = headers(stream: 1)
    private static let whole = headers(stream: 1, endStream: true)
    private static let promise: UInt8 = 5
    private static let window: UInt8 = 8

    private static func data(_ stream: Int32 = 1, _ text: String = "test", flags: UInt8 = Flag.endStream) -> [UInt8] {
        frame(FrameType.data, flags: flags, stream: stream, Array(text.utf8))
    }

    private static func setting(_ identifier: UInt8, _ value: UInt32) -> [UInt8] {
        frame(FrameType.settings, [0, identifier] + bigEndian(value))
    }

    /// RFC 9113 §4: frames and header blocks.
    static let framing: [ConformanceRow] = [
        .init("4.1", "an unknown frame type is ignored", .alive, frame(0xff, Array(repeating: 0, count: 8))),
        .init(
            "4.1", "undefined flags are ignored", .alive,
            frame(FrameType.ping, flags: 0xfe & ~Flag.ack, Array(repeating: 0, count: 8))),
        .init(
            "4.1", "the reserved bit is ignored", .alive,
            frame(FrameType.ping, stream: Int32(bitPattern: 0x8000_0000), Array(repeating: 0, count: 8))),
        .init("4.2", "a DATA frame of 16384 bytes", .answered(1), open + data(1, String(repeating: "x", count: 16384))),
        .init(
            "4.2", "a DATA frame over SETTINGS_MAX_FRAME_SIZE", .streamError(1, [.frameSizeError]),
            open + data(1, String(repeating: "x", count: 16385))),
        .init(
            "4.2", "a HEADERS frame over SETTINGS_MAX_FRAME_SIZE", .connectionError([.frameSizeError]),
            frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1,
                block + headerBlock([("x", String(repeating: "y", count: 16384))]))),
        .init(
            "4.3", "a header block that cannot be decoded", .connectionError([.compressionError]),
            frame(FrameType.headers, flags: Flag.endHeaders, stream: 1, [0, 0xff, 0xff, 0xff, 0xff, 0xff])),
        .init(
            "4.3", "PRIORITY inside a header block", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block) + frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 255])),
        .init(
            "4.3", "HEADERS of another stream inside a header block", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block) + headers(stream: 3)),
        .init(
            "5.5", "an unknown frame of a stream is ignored", .answered(1), open + frame(0xff, stream: 1, [1]) + data()),
        .init(
            "5.5", "an unknown frame inside a header block", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block) + frame(0xff, stream: 1)),
    ]

    /// RFC 9113 §5: streams.
    static let streams: [ConformanceRow] = [
        .init("5.1", "idle: DATA", .connectionError([.protocolError]), data()),
        .init(
            "5.1", "idle: RST_STREAM", .connectionError([.protocolError]),
            frame(FrameType.reset, stream: 1, bigEndian(8))),
        .init(
            "5.1", "idle: WINDOW_UPDATE", .connectionError([.protocolError]), frame(window, stream: 1, bigEndian(100))),
        .init(
            "5.1", "idle: CONTINUATION", .connectionError([.protocolError]),
            frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, block)),
        .init("5.1", "idle: PRIORITY is allowed", .alive, frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 255])),
        .init(
            "5.1", "closed: WINDOW_UPDATE, PRIORITY and RST_STREAM are allowed", .alive,
            open + frame(FrameType.reset, stream: 1, bigEndian(8)) + frame(window, stream: 1, bigEndian(1))
                + frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 255])
                + frame(FrameType.reset, stream: 1, bigEndian(8))),
        .init(
            "5.1", "closed by RST_STREAM: DATA", .streamError(1, [.streamClosed]),
            open + frame(FrameType.reset, stream: 1, bigEndian(8)) + data()),
        .init(
            "5.1", "closed by RST_STREAM: HEADERS", .streamError(1, [.streamClosed]),
            open + frame(FrameType.reset, stream: 1, bigEndian(8)) + whole),
        .init(
            "5.1", "closed by RST_STREAM: CONTINUATION", .connectionError([.streamClosed, .protocolError]),
            open + frame(FrameType.reset, stream: 1, bigEndian(8))
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, block)),
        .init("5.1.1", "an even stream", .connectionError([.protocolError]), headers(stream: 2, endStream: true)),
        .init(
            "5.1.1", "a stream lower than an earlier one", .connectionError([.protocolError]),
            headers(stream: 5, endStream: true) + headers(stream: 3, endStream: true)),
        .init(
            "5.1.1", "the highest streams there are", .alive,
            headers(stream: .max - 2, endStream: true) + headers(stream: .max, endStream: true)),
        .init(
            "5.1.1", "an even stream below the highest", .connectionError([.protocolError]),
            frame(FrameType.headers, flags: Flag.endHeaders, stream: .max - 1, [0x82])
                + frame(FrameType.headers, flags: Flag.endHeaders, stream: .max, [0x82])),
        .init(
            "5.1.2", "a stream above the limit", .streamError(201, [.refusedStream, .protocolError]),
            (0...100).flatMap { headers(stream: $0 * 2 + 1) }),
        .init(
            "5.3.1", "HEADERS that depend on themselves", .streamError(1, [.protocolError]),
            frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.endStream | Flag.priority, stream: 1,
                [0, 0, 0, 1, 255] + block)),
        .init(
            "5.3.1", "PRIORITY that depends on itself", .streamError(1, [.protocolError]),
            frame(FrameType.priority, stream: 1, [0, 0, 0, 1, 255])),
        .init(
            "5.4.1", "the connection ends after an error", .connectionError([.frameSizeError]),
            frame(FrameType.ping, [0, 0]) + whole),
    ]

    /// RFC 9113 §6: frame by frame.
    static let definitions: [ConformanceRow] = [
        .init("6.1", "DATA on stream 0", .connectionError([.protocolError]), data(0)),
        .init(
            "6.1", "DATA with too much padding", .connectionError([.protocolError]),
            open + frame(FrameType.data, flags: Flag.padded | Flag.endStream, stream: 1, [6] + Array("test".utf8))),
        .init("6.2", "HEADERS on stream 0", .connectionError([.protocolError]), headers(stream: 0)),
        .init(
            "6.2", "HEADERS with too much padding", .connectionError([.protocolError]),
            frame(
                FrameType.headers, flags: Flag.padded | Flag.endHeaders, stream: 1, [UInt8(block.count) + 1] + block)),
        .init(
            "6.3", "PRIORITY on stream 0", .connectionError([.protocolError]),
            frame(FrameType.priority, [0, 0, 0, 0, 1])),
        .init(
            "6.3", "PRIORITY of another length", .streamError(1, [.frameSizeError]),
            open + frame(FrameType.priority, stream: 1, [0, 0, 0, 1])),
        .init(
            "6.4", "RST_STREAM on stream 0", .connectionError([.protocolError]), frame(FrameType.reset, bigEndian(8))),
        .init(
            "6.4", "RST_STREAM of another length", .connectionError([.frameSizeError]),
            open + frame(FrameType.reset, stream: 1, [0, 0, 0])),
        .init(
            "6.5", "SETTINGS acknowledgement with a payload", .connectionError([.frameSizeError]),
            frame(FrameType.settings, flags: Flag.ack, [0, 0, 0, 0, 0, 0])),
        .init("6.5", "SETTINGS on a stream", .connectionError([.protocolError]), frame(FrameType.settings, stream: 1)),
        .init(
            "6.5", "SETTINGS of another length", .connectionError([.frameSizeError]),
            frame(FrameType.settings, [0, 3, 0])),
        .init("6.5.2", "ENABLE_PUSH 2", .connectionError([.protocolError]), setting(2, 2)),
        .init("6.5.2", "INITIAL_WINDOW_SIZE too large", .connectionError([.flowControlError]), setting(4, 0x8000_0000)),
        .init("6.5.2", "MAX_FRAME_SIZE too small", .connectionError([.protocolError]), setting(5, 16383)),
        .init("6.5.2", "MAX_FRAME_SIZE too large", .connectionError([.protocolError]), setting(5, 16_777_216)),
        .init("6.5.2", "an unknown setting is ignored", .alive, setting(0xff, 1)),
        .init(
            "6.7", "a PING acknowledgement is not answered", .onlyPong,
            frame(FrameType.ping, flags: Flag.ack, Array(repeating: 7, count: 8))),
        .init(
            "6.7", "PING on a stream", .connectionError([.protocolError]),
            frame(FrameType.ping, stream: 1, Array(repeating: 0, count: 8))),
        .init(
            "6.7", "PING of another length", .connectionError([.frameSizeError]),
            frame(FrameType.ping, [0, 0, 0, 0, 0, 0])),
        .init(
            "6.8", "GOAWAY on a stream", .connectionError([.protocolError]),
            frame(FrameType.goAway, stream: 1, bigEndian(0) + bigEndian(0))),
        .init("6.9", "WINDOW_UPDATE of 0", .connectionError([.protocolError]), frame(window, bigEndian(0))),
        .init(
            "6.9", "WINDOW_UPDATE of 0 on a stream", .streamError(1, [.protocolError]),
            open + frame(window, stream: 1, bigEndian(0))),
        .init("6.9", "WINDOW_UPDATE of another length", .connectionError([.frameSizeError]), frame(window, [0, 0, 1])),
        .init(
            "6.9.1", "a connection's window over the maximum", .connectionError([.flowControlError]),
            frame(window, bigEndian(0x7fff_ffff)) + frame(window, bigEndian(0x7fff_ffff))),
        .init(
            "6.9.1", "a stream's window over the maximum", .streamError(1, [.flowControlError]),
            open + frame(window, stream: 1, bigEndian(0x7fff_ffff)) + frame(window, stream: 1, bigEndian(0x7fff_ffff))),
        .init(
            "6.9.2", "SETTINGS that make a window overflow", .connectionError([.flowControlError]),
            open + frame(window, stream: 1, bigEndian(0x7fff_0000 - 65535)) + setting(4, 0x7fff_ffff)),
        .init(
            "6.10", "several CONTINUATION", .answered(1),
            frame(FrameType.headers, flags: Flag.endStream, stream: 1, Array(block.prefix(9)))
                + frame(FrameType.continuation, stream: 1, Array(block[9..<19]))
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, Array(block[19...]))),
        .init(
            "6.10", "DATA instead of CONTINUATION", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block) + data()),
        .init(
            "6.10", "DATA after CONTINUATION that did not end the block", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block) + frame(FrameType.continuation, stream: 1) + data()),
        .init(
            "6.10", "CONTINUATION on stream 0", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block) + frame(FrameType.continuation, flags: Flag.endHeaders, [])),
        .init(
            "6.10", "CONTINUATION after the end of the block", .connectionError([.protocolError]),
            open + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, block)),
        .init(
            "6.10", "CONTINUATION after the end of the block and the stream",
            .connectionError([.protocolError, .streamClosed]),
            frame(FrameType.headers, flags: Flag.endStream, stream: 1, block)
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1)
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1)),
        .init(
            "6.10", "CONTINUATION after CONTINUATION that ended the block", .connectionError([.protocolError]),
            frame(FrameType.headers, stream: 1, block)
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1)
                + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1)),
        .init(
            "6.10", "CONTINUATION after DATA", .connectionError([.protocolError]),
            open + data(flags: 0) + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, block)),
        .init(
            "7", "an unknown error code in RST_STREAM", .alive,
            open + frame(FrameType.reset, stream: 1, bigEndian(0xff))),
        .init(
            "8.4", "PUSH_PROMISE from a client", .connectionError([.protocolError]),
            open + frame(promise, flags: Flag.endHeaders, stream: 1, bigEndian(2) + block)),
    ]
}

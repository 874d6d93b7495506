import RequestWire
import TestSupport

/// RFC 9113 §5.1: frames after the end of a stream, and frames that cross the server's reset.
extension ConformanceRow {
    private static let whole = headers(endStream: true)
    private static let open = headers()
    private static let end = data(1, endsStream: true)
    private static let window = frame(FrameType.windowUpdate, stream: 1, bigEndian(1))
    private static let priority = frame(FrameType.priority, stream: 1, [0, 0, 0, 0, 255])
    private static let reset = frame(FrameType.reset, stream: 1, bigEndian(8))
    /// A request that the server resets while its client is still sending the body.
    private static let malformed = headers(plainFields + [("connection", "close")])

    private static func data(_ stream: Int32, endsStream: Bool) -> [UInt8] {
        frame(FrameType.data, flags: endsStream ? Flag.endStream : 0, stream: stream, Array("test".utf8))
    }

    private static func block(_ stream: Int32, _ bytes: [UInt8]) -> [UInt8] {
        frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: stream, bytes)
    }

    static let afterTheEnd: [ConformanceRow] = [
        .init("5.1", "closed: DATA", .connectionError([.streamClosed]), whole + end),
        .init("5.1", "closed: HEADERS", .connectionError([.streamClosed]), whole + whole),
        .init(
            "5.1", "closed: CONTINUATION", .connectionError([.streamClosed, .protocolError]),
            whole + frame(FrameType.continuation, flags: Flag.endHeaders, stream: 1, headerBlock(plainFields))),
        .init("5.1", "closed by DATA: DATA", .connectionError([.streamClosed]), open + end + end),
        .init("5.1", "closed by DATA: empty DATA", .connectionError([.streamClosed]), open + end + frame(0, stream: 1)),
        .init("5.1", "closed by DATA: HEADERS", .connectionError([.streamClosed]), open + end + whole),
        .init(
            "5.1", "closed, and others opened since: DATA", .connectionError([.streamClosed]),
            (0..<40).flatMap { headers(stream: $0 * 2 + 1, endStream: true) } + end),
        .init("5.1", "closed by trailers: DATA", .connectionError([.streamClosed]), open + block(1, []) + end),
        .init("5.1", "closed: WINDOW_UPDATE", .alive, whole + window),
        .init("5.1", "closed: PRIORITY", .alive, whole + priority),
        .init("5.1", "closed: RST_STREAM", .alive, whole + reset + reset),
        .init("5.1", "closed by RST_STREAM: WINDOW_UPDATE", .alive, open + reset + window),

        // After the server's reset the client may still send: those frames are ignored.
        .init(
            "5.1", "reset by the server: DATA", .answered(3),
            malformed + data(1, endsStream: false) + end + headers(stream: 3, endStream: true)),
        .init(
            "5.1", "reset by the server: HEADERS, which still count for the decoder", .answered(3),
            malformed + block(1, [0x40, 1] + Array("a".utf8) + [1] + Array("b".utf8))
                // The field above is the newest entry of the dynamic table.
                + block(3, headerBlock(plainFields) + [0xbe])),
        .init("5.1", "reset by the server: RST_STREAM", .alive, malformed + reset),
        .init(
            "5.1", "refused by the server: DATA", .alive,
            (0...100).flatMap { headers(stream: $0 * 2 + 1) } + data(201, endsStream: true)),
        .init(
            "5.1", "reset by the server, ended by the client: DATA", .connectionError([.streamClosed]),
            malformed + end + end),
    ]
}

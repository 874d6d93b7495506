import RequestWire
import TestSupport

extension ConformanceRow {
    private static func without(_ name: String) -> [(String, String)] { plainFields.filter { $0.0 != name } }

    private static func malformed(_ section: String, _ name: String, _ fields: [(String, String)]) -> ConformanceRow {
        .init(section, name, .streamError(1, [.protocolError]), headers(fields, endStream: true))
    }

    private static func body(_ length: String, _ parts: [String]) -> [UInt8] {
        let data = parts.enumerated().flatMap { index, part in
            frame(FrameType.data, flags: index == parts.count - 1 ? Flag.endStream : 0, stream: 1, Array(part.utf8))
        }
        return headers(plainFields + [("content-length", length)]) + data
    }

    private static func trailers(_ fields: [(String, String)], endStream: Bool = true) -> [UInt8] {
        headers() + frame(FrameType.data, stream: 1, [0x78])
            + headers(fields, endStream: endStream)
    }

    /// RFC 9113 §8: what a request may look like.
    static let messages: [ConformanceRow] = [
        .init("8.1", "trailers", .answered(1), trailers([("x-checksum", "1")])),
        .init(
            "8.1", "a second HEADERS without END_STREAM", .streamError(1, [.protocolError]),
            trailers([("x-checksum", "1")], endStream: false)),
        malformed("8.2.1", "a name in upper case", plainFields + [("X-TEST", "ok")]),
        malformed("8.3", "an unknown pseudo field", [(":test", "ok")] + plainFields),
        malformed("8.3", "a response's pseudo field", plainFields + [(":status", "200")]),
        .init("8.3", "a pseudo field in trailers", .streamError(1, [.protocolError]), trailers([(":method", "200")])),
        .init(
            "8.3", "a pseudo field in a second HEADERS without END_STREAM", .streamError(1, [.protocolError]),
            trailers([(":method", "POST")], endStream: false)),
        malformed("8.3", "a pseudo field behind others", [("x", "y")] + plainFields),
        malformed("8.2.2", "connection", plainFields + [("connection", "keep-alive")]),
        malformed("8.2.2", "transfer-encoding", plainFields + [("transfer-encoding", "chunked")]),
        malformed("8.2.2", "te that is not trailers", plainFields + [("te", "trailers, deflate")]),
        .init("8.2.2", "te: trailers", .answered(1), headers(plainFields + [("te", "trailers")], endStream: true)),
        malformed("8.3.1", "an empty :path", without(":path") + [(":path", "")]),
        malformed("8.3.1", "no :method", without(":method")),
        malformed("8.3.1", "no :scheme", without(":scheme")),
        malformed("8.3.1", "no :path", without(":path")),
        malformed("8.3.1", ":method twice", [(":method", "POST")] + plainFields),
        malformed("8.3.1", ":method twice, of another value", plainFields + [(":method", "/")]),
        malformed("8.3.1", ":scheme twice", [(":scheme", "https")] + plainFields),
        malformed("8.3.1", ":path twice", [(":path", "/")] + plainFields),
        malformed("8.3.1", ":authority twice", [(":authority", "a")] + plainFields),
        .init("8.1.1", "content-length that fits", .answered(1), body("4", ["te", "st"])),
        .init("8.1.1", "content-length too small", .streamError(1, [.protocolError]), body("1", ["test"])),
        .init("8.1.1", "content-length too large", .streamError(1, [.protocolError]), body("5", ["test"])),
        .init(
            "8.1.1", "content-length against several DATA", .streamError(1, [.protocolError]), body("1", ["te", "st"])),
        .init("8.1.1", "content-length that is no number", .streamError(1, [.protocolError]), body("four", ["test"])),
    ]

    private static func compressionError(_ section: String, _ name: String, _ block: [UInt8]) -> ConformanceRow {
        .init(
            "RFC 7541 \(section)", name, .connectionError([.compressionError]),
            frame(FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1, block))
    }

    /// RFC 7541: header blocks that cannot be read.
    static let compression: [ConformanceRow] = [
        compressionError("2.3.3", "an index above the table", headerBlock(plainFields) + [0xc6]),
        compressionError("2.3.3", "a name's index above the table", headerBlock(plainFields) + [0x7f, 0x10, 1, 0x78]),
        compressionError("4.2", "a size update at the end", headerBlock(plainFields) + [0x20]),
        compressionError(
            "5.1", "an integer that overflows", headerBlock(plainFields) + [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
        compressionError(
            "5.2", "Huffman padding of a whole byte",
            headerBlock(plainFields) + [0, 4] + Array("test".utf8) + [0x82, 0x1f, 0xff, 0xff]),
        compressionError(
            "5.2", "Huffman padding with zeros", headerBlock(plainFields) + [0, 4] + Array("test".utf8) + [0x81, 0x18]),
        compressionError(
            "5.2", "EOS in a Huffman string",
            headerBlock(plainFields) + [0, 4] + Array("test".utf8) + [0x84, 0xff, 0xff, 0xff, 0xff]),
        compressionError(
            "5.2", "EOS inside of a Huffman string",
            headerBlock(plainFields) + [0, 4] + Array("test".utf8) + [0x85, 0xff, 0xff, 0xff, 0xfc, 0x7f]),
        compressionError("6.1", "index 0", headerBlock(plainFields) + [0x80]),
        compressionError("6.3", "a table larger than announced", [0x3f, 0xe2, 0x1f] + headerBlock(plainFields)),
        .init(
            "RFC 7541 6.3", "a table as large as announced", .answered(1),
            frame(
                FrameType.headers, flags: Flag.endHeaders | Flag.endStream, stream: 1,
                [0x3f, 0xe1, 0x1f] + headerBlock(plainFields))),
    ]
}

package import HTTP2Engine
internal import RequestWire

/// A frame written by hand (RFC 9113 §4.1).
package func frame(_ type: UInt8, flags: UInt8 = 0, stream: Int32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
    let length = payload.count
    return [UInt8(length >> 16 & 0xff), UInt8(length >> 8 & 0xff), UInt8(length & 0xff), type, flags]
        + bigEndian(UInt32(bitPattern: stream)) + payload
}

package func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

/// A header block of literal fields without Huffman coding (RFC 7541 §6.2).
///
/// - Parameter representation: 0x00 without indexing, 0x10 never indexed, 0x40 with incremental indexing.
package func headerBlock(_ fields: [(String, String)], representation: UInt8 = 0x00) -> [UInt8] {
    fields.flatMap { name, value in
        guard name == "authorization" else { return [representation] + string(name) + string(value) }
        // By its index in the static table, 23, as every client encodes it.
        return (representation == 0x40 ? [0x40 | 23] : [representation | 15, 23 - 15]) + string(value)
    }
}

private func string(_ text: String) -> [UInt8] {
    let count = text.utf8.count
    guard count >= 127 else { return [UInt8(count)] + Array(text.utf8) }
    var rest = count - 127
    var length: [UInt8] = [127]
    while rest >= 128 {
        length.append(UInt8(rest % 128 + 128))
        rest /= 128
    }
    return length + [UInt8(rest)] + Array(text.utf8)
}

package enum FrameType {
    package static let data: UInt8 = 0, headers: UInt8 = 1, priority: UInt8 = 2, reset: UInt8 = 3, settings: UInt8 = 4
    package static let ping: UInt8 = 6, goAway: UInt8 = 7, windowUpdate: UInt8 = 8, continuation: UInt8 = 9
}

package enum Flag {
    package static let endStream: UInt8 = 1, ack: UInt8 = 1, endHeaders: UInt8 = 4, padded: UInt8 = 8,
        priority: UInt8 = 32
}

package let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(FrameType.settings)

package let plainFields = [
    (":method", "POST"), (":scheme", "https"), (":path", "/3/device/ab"), (":authority", "localhost"),
    ("apns-topic", "com.example.app"),
]

package func headers(_ fields: [(String, String)] = plainFields, stream: Int32 = 1, endStream: Bool = false) -> [UInt8]
{
    frame(
        FrameType.headers, flags: Flag.endHeaders | (endStream ? Flag.endStream : 0), stream: stream,
        headerBlock(fields))
}

package struct SentFrame: Equatable, Sendable {
    package var type: UInt8
    package var flags: UInt8
    package var stream: Int32
    package var payload: [UInt8]

    package init(type: UInt8, flags: UInt8, stream: Int32, payload: [UInt8]) {
        self.type = type
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    package var bytes: [UInt8] { frame(type, flags: flags, stream: stream, payload) }

    /// Splits a session's output into frames.
    package static func all(in bytes: [UInt8]) -> [SentFrame] {
        var frames: [SentFrame] = []
        var offset = 0
        while offset + 9 <= bytes.count {
            let length = bytes[offset..<offset + 3].reduce(0) { $0 << 8 | Int($1) }
            guard offset + 9 + length <= bytes.count else { break }
            let stream = bytes[offset + 5..<offset + 9].reduce(0) { $0 << 8 | Int32($1) }
            let payload = Array(bytes[offset + 9..<offset + 9 + length])
            frames.append(
                SentFrame(type: bytes[offset + 3], flags: bytes[offset + 4], stream: stream, payload: payload))
            offset += 9 + length
        }
        return frames
    }
}

extension HTTP2Session {
    package func receive(_ bytes: [UInt8]) throws(HTTP2Error) -> [HTTP2Event] {
        try receive(bytes.span.bytes)
        var events: [HTTP2Event] = []
        while let event = nextEvent() { events.append(event) }
        return events
    }

    package func requests(from bytes: [UInt8]) throws -> [Request] {
        try receive(bytes).compactMap { if case .request(let request) = $0 { request } else { nil } }
    }

    package func sentFrames() throws -> [SentFrame] {
        var output: [UInt8] = []
        try takeOutput(into: &output)
        return SentFrame.all(in: output)
    }
}

extension Request {
    package var textFields: [String] { block.fields.map { "\($0.name): \($0.value)" } }

    package var text: String { String(decoding: block.body, as: UTF8.self) }
}

/// A frame header: the nine bytes before the payload (RFC 9113 §4.1).
struct FrameHeader {
    static let byteCount = 9

    static let data: UInt8 = 0
    static let headers: UInt8 = 1
    static let reset: UInt8 = 3
    static let goAway: UInt8 = 7
    static let windowUpdate: UInt8 = 8
    static let continuation: UInt8 = 9
    private static let endStream: UInt8 = 0x01
    private static let endHeaders: UInt8 = 0x04
    private static let padded: UInt8 = 0x08
    private static let priority: UInt8 = 0x20
    private static let priorityByteCount = 5

    let length: Int
    let type: UInt8
    let flags: UInt8
    let stream: Int32

    /// - Precondition: All nine bytes are present.
    init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
        let word = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        length = Int(truncatingIfNeeded: word >> 40)
        type = UInt8(truncatingIfNeeded: word >> 32)
        flags = UInt8(truncatingIfNeeded: word >> 24)
        stream = Int32(truncatingIfNeeded: (word << 8 | UInt64(bytes[offset + 8])) & 0x7fff_ffff)
    }

    /// Overwrites the length: the first three bytes of the header.
    static func write(length: Int, to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        for index in 0..<3 { bytes[offset + index] = UInt8(truncatingIfNeeded: length >> (16 - 8 * index)) }
    }

    /// True for DATA or HEADERS with END_STREAM.
    var endsStream: Bool { type <= Self.headers && flags & Self.endStream != 0 }

    var hasBlock: Bool { type == Self.headers || type == Self.continuation }

    var endsBlock: Bool { flags & Self.endHeaders != 0 }

    /// The frame's part of a header block; `nil` when padding and priority do not fit into the payload.
    /// - Parameter payload: Where the payload begins in `bytes`.
    func block(in bytes: UnsafeRawBufferPointer, payload: Int) -> Range<Int>? {
        guard type == Self.headers, flags & (Self.padded | Self.priority) != 0 else {
            return payload..<payload + length
        }
        let isPadded = flags & Self.padded != 0
        guard length > 0 || !isPadded else { return nil }
        let start = payload + (isPadded ? 1 : 0) + (flags & Self.priority != 0 ? Self.priorityByteCount : 0)
        let end = payload + length - (isPadded ? Int(bytes[payload]) : 0)
        return start <= end ? start..<end : nil
    }
}

extension UInt32 {
    /// In network byte order.
    var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

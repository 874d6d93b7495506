/// The nine bytes before a frame's payload (RFC 9113 §4.1), as far as the session asks for them.
struct FrameHeader {
    static let byteCount = 9

    let type: UInt8
    let flags: UInt8
    let stream: Int32

    /// - Parameter bytes: Exactly nine bytes.
    init(_ bytes: ArraySlice<UInt8>) {
        let start = bytes.startIndex
        type = bytes[start + 3]
        flags = bytes[start + 4]
        stream = bytes[(start + 5)...].reduce(0) { $0 << 8 | Int32($1) } & 0x7fff_ffff
    }

    /// Writes another length into the frame header at an offset: the first three of its bytes.
    static func write(length: Int, to bytes: UnsafeMutableRawBufferPointer, at offset: Int) {
        for place in 0..<3 { bytes[offset + place] = UInt8(truncatingIfNeeded: length >> (16 - 8 * place)) }
    }

    /// DATA or HEADERS with END_STREAM.
    var endsStream: Bool { type <= 1 && flags & 1 != 0 }
}

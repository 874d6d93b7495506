/// How a field stands in a header block (RFC 7541 §6), as far as it can be seen without decoding it.
struct FieldRepresentation {
    /// Where the next one begins.
    let end: Int
    /// Where the value's string begins; `nil` for a field that is only named by its index.
    let value: Int?

    /// Reads the representation at an offset.
    ///
    /// - Returns: `nil` for one that changes the decoder's table, and for one that is cut off or too long to be worth it.
    init?(_ block: UnsafeRawBufferPointer, at offset: Int) {
        guard offset < block.count else { return nil }
        let first = block[offset]
        if first & 0x80 != 0 {
            guard let index = Self.integer(block, at: offset, prefix: 7) else { return nil }
            (end, value) = (index.end, nil)
            return
        }
        // 01: goes into the table; 001: changes the table's size; 0000 and 0001: neither.
        guard first & 0xe0 == 0, let index = Self.integer(block, at: offset, prefix: 4) else { return nil }
        var start = index.end
        if index.value == 0 {
            guard let name = Self.string(block, at: start) else { return nil }
            start = name
        }
        guard let end = Self.string(block, at: start) else { return nil }
        (self.end, value) = (end, start)
    }

    /// Where a string literal ends (RFC 7541 §5.2).
    static func string(_ block: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        guard offset < block.count, let length = integer(block, at: offset, prefix: 7) else { return nil }
        let end = length.end + length.value
        return end <= block.count ? end : nil
    }

    /// An integer (RFC 7541 §5.1) of at most three bytes: no header block is longer than it can say.
    private static func integer(_ block: UnsafeRawBufferPointer, at offset: Int, prefix: Int) -> (value: Int, end: Int)?
    {
        let mask = 1 << prefix - 1
        let value = Int(block[offset]) & mask
        if value < mask { return (value, offset + 1) }
        guard offset + 1 < block.count else { return nil }
        let low = Int(block[offset + 1])
        if low < 0x80 { return (value + low, offset + 2) }
        guard offset + 2 < block.count, block[offset + 2] < 0x80 else { return nil }
        return (value + low & 0x7f + Int(block[offset + 2]) << 7, offset + 3)
    }
}

/// A HEADERS frame whose frame header has arrived.
struct HeaderFrame {
    private static let priorityByteCount = 5
    private static let endHeaders: UInt8 = 0x04
    private static let padded: UInt8 = 0x08
    private static let priority: UInt8 = 0x20

    /// Where its payload begins among the bytes that arrived.
    var payload: Int
    /// The payload's length.
    var byteCount: Int
    var flags: UInt8
    var stream: Int32

    /// Where its header block lies, if that is all of the block and nothing follows it in the frame.
    var block: Range<Int>? {
        guard flags & (Self.endHeaders | Self.padded) == Self.endHeaders else { return nil }
        let start = payload + (hasPriority ? Self.priorityByteCount : 0)
        return start <= payload + byteCount ? start..<payload + byteCount : nil
    }

    /// Whether the frame header is among the bytes, too, and did not begin before them.
    var isHeadThere: Bool { payload >= FrameHeader.byteCount }

    /// Whether something stands before the block.
    var hasPriority: Bool { flags & Self.priority != 0 }
}

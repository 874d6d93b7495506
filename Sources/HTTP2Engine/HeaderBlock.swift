/// How a field stands in a header block (RFC 7541 §6), as far as that shows without decoding it.
struct FieldRepresentation {
    /// Where the next one begins.
    let end: Int
    /// The index of the field or of its name, 0 for a name that is spelled out; `nil` for a change of the table's size.
    let nameIndex: Int?
    /// Where the value's string begins; `nil` for a field that only has an index.
    let value: Int?
    /// The value is spelled out, and the field does not enter the dynamic table.
    let isPlainLiteral: Bool

    /// Reads the representation at an offset.
    ///
    /// - Returns: `nil` at the block's end, and for a representation that is cut off or longer than a block can be.
    init?(_ block: UnsafeRawBufferPointer, at offset: Int) {
        guard offset < block.count else { return nil }
        let first = block[offset]
        let prefix = first & 0x80 != 0 ? 7 : first & 0x40 != 0 ? 6 : first & 0x20 != 0 ? 5 : 4
        guard let index = Self.integer(block, at: offset, prefix: prefix) else { return nil }
        isPlainLiteral = prefix == 4
        nameIndex = prefix == 5 ? nil : index.value
        guard prefix == 4 || prefix == 6 else {
            (end, value) = (index.end, nil)
            return
        }
        var start = index.end
        if index.value == 0 {
            guard let name = Self.string(block, at: start) else { return nil }
            start = name
        }
        guard let end = Self.string(block, at: start) else { return nil }
        (self.end, value) = (end, start)
    }

    /// Where a string literal ends (RFC 7541 §5.2).
    private static func string(_ block: UnsafeRawBufferPointer, at offset: Int) -> Int? {
        guard offset < block.count, let length = integer(block, at: offset, prefix: 7) else { return nil }
        let end = length.end + length.value
        return end <= block.count ? end : nil
    }

    /// An integer (RFC 7541 §5.1) of at most three bytes, which covers every length in a block.
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

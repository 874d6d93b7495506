internal import Glibc
internal import RequestWire

/// Decodes the header blocks of a connection into fields (RFC 7541 §3.2, §6).
///
/// nghttp2's decoder takes twice the instructions: mostly for Huffman decoding, for an allocation per string in its
/// table, and for validating repeated fields again. `HeaderBlockTests` sends a session of nghttp2 the same blocks and
/// expects the same requests and errors.
package struct HPACKDecoder: ~Copyable {
    package enum End {
        case complete
        /// Longer than `HTTP2Limits.headerBlockByteCount`.
        case tooLong
        /// Not HPACK; no later block can be decoded (RFC 7541 §4.2, §5.2, §6.1, §6.3).
        case invalid
    }

    private var table: HeaderTable
    private var maximumTableSize: Int
    /// The next block must begin with a table size update to at most this (RFC 7541 §4.2).
    private var reducedTableSize: Int?
    private var token = KnownToken()
    /// The start of a representation that continues in the next part of the block.
    private var rest: [UInt8] = []
    private var mayResize = true

    /// Applies until the peer acknowledges SETTINGS (RFC 7541 §4.2).
    private static let initialTableSize = 4096

    package init() {
        maximumTableSize = Self.initialTableSize
        table = HeaderTable(limit: Self.initialTableSize)
    }

    /// Applies SETTINGS_HEADER_TABLE_SIZE after the peer has acknowledged it.
    package mutating func setMaximumTableSize(_ size: Int) {
        maximumTableSize = size
        guard size < table.limit else { return }
        reducedTableSize = size
        table.limit = size
    }

    package mutating func beginBlock() {
        rest = []
        mayResize = true
    }

    package mutating func decode(
        _ part: UnsafeRawBufferPointer, isLast: Bool, into fields: inout RequestFields
    ) -> End {
        guard !rest.isEmpty else { return decode(joined: part, isLast: isLast, into: &fields) }
        let joined = rest + part
        rest = []
        return joined.withUnsafeBytes { decode(joined: $0, isLast: isLast, into: &fields) }
    }

    private mutating func decode(
        joined bytes: UnsafeRawBufferPointer, isLast: Bool, into fields: inout RequestFields
    ) -> End {
        withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: HuffmanCode.decodedByteCount(bytes.count) + 1
        ) { room in
            var reader = BlockReader(bytes: bytes, room: room.baseAddress!)
            while let first = reader.next {
                let start = reader.offset
                if first & 0xe0 == 0x20 {
                    if mayResize, resize(&reader) { continue }
                } else if reducedTableSize == nil,
                    let field = first & 0x80 != 0 ? indexed(&reader) : literal(&reader, first)
                {
                    mayResize = false
                    guard fields.append(field) else { return .tooLong }
                    if first & 0xc0 == 0x40 { table.insert(field) }
                    continue
                }
                guard reader.isCutOff, !isLast else { return .invalid }
                rest = Array(bytes[start...])
                return .complete
            }
            return isLast && reducedTableSize != nil ? .invalid : .complete
        }
    }

    /// A dynamic table size update (RFC 7541 §6.3).
    private mutating func resize(_ reader: inout BlockReader) -> Bool {
        guard let size = reader.integer(prefix: 5), size <= reducedTableSize ?? maximumTableSize else { return false }
        reducedTableSize = nil
        table.limit = size
        return true
    }

    private func indexed(_ reader: inout BlockReader) -> TableField? {
        guard let index = reader.integer(prefix: 7) else { return nil }
        return table[index]
    }

    private mutating func literal(_ reader: inout BlockReader, _ first: UInt8) -> TableField? {
        let entersTable = first & 0x40 != 0
        guard entersTable || first & 0x20 == 0, let index = reader.integer(prefix: entersTable ? 6 : 4) else {
            return nil
        }
        if index == KnownToken.nameIndex, !entersTable { return authorization(&reader) }
        var (name, header): (UnsafeRawBufferPointer, HeaderName?)
        if index == 0 {
            guard let string = reader.string() else { return nil }
            (name, header) = (string, HeaderName(string.bytes))
        } else {
            guard let known = table[index] else { return nil }
            (name, header) = (known.name, known.kind.header)
        }
        guard let value = reader.string() else { return nil }
        return TableField(name: name, value: value, kind: FieldKind(header, name, value))
    }

    /// `authorization` as a literal that is not added to the table (RFC 7541 §6.2.2, §6.2.3).
    private mutating func authorization(_ reader: inout BlockReader) -> TableField? {
        let start = reader.offset
        guard let name = table[KnownToken.nameIndex]?.name else { return nil }
        if let encoded = reader.encodedString(), let value = token.value(of: encoded) {
            return TableField(name: name, value: value, kind: token.kind)
        }
        reader.offset = start
        guard let value = reader.string() else { return nil }
        let kind = FieldKind(.authorization, name, value)
        token.remember(reader.bytes[start..<reader.offset], value, kind)
        return TableField(name: name, value: value, kind: kind)
    }
}

/// Caches the last `authorization` literal; decoding it each time would take 4 % of a push's instructions.
/// Each request repeats the provider token, some 200 bytes of Huffman code, and most clients do not index it.
/// Not private: Swift 6.3 then cannot link the destruction of a decoder in another module.
struct KnownToken: ~Copyable {
    /// `authorization` in the static table (RFC 7541, appendix A).
    static let nameIndex = 23
    private static let maximumByteCount = 4096

    /// The encoded string, then its value.
    private var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    private var encodedByteCount = 0
    private(set) var kind = FieldKind(.authorization)

    deinit { bytes.deallocate() }

    /// `nil` unless the encoded string is the cached one.
    func value(of encoded: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard encoded.count == encodedByteCount,
            memcmp(bytes.baseAddress!, encoded.baseAddress!, encoded.count) == 0
        else { return nil }
        return UnsafeRawBufferPointer(rebasing: bytes[encodedByteCount...])
    }

    mutating func remember(
        _ encoded: Slice<UnsafeRawBufferPointer>, _ value: UnsafeRawBufferPointer, _ kind: FieldKind
    ) {
        guard encoded.count <= Self.maximumByteCount else { return }
        bytes.deallocate()
        bytes = .allocate(byteCount: encoded.count + value.count, alignment: 1)
        bytes.copyBytes(from: encoded)
        UnsafeMutableRawBufferPointer(rebasing: bytes[encoded.count...]).copyMemory(from: value)
        (encodedByteCount, self.kind) = (encoded.count, kind)
    }
}

/// Reads integers and strings from a header block (RFC 7541 §5).
private struct BlockReader {
    let bytes: UnsafeRawBufferPointer
    /// Where the next decoded string is written.
    var room: UnsafeMutablePointer<UInt8>
    var offset = 0
    private(set) var isCutOff = false

    var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// `nil` when the integer is incomplete or exceeds 32 bits (RFC 7541 §5.1).
    @inline(__always)
    mutating func integer(prefix: UInt8) -> Int? {
        guard offset < bytes.count else {
            isCutOff = true
            return nil
        }
        let mask = 1 << Int(prefix) - 1
        let value = Int(bytes[offset]) & mask
        offset += 1
        return value < mask ? value : longInteger(mask)
    }

    @inline(never)
    private mutating func longInteger(_ start: Int) -> Int? {
        var (value, shift) = (start, 0)
        while offset < bytes.count, shift < 32 {
            let byte = Int(bytes[offset])
            offset += 1
            value += (byte & 0x7f) << shift
            guard value <= UInt32.max else { return nil }
            if byte < 0x80 { return value }
            shift += 7
        }
        isCutOff = offset == bytes.count && shift < 32
        return nil
    }

    /// A decoded string literal (RFC 7541 §5.2).
    @inline(__always)
    mutating func string() -> UnsafeRawBufferPointer? {
        let isCoded = next.map { $0 & 0x80 != 0 } ?? false
        guard let code = stringBytes() else { return nil }
        guard isCoded else { return code }
        guard let count = HuffmanCode.shared.decode(code, to: room) else { return nil }
        defer { room += count }
        return UnsafeRawBufferPointer(start: room, count: count)
    }

    /// A string literal as encoded, length included.
    mutating func encodedString() -> UnsafeRawBufferPointer? {
        let start = offset
        return stringBytes().map { _ in UnsafeRawBufferPointer(rebasing: bytes[start..<offset]) }
    }

    @inline(__always)
    private mutating func stringBytes() -> UnsafeRawBufferPointer? {
        guard let count = integer(prefix: 7) else { return nil }
        guard count <= bytes.count - offset else {
            isCutOff = true
            return nil
        }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }
}

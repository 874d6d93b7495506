internal import CNghttp2
internal import RequestWire

/// A field whose bytes belong to a table or to the decoder.
struct TableField {
    var name: UnsafeRawBufferPointer
    var value: UnsafeRawBufferPointer
    var kind: FieldKind
}

/// Stores HPACK's static and dynamic tables, whose fields a block refers to by index (RFC 7541 §2.3).
struct HeaderTable: ~Copyable {
    struct Entry {
        /// Offset of the name in `text`; the value follows it.
        var start: Int
        var nameByteCount: UInt32
        var valueByteCount: UInt32
        var kind: FieldKind

        var byteCount: Int { Int(nameByteCount) + Int(valueByteCount) }
    }

    /// The static table from index 1, in memory that nghttp2 never frees.
    /// `nonisolated(unsafe)`: written by the one-time initialisation, read afterwards.
    nonisolated(unsafe) private static let fixed: [TableField] = {
        var inflater: OpaquePointer?
        guard nghttp2_hd_inflate_new(&inflater) == 0 else { return [] }
        defer { nghttp2_hd_inflate_del(inflater) }
        return (1...fixedCount).map { index in
            let field = nghttp2_hd_inflate_get_table_entry(inflater, index).pointee
            let name = UnsafeRawBufferPointer(start: field.name, count: field.namelen)
            let value = UnsafeRawBufferPointer(start: field.value, count: field.valuelen)
            return TableField(name: name, value: value, kind: FieldKind(HeaderName(name.bytes), name, value))
        }
    }()
    private static let fixedCount = 61
    /// Counted for each entry beside its bytes (RFC 7541 §4.1).
    private static let overhead = 32
    /// Evicted entries to remove at once. Empty entries never fill `text`, so this bounds them.
    private static let removedCount = 128

    /// Oldest first; those before `first` are evicted.
    private(set) var entries: [Entry] = []
    private var first = 0
    /// Names and values of the entries, in order.
    private var text = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 1)
    private var textEnd = 0
    /// Counted as in RFC 7541 §4.1.
    private var size = 0
    /// Set by the peer; lowering it evicts entries.
    var limit: Int {
        didSet { evict(for: 0) }
    }

    init(limit: Int) { self.limit = limit }

    deinit { text.deallocate() }

    /// `nil` for an unused index; the bytes are valid until the next change.
    subscript(index: Int) -> TableField? {
        guard index > Self.fixedCount else { return index > 0 ? Self.fixed[index - 1] : nil }
        let place = entries.count - (index - Self.fixedCount)
        guard place >= first else { return nil }
        let entry = entries[place]
        let name = UnsafeRawBufferPointer(start: text.baseAddress! + entry.start, count: Int(entry.nameByteCount))
        let value = UnsafeRawBufferPointer(start: name.baseAddress! + name.count, count: Int(entry.valueByteCount))
        return TableField(name: name, value: value, kind: entry.kind)
    }

    /// A field larger than the table only empties it (RFC 7541 §4.4).
    mutating func insert(_ field: TableField) {
        let byteCount = field.name.count + field.value.count
        evict(for: byteCount + Self.overhead)
        guard byteCount + Self.overhead <= limit else { return }
        if first >= Self.removedCount {
            entries.removeFirst(first)
            first = 0
        }
        entries.append(
            Entry(
                start: textEnd, nameByteCount: UInt32(field.name.count), valueByteCount: UInt32(field.value.count),
                kind: field.kind))
        size += byteCount + Self.overhead
        guard textEnd + byteCount > text.count else { return append(field.name, field.value) }
        // The name may point into `text`, which moves now.
        let name = Array(field.name)
        makeRoom(for: byteCount)
        name.withUnsafeBytes { append($0, field.value) }
    }

    private mutating func append(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        let target = text.baseAddress! + textEnd
        if let source = name.baseAddress { target.copyMemory(from: source, byteCount: name.count) }
        if let source = value.baseAddress { (target + name.count).copyMemory(from: source, byteCount: value.count) }
        textEnd += name.count + value.count
    }

    private mutating func evict(for byteCount: Int) {
        while size + byteCount > limit, first < entries.count {
            size -= entries[first].byteCount + Self.overhead
            first += 1
        }
    }

    /// Moves the live bytes to the front, or to a larger buffer when they would fill more than half.
    private mutating func makeRoom(for byteCount: Int) {
        entries.removeFirst(first)
        first = 0
        let start = entries[0].start
        let live = UnsafeRawBufferPointer(rebasing: text[start..<textEnd])
        let needed = live.count + byteCount
        if needed * 2 > text.count {
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: max(needed * 2, 512), alignment: 1)
            larger.copyMemory(from: live)
            text.deallocate()
            text = larger
        } else {
            text.copyMemory(from: live)
        }
        for index in entries.indices { entries[index].start -= start }
        textEnd = live.count
    }
}

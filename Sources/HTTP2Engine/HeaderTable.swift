internal import CNghttp2
internal import Wire

/// A field as HPACK's tables have it; borrows its bytes from them.
struct TableField {
    var name: UnsafeRawBufferPointer
    var value: UnsafeRawBufferPointer
    var kind: FieldKind
}

/// HPACK's static and dynamic table (RFC 7541 §2.3).
struct HeaderTable: ~Copyable {
    struct Entry {
        /// Where its name begins in `text`; the value follows it.
        var start: Int
        var nameByteCount: UInt32
        var valueByteCount: UInt32
        var kind: FieldKind

        var byteCount: Int { Int(nameByteCount) + Int(valueByteCount) }
    }

    /// From index 1 on. nghttp2's own, which lasts as long as the process.
    ///
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
    /// What an entry costs beside its bytes (RFC 7541 §4.1).
    private static let overhead = 32
    /// So many evicted entries are removed at once. Those without a byte never fill `text`.
    private static let removedCount = 128

    /// Oldest first; those before `first` are evicted.
    private(set) var entries: [Entry] = []
    private var first = 0
    /// The bytes of the entries, in their order.
    private var text = UnsafeMutableRawBufferPointer.allocate(byteCount: 128, alignment: 1)
    private var textEnd = 0
    /// As RFC 7541 §4.1 counts.
    private var size = 0
    /// What the peer may use; the rest is evicted.
    var limit: Int {
        didSet { evict(for: 0) }
    }

    init(limit: Int) { self.limit = limit }

    deinit { text.deallocate() }

    /// A field by its index; `nil` when there is none. Its bytes last until the next change.
    subscript(index: Int) -> TableField? {
        guard index > Self.fixedCount else { return index > 0 ? Self.fixed[index - 1] : nil }
        let place = entries.count - (index - Self.fixedCount)
        guard place >= first else { return nil }
        let entry = entries[place]
        let name = UnsafeRawBufferPointer(start: text.baseAddress! + entry.start, count: Int(entry.nameByteCount))
        let value = UnsafeRawBufferPointer(start: name.baseAddress! + name.count, count: Int(entry.valueByteCount))
        return TableField(name: name, value: value, kind: entry.kind)
    }

    /// Adds a field; one larger than the table only empties it (RFC 7541 §4.4).
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
        // The name may be the table's own, whose bytes move now.
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

    /// Closes the gap that evicted entries left, or takes more memory when it is small.
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

/// The header fields of a message, collected without an allocation per field.
struct FieldBlock: ~Copyable {
    private var bytes = ByteScratch()
    /// RFC 9113 §6.5.2: name + value + 32 per field.
    private(set) var listSize = 0
    /// The number in `content-length`; 0 when there is none that makes sense.
    private(set) var contentLength = 0

    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) {
        if name.count == Self.contentLengthName.utf8CodeUnitCount { noteContentLength(name, value) }
        // A field that could not be described in two bytes is far above any header list limit.
        guard name.count <= UInt16.max, value.count <= UInt16.max else { return listSize = .max / 2 }
        listSize += name.count + value.count + 32
        bytes.append(count: 4 + name.count + value.count) { target in
            target.storeBytes(of: UInt16(name.count), as: UInt16.self)
            target.storeBytes(of: UInt16(value.count), toByteOffset: 2, as: UInt16.self)
            if let base = name.baseAddress { (target + 4).copyMemory(from: base, byteCount: name.count) }
            if let base = value.baseAddress { (target + 4 + name.count).copyMemory(from: base, byteCount: value.count) }
        }
    }

    /// The fields in `Request`'s layout.
    var packed: [UInt8] { bytes.withRawBytes { Array(rawBytes: $0) } }

    /// Empties the block and keeps its memory for the next one.
    mutating func removeAll() {
        bytes.removeAll()
        listSize = 0
        contentLength = 0
    }

    private static let contentLengthName: StaticString = "content-length"

    /// nghttp2 has checked the number already; it is of use here to make the body's room in one piece.
    private mutating func noteContentLength(_ name: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>) {
        let expected = UnsafeBufferPointer(start: Self.contentLengthName.utf8Start, count: name.count)
        guard value.count <= 6, name.elementsEqual(expected) else { return }
        contentLength = value.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
}

extension [UInt8] {
    /// A copy with room for more.
    ///
    /// Room that is reserved costs half of what the other initialisers take, which look up a type each time.
    init(rawBytes: UnsafeRawBufferPointer, capacity: Int = 0) {
        self = []
        reserveCapacity(Swift.max(capacity, rawBytes.count))
        append(contentsOf: rawBytes)
    }
}

/// A growing buffer whose room is written through a pointer: `Array.append` costs as much as the copy itself here.
struct ByteScratch: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    deinit { base?.deallocate() }

    mutating func append(count added: Int, _ write: (UnsafeMutableRawPointer) -> Void) {
        if count + added > capacity { grow(toHold: count + added) }
        write(base! + count)
        count += added
    }

    func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        body(UnsafeRawBufferPointer(start: base, count: count))
    }

    mutating func removeAll() { count = 0 }

    private mutating func grow(toHold needed: Int) {
        capacity = max(needed, capacity * 2, 512)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        if let base {
            larger.copyMemory(from: base, byteCount: count)
            base.deallocate()
        }
        base = larger
    }
}

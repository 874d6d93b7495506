/// The form of one header field in a `PackedRequest`.
enum PackedEntry {
    /// What a name that is not recognised keeps at most; its length stands in one byte.
    static let maximumNameByteCount = 255

    /// How many bytes a field takes.
    @inline(__always)
    static func byteCount(code: UInt8, name: Range<Int>, value: Range<Int>) -> Int {
        let nameByteCount = code == 0 ? 2 &+ min(name.count, maximumNameByteCount) : 1
        return nameByteCount &+ (value.count < 255 ? 1 : 3) &+ value.count
    }
}

/// Writes a `PackedRequest` from front to back into memory of exactly its size.
struct PackedWriter {
    let source: UnsafeRawPointer
    let target: UnsafeMutableRawPointer
    /// How many bytes have been written.
    private(set) var offset = 0

    init(source: UnsafeRawPointer, target: UnsafeMutableRawPointer) {
        self.source = source
        self.target = target
    }

    @inline(__always)
    mutating func putEntry(code: UInt8, name: Range<Int>, value: Range<Int>) {
        put(code)
        if code == 0 {
            let kept = name.prefix(PackedEntry.maximumNameByteCount)
            put(UInt8(kept.count))
            put(kept)
        }
        if value.count < 255 {
            put(UInt8(value.count))
        } else {
            put(255)
            put(UInt8(value.count & 255))
            put(UInt8(value.count >> 8))
        }
        put(value)
    }

    /// Copies bytes of the source; whoever sized the target has counted them.
    @inline(__always)
    mutating func put(_ range: Range<Int>) {
        (target + offset).copyMemory(from: source + range.lowerBound, byteCount: range.count)
        offset &+= range.count
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        target.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        offset &+= 1
    }
}

/// Recognises header fields during decoding and stores them in the layout of `RequestBlock`.
public struct RequestBlockBuilder: ~Copyable {
    private var ranges = InlineArray<21, FieldRange>(repeating: FieldRange(offset: 0, count: 0))
    private var head = ByteScratch()
    private var values = ByteScratch()
    private var seen: UInt32 = 0
    private var repeated: UInt32 = 0
    /// RFC 9113 §6.5.2: name + value + 32 per field.
    public private(set) var listSize = 0

    static let indexByteCount = HeaderName.count * FieldRange.byteCount

    public init() {}

    /// Keeps the memory for the next request.
    public mutating func removeAll() {
        head.removeAll()
        values.removeAll()
        seen = 0
        repeated = 0
        listSize = 0
    }

    public mutating func append(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        append(HeaderName(name.bytes), name: name, value: value)
    }

    /// - Parameter header: `nil` for an unrecognised name.
    public mutating func append(_ header: HeaderName?, name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        // A field whose length does not fit into two bytes is far above any header list limit.
        guard name.count <= UInt16.max, value.count <= UInt16.max else { return listSize = .max / 2 }
        listSize += name.count + value.count + 32
        guard let header else {
            head.put(0)
            putString(name)
            return putString(value)
        }
        guard seen & header.bit == 0 else {
            repeated |= header.bit
            return putRepeated(header, value)
        }
        seen |= header.bit
        if HeaderName.namesOutsideHead & header.bit == 0 {
            head.put(header.rawValue)
            putString(value)
            let offset = Self.indexByteCount + head.count - value.count
            ranges[Int(header.rawValue)] = FieldRange(offset: UInt32(offset), count: UInt32(value.count))
        } else {
            ranges[Int(header.rawValue)] = FieldRange(offset: UInt32(values.count), count: UInt32(value.count))
            values.put(value)
            putMark(header, value)
        }
    }

    /// For a value outside the head; an unusual method or scheme is in the head, too.
    @inline(__always)
    private mutating func putMark(_ header: HeaderName, _ value: UnsafeRawBufferPointer) {
        if header == .method && !value.bytes.equals("POST") || header == .scheme && !value.bytes.equals("https") {
            head.put(header.rawValue)
            return putString(value)
        }
        head.put(header.rawValue | HeadEntry.mark)
    }

    private mutating func putRepeated(_ header: HeaderName, _ value: UnsafeRawBufferPointer) {
        guard header != .authorization, header != .contentLength else { return }
        head.put(header.rawValue)
        putString(value)
    }

    @inline(__always)
    private mutating func putString(_ string: UnsafeRawBufferPointer) {
        if string.count < 255 {
            head.put(UInt8(string.count))
        } else {
            head.put(255)
            head.put(UInt8(string.count & 255))
            head.put(UInt8(string.count >> 8))
        }
        head.put(string)
    }

    /// Without the body, which is appended later.
    public func block(bodyCapacity: Int) -> RequestBlock {
        let valuesStart = Self.indexByteCount + head.count
        var bytes: [UInt8] = []
        bytes.reserveCapacity(valuesStart + values.count + bodyCapacity)
        bytes.append(addingCapacity: valuesStart + values.count) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                let target = UnsafeMutableRawPointer(buffer.baseAddress!)
                withUnsafeBytes(of: ranges) { target.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
                head.copy(to: target + Self.indexByteCount)
                values.copy(to: target + valuesStart)
                count = valuesStart + values.count
            }
        }
        return RequestBlock(bytes: bytes, seen: seen, repeated: repeated, valuesStart: valuesStart)
    }
}

/// A growing buffer written through a pointer: `Array.append` would cost as much as the copy itself.
///
/// Public because the linker misses it where a builder's `deinit` is inlined into another module (Swift 6.3).
public struct ByteScratch: ~Copyable {
    private var base: UnsafeMutableRawPointer?
    private var capacity = 0
    private(set) var count = 0

    deinit { base?.deallocate() }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        base!.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    mutating func put(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 0, let source = bytes.baseAddress else { return }
        if bytes.count > capacity &- count { grow(by: bytes.count) }
        (base! + count).copyMemory(from: source, byteCount: bytes.count)
        count &+= bytes.count
    }

    func copy(to target: UnsafeMutableRawPointer) {
        if let base { target.copyMemory(from: base, byteCount: count) }
    }

    mutating func removeAll() { count = 0 }

    @inline(never)
    private mutating func grow(by added: Int) {
        capacity = max(count + added, capacity * 2, 512)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 1)
        copy(to: larger)
        base?.deallocate()
        base = larger
    }
}

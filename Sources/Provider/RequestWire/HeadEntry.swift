/// A header field in a request's head.
///
/// A recognised header is encoded as its code, the value's length and the value; any other as 0, the name's length, the
/// name, the value's length and the value. A length is one byte, or 255 and two bytes, little-endian. A header whose
/// value is stored elsewhere is one byte: its code and `mark`.
public struct HeadEntry {
    /// `nil` for an unrecognised name.
    public var header: HeaderName?
    /// The name of an unrecognised header.
    public var otherName = 0..<0
    /// `nil` when the value is stored elsewhere.
    public var value: Range<Int>?
    public var range: Range<Int>

    public static let mark: UInt8 = 0x80

    public func name(in head: UnsafeRawBufferPointer) -> String {
        header.map { "\($0.text)" } ?? String(decoding: head[otherName], as: UTF8.self)
    }

    public static func append(_ header: HeaderName, _ value: [UInt8], to head: inout [UInt8]) {
        head.append(header.rawValue)
        head += value.count < 255 ? [UInt8(value.count)] : [255, UInt8(value.count & 255), UInt8(value.count >> 8)]
        head += value
    }
}

/// Reads a head from front to back and ignores a truncated entry.
public struct HeadReader: IteratorProtocol {
    private let head: UnsafeRawBufferPointer
    private var position = 0

    /// - Note: Borrows the bytes; valid only in the closure that lends them.
    public init(_ head: UnsafeRawBufferPointer) { self.head = head }

    public mutating func next() -> HeadEntry? {
        let start = position
        guard let code = pop() else { return nil }
        var entry = HeadEntry(header: HeaderName(rawValue: code & ~HeadEntry.mark), range: start..<start)
        if code & HeadEntry.mark == 0 {
            if code == 0 {
                guard let name = popString() else { return nil }
                entry.otherName = name
            }
            guard let value = popString() else { return nil }
            entry.value = value
        }
        entry.range = start..<position
        return entry
    }

    /// The first value of a repeated header; nil when it is absent or stored elsewhere.
    public static func text(of header: HeaderName, in head: UnsafeRawBufferPointer) -> String? {
        var reader = HeadReader(head)
        while let entry = reader.next() {
            if entry.header == header, let value = entry.value { return String(decoding: head[value], as: UTF8.self) }
        }
        return nil
    }

    private mutating func pop() -> UInt8? {
        guard position < head.count else { return nil }
        defer { position += 1 }
        return head[position]
    }

    private mutating func popString() -> Range<Int>? {
        guard var count = pop().map({ Int($0) }) else { return nil }
        if count == 255 {
            guard let low = pop(), let high = pop() else { return nil }
            count = Int(low) | Int(high) << 8
        }
        guard count <= head.count - position else { return nil }
        defer { position += count }
        return position..<position + count
    }
}

/// A header field as a request's head has it.
///
/// A recognised header is its code, the value's length and the value; any other is 0, the name's length, the name, the value's
/// length and the value. A length is one byte, or 255 and two bytes, low first. A header whose value lies elsewhere is one byte: its
/// code and `mark`.
public struct HeadEntry {
    /// `nil` for a header that is not recognised.
    public var header: HeaderName?
    /// Where the name of a header lies that is not recognised.
    public var otherName = 0..<0
    /// Where the value lies; `nil` when it lies elsewhere.
    public var value: Range<Int>?
    /// Where the entry lies.
    public var range: Range<Int>

    public static let mark: UInt8 = 0x80

    public func name(in head: UnsafeRawBufferPointer) -> String {
        header.map { "\($0.text)" } ?? String(decoding: head[otherName], as: UTF8.self)
    }

    /// Appends an entry with its value.
    public static func append(_ header: HeaderName, _ value: [UInt8], to head: inout [UInt8]) {
        head.append(header.rawValue)
        head += value.count < 255 ? [UInt8(value.count)] : [255, UInt8(value.count & 255), UInt8(value.count >> 8)]
        head += value
    }
}

/// Reads a head from front to back; what is cut off is left out.
public struct HeadReader: IteratorProtocol {
    private let head: UnsafeRawBufferPointer
    private var position = 0

    /// - Note: Borrows the bytes; use it inside the closure that lends them.
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

    /// Where a header's value lies, of a repeated header the first one.
    public static func value(of header: HeaderName, in head: UnsafeRawBufferPointer) -> Range<Int>? {
        var reader = HeadReader(head)
        while let entry = reader.next() {
            if entry.header == header, let value = entry.value { return value }
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

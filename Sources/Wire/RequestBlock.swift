/// A provider's request as bytes: its header fields, each recognised as it was decoded, and its body.
///
/// One array holds, in this order: where the value of each recognised header lies; the *head*, which is what a stored push keeps
/// of the fields (see `HeadEntry`); the values that it does not keep; the body.
public struct RequestBlock: Sendable {
    public private(set) var bytes: [UInt8]
    @usableFromInline let seen: UInt32
    private let repeated: UInt32
    /// Where the values begin that lie outside the head.
    @usableFromInline let valuesStart: UInt32
    private let bodyStart: UInt32
    /// How many body bytes were sent; more than `bodyRange.count` when the surplus was not kept.
    public private(set) var bodyByteCount = 0

    init(bytes: [UInt8], seen: UInt32, repeated: UInt32, valuesStart: Int) {
        self.bytes = bytes
        self.seen = seen
        self.repeated = repeated
        self.valuesStart = UInt32(valuesStart)
        bodyStart = UInt32(bytes.count)
    }

    /// A request whose fields are strings, as HTTP/1.1, tests and pushes by hand have them.
    ///
    /// - Parameter bodyByteCount: How many body bytes were sent; `nil` for those in `body`.
    public init(fields: [(name: String, value: String)], body: [UInt8], bodyByteCount: Int? = nil) {
        var builder = RequestBlockBuilder()
        for field in fields {
            Array(field.name.utf8.prefix(Int(UInt16.max))).withUnsafeBytes { name in
                Array(field.value.utf8.prefix(Int(UInt16.max))).withUnsafeBytes {
                    builder.append(name: name, value: $0)
                }
            }
        }
        self = builder.block(bodyCapacity: body.count)
        bytes += body
        self.bodyByteCount = bodyByteCount ?? body.count
    }

    /// Where a header's value lies in `bytes`, of a repeated header the first one; `nil` when the header is absent.
    @inlinable
    public subscript(name: HeaderName) -> FieldRange? {
        guard seen & name.bit != 0 else { return nil }
        var range = bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: Int(name.rawValue) &* FieldRange.byteCount, as: FieldRange.self)
        }
        if HeaderName.namesOutsideHead & name.bit != 0 { range.offset &+= valuesStart }
        return range
    }

    /// A header's value as text; `nil` when the header is absent.
    public func value(of name: HeaderName) -> String? {
        self[name].map { String(decoding: bytes[$0.bounds], as: UTF8.self) }
    }

    /// Whether any recognised header came more than once.
    public var hasRepeated: Bool { repeated != 0 }

    /// The headers that came more than once.
    public var repeatedNames: [HeaderName] { HeaderName.allCases.filter { repeated & $0.bit != 0 } }

    /// The part of `bytes` that a stored push keeps of the fields.
    public var headRange: Range<Int> { RequestBlockBuilder.indexByteCount..<Int(valuesStart) }

    /// The headers that the head has as one byte, as their values lie elsewhere.
    public var markedNames: UInt32 { seen & HeaderName.namesOutsideHead }

    /// The part of `bytes` that was kept of the body.
    public var bodyRange: Range<Int> { Int(bodyStart)..<bytes.count }

    /// What was kept of the body.
    public var body: [UInt8] { Array(bytes[bodyRange]) }

    /// Keeps what fits into `limit` body bytes and counts the rest.
    /// - Returns: How many body bytes have come.
    public mutating func appendBody(_ chunk: UnsafeRawBufferPointer, limit: Int) -> Int {
        bodyByteCount += chunk.count
        let count = min(chunk.count, limit - (bytes.count - Int(bodyStart)))
        if count > 0 { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
        return bodyByteCount
    }

    /// Every field in the order in which it came; a second `authorization` or `content-length` is left out.
    public var fields: [(name: String, value: String)] {
        bytes.withUnsafeBytes { bytes in
            let head = UnsafeRawBufferPointer(rebasing: bytes[headRange])
            return IteratorSequence(HeadReader(head)).map { entry in
                let value = entry.value.map { head[$0] } ?? bytes[entry.header.flatMap { self[$0]?.bounds } ?? 0..<0]
                return (entry.name(in: head), String(decoding: value, as: UTF8.self))
            }
        }
    }
}

/// Where a header's value lies in the bytes of its request.
public struct FieldRange: Hashable, Sendable, BitwiseCopyable {
    public var offset: UInt32
    public var count: UInt32

    @usableFromInline static let byteCount = 8

    @inlinable public var bounds: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

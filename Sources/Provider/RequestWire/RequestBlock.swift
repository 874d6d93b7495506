/// A provider's request as bytes: its header fields, recognised during decoding, and its body.
///
/// One array holds, in this order: the value ranges of recognised headers; the *head*, which a stored push retains
/// (see `HeadEntry`); the values outside the head; the body.
public struct RequestBlock: Sendable {
    public private(set) var bytes: [UInt8]
    @usableFromInline let seen: UInt32
    private let repeated: UInt32
    @usableFromInline let valuesStart: UInt32
    private let bodyStart: UInt32
    /// Body bytes sent; more than `bodyRange.count` when the surplus was dropped.
    public private(set) var bodyByteCount = 0

    init(bytes: [UInt8], seen: UInt32, repeated: UInt32, valuesStart: Int) {
        self.bytes = bytes
        self.seen = seen
        self.repeated = repeated
        self.valuesStart = UInt32(valuesStart)
        bodyStart = UInt32(bytes.count)
    }

    /// A body that is not read to its end is as long as its `content-length` says.
    public mutating func announceBody(byteCount: Int?) { bodyByteCount = max(bodyByteCount, byteCount ?? 0) }

    /// A request with string fields: from HTTP/1.1, tests or direct pushes.
    ///
    /// - Parameter bodyByteCount: Body bytes sent; `nil` when `body` has them all.
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

    /// The value's range in `bytes`, for a repeated header the first; `nil` when the header is absent.
    @inlinable
    public subscript(name: HeaderName) -> FieldRange? {
        guard seen & name.bit != 0 else { return nil }
        var range = bytes.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: Int(name.rawValue) &* FieldRange.byteCount, as: FieldRange.self)
        }
        if HeaderName.namesOutsideHead & name.bit != 0 { range.offset &+= valuesStart }
        return range
    }

    public func value(of name: HeaderName) -> String? {
        self[name].map { String(decoding: bytes[$0.bounds], as: UTF8.self) }
    }

    public var hasRepeated: Bool { repeated != 0 }

    public var repeatedNames: [HeaderName] { HeaderName.allCases.filter { repeated & $0.bit != 0 } }

    public var headRange: Range<Int> { RequestBlockBuilder.indexByteCount..<Int(valuesStart) }

    /// Headers that the head has as one byte, because their values are elsewhere.
    public var markedNames: UInt32 { seen & HeaderName.namesOutsideHead }

    public var bodyRange: Range<Int> { Int(bodyStart)..<bytes.count }

    public var body: [UInt8] { Array(bytes[bodyRange]) }

    /// Stores up to `limit` body bytes and counts the rest.
    /// - Returns: The body bytes received so far.
    public mutating func appendBody(_ chunk: UnsafeRawBufferPointer, limit: Int) -> Int {
        bodyByteCount += chunk.count
        let count = min(chunk.count, limit - (bytes.count - Int(bodyStart)))
        if count > 0 { bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: chunk[..<count])) }
        return bodyByteCount
    }

    /// Retains the number of body bytes sent.
    public mutating func replaceBody(_ body: [UInt8]) {
        guard !bytes[bodyRange].elementsEqual(body) else { return }
        bytes.replaceSubrange(bodyRange, with: body)
    }

    /// In order of arrival, without a second `authorization` or `content-length`.
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

/// Where a header's value is in `RequestBlock.bytes`.
public struct FieldRange: Hashable, Sendable, BitwiseCopyable {
    public var offset: UInt32
    public var count: UInt32

    @usableFromInline static let byteCount = 8

    @inlinable public var bounds: Range<Int> { Int(offset)..<Int(offset) + Int(count) }
}

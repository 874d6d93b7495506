/// A provider's request, as it came: bytes, and where its headers lie in them.
public struct ProviderRequest: Sendable {
    /// The header fields in a layout of their own, then the body.
    public let bytes: [UInt8]
    /// The recognised headers, as ranges into `bytes`.
    public let head: RequestHead
    /// Every field: lengths of name and value in two bytes each, in host order, then name and value.
    public let fields: Range<Int>
    /// Where the kept part of the body lies.
    public let body: Range<Int>
    /// How many body bytes the provider sent; more than `body.count` when the surplus was not kept.
    public let bodyByteCount: Int

    /// - Parameters:
    ///   - bytes: The field block as described at `fields`, then the body from `bodyOffset` on.
    public init(bytes: [UInt8], bodyOffset: Int, bodyByteCount: Int) {
        var head = RequestHead()
        let span = bytes.span.bytes
        Self.visit(span, end: bodyOffset) { name, value in head.add(name: name, value: value, in: span) }
        self.init(bytes: bytes, head: head, bodyOffset: bodyOffset, bodyByteCount: bodyByteCount)
    }

    /// - Parameter head: What `init(bytes:bodyOffset:bodyByteCount:)` would find in the field block.
    init(bytes: [UInt8], head: RequestHead, bodyOffset: Int, bodyByteCount: Int) {
        self.bytes = bytes
        self.head = head
        self.bodyByteCount = bodyByteCount
        fields = 0..<bodyOffset
        body = bodyOffset..<bytes.count
    }

    /// Builds a request from text, for tests and for pushes that come by another way than a provider's connection.
    public init(fields: [(name: String, value: String)], body: [UInt8]) {
        var bytes: [UInt8] = []
        for field in fields {
            withUnsafeBytes(of: UInt16(clamping: field.name.utf8.count)) { bytes += $0 }
            withUnsafeBytes(of: UInt16(clamping: field.value.utf8.count)) { bytes += $0 }
            bytes += field.name.utf8.prefix(Int(UInt16.max))
            bytes += field.value.utf8.prefix(Int(UInt16.max))
        }
        let bodyOffset = bytes.count
        self.init(bytes: bytes + body, bodyOffset: bodyOffset, bodyByteCount: body.count)
    }

    /// Visits every field in wire order with its place; the ranges lie in `bytes`.
    @inline(__always)
    package func forEachField(_ visit: (_ place: Int, _ name: Range<Int>, _ value: Range<Int>) -> Void) {
        var place = 0
        Self.visit(bytes.span.bytes, end: fields.upperBound) { name, value in
            visit(place, name, value)
            place &+= 1
        }
    }

    @inline(__always)
    private static func visit(
        _ bytes: RawSpan, end: Int, _ visit: (_ name: Range<Int>, _ value: Range<Int>) -> Void
    ) {
        var offset = 0
        while offset < end {
            let nameCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
            let valueCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
            let value = offset + 4 + nameCount
            visit(offset + 4..<value, value..<value + valueCount)
            offset = value + valueCount
        }
    }

    /// A header's value as text; `nil` when the header is absent.
    public func value(of name: HeaderName) -> String? {
        head[name].map { String(decoding: bytes[$0.bounds], as: UTF8.self) }
    }
}

/// A provider's request, as it came: bytes, and where its headers lie in them.
package struct ProviderRequest: Sendable {
    /// Every field: lengths of name and value in two bytes each, in host order, then name and value.
    package let fields: [UInt8]
    /// The recognised headers, as ranges into `fields`.
    package let head: RequestHead
    /// The kept part of the body.
    package let body: [UInt8]
    /// How many body bytes the provider sent; more than `body.count` when the surplus was not kept.
    package let bodyByteCount: Int

    /// - Parameter fields: The field block as described at `fields`.
    package init(fields: [UInt8], body: [UInt8], bodyByteCount: Int) {
        self.init(fields: fields, head: RequestHead(fields), body: body, bodyByteCount: bodyByteCount)
    }

    /// - Parameter head: What lies in the field block, as it was found before.
    init(fields: [UInt8], head: RequestHead, body: [UInt8], bodyByteCount: Int) {
        self.fields = fields
        self.head = head
        self.body = body
        self.bodyByteCount = bodyByteCount
    }

    /// Builds a request from text, for tests and for pushes that come by another way than a provider's connection.
    package init(fields: [(name: String, value: String)], body: [UInt8]) {
        var bytes: [UInt8] = []
        for field in fields {
            withUnsafeBytes(of: UInt16(clamping: field.name.utf8.count)) { bytes += $0 }
            withUnsafeBytes(of: UInt16(clamping: field.value.utf8.count)) { bytes += $0 }
            bytes += field.name.utf8.prefix(Int(UInt16.max))
            bytes += field.value.utf8.prefix(Int(UInt16.max))
        }
        self.init(fields: bytes, body: body, bodyByteCount: body.count)
    }

    /// Visits every field in wire order with its place; the ranges lie in `fields`.
    @inline(__always)
    package func forEachField(_ visit: (_ place: Int, _ name: Range<Int>, _ value: Range<Int>) -> Void) {
        var place = 0
        Self.visit(fields.span.bytes) { name, value in
            visit(place, name, value)
            place &+= 1
        }
    }

    @inline(__always)
    static func visit(_ bytes: RawSpan, _ visit: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        var offset = 0
        while offset < bytes.byteCount {
            let nameCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
            let valueCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
            let value = offset + 4 + nameCount
            visit(offset + 4..<value, value..<value + valueCount)
            offset = value + valueCount
        }
    }

    /// A header's value as text; `nil` when the header is absent.
    package func value(of name: HeaderName) -> String? {
        head[name].map { String(decoding: fields[$0.bounds], as: UTF8.self) }
    }
}

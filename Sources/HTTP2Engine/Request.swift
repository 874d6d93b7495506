/// One request, as it came.
package struct Request: Sendable {
    /// The stream to answer on (RFC 9113 §5.1.1); 1 for a request that came over HTTP/1.1.
    package let stream: Int32
    /// The header fields in wire order, pseudo fields included.
    ///
    /// Each is name length and value length (two bytes each, host order), name, value. Names and values stay bytes: whoever
    /// knows what they mean recognises them without a `String`.
    package let fields: [UInt8]
    /// What was kept of the body.
    package private(set) var body: [UInt8] = []
    /// How many body bytes the client sent; more than `body.count` when the surplus was not kept.
    package private(set) var bodyByteCount = 0

    /// - Parameters:
    ///   - fields: In the layout above.
    ///   - bodyCapacity: How long the body is going to be, as far as that is known.
    init(stream: Int32, fields: [UInt8], bodyCapacity: Int) {
        self.stream = stream
        self.fields = fields
        body.reserveCapacity(bodyCapacity)
    }

    /// A request from a transport that has its fields as strings, such as HTTP/1.1.
    package init(fields: [(name: String, value: String)], body: [UInt8], bodyByteCount: Int) {
        stream = 1
        var block = FieldBlock()
        for field in fields {
            var name = field.name
            var value = field.value
            name.withUTF8 { name in
                value.withUTF8 { value in block.append(name: name, value: value) }
            }
        }
        self.fields = block.packed
        self.body = body
        self.bodyByteCount = bodyByteCount
    }

    /// Keeps what fits into `limit` body bytes and counts the rest.
    /// - Returns: How many body bytes have come.
    mutating func appendBody(_ chunk: UnsafeBufferPointer<UInt8>, limit: Int) -> Int {
        bodyByteCount += chunk.count
        let count = min(chunk.count, limit - body.count)
        if count > 0 { body.append(contentsOf: UnsafeRawBufferPointer(start: chunk.baseAddress, count: count)) }
        return bodyByteCount
    }

    /// Visits the fields in wire order; the ranges lie in `fields`.
    @inlinable
    package func forEachField(_ visit: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        let bytes = fields.span.bytes
        var offset = 0
        while offset < bytes.byteCount {
            let nameCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
            let valueCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
            let name = offset + 4
            let value = name + nameCount
            visit(name..<value, value..<value + valueCount)
            offset = value + valueCount
        }
    }
}

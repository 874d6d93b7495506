/// One request, as it came: a single buffer with the header fields first and the body behind them.
///
/// Fields lie in wire order, pseudo fields included, each as name length and value length (two bytes each, host order),
/// name, value. Names and values stay bytes: whoever knows what they mean recognises them without a `String`.
public struct Request: Sendable {
    /// The stream to answer on (RFC 9113 §5.1.1); 1 for a request that came over HTTP/1.1.
    public let stream: Int32
    /// Fields, then body.
    public private(set) var bytes: [UInt8]
    /// How many body bytes the client sent; more than `body.count` when the surplus was not kept.
    public private(set) var bodyByteCount: Int
    private let bodyOffset: Int

    /// Where the kept body lies in `bytes`.
    public var body: Range<Int> { bodyOffset..<bytes.count }

    /// - Parameter fields: A field block in the layout above.
    init(stream: Int32, fields: UnsafeRawBufferPointer, bodyCapacity: Int) {
        self.stream = stream
        bodyOffset = fields.count
        bodyByteCount = 0
        bytes = [UInt8](unsafeUninitializedCapacity: fields.count + bodyCapacity) { target, count in
            UnsafeMutableRawBufferPointer(target).copyMemory(from: fields)
            count = fields.count
        }
    }

    /// A request from a transport that has its fields as strings, such as HTTP/1.1.
    public init(fields: [(name: String, value: String)], body: [UInt8], bodyByteCount: Int) {
        stream = 1
        var block = FieldBlock()
        for field in fields {
            var name = field.name
            var value = field.value
            name.withUTF8 { name in
                value.withUTF8 { value in block.append(name: name, value: value) }
            }
        }
        bodyOffset = block.bytes.count
        bytes = block.bytes.withRawBytes { [UInt8]($0) } + body
        self.bodyByteCount = bodyByteCount
    }

    /// Keeps what fits into `limit` body bytes and counts the rest.
    mutating func appendBody(_ chunk: UnsafeBufferPointer<UInt8>, limit: Int) {
        bodyByteCount += chunk.count
        let room = limit - (bytes.count - bodyOffset)
        if room > 0 { bytes.append(contentsOf: chunk.prefix(room)) }
    }

    /// Visits the fields in wire order; the ranges lie in `bytes`.
    @inlinable
    public func forEachField(_ visit: (_ name: Range<Int>, _ value: Range<Int>) -> Void) {
        let end = body.lowerBound
        let bytes = bytes.span.bytes
        var offset = 0
        while offset < end {
            let nameCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
            let valueCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
            let name = offset + 4
            let value = name + nameCount
            visit(name..<value, value..<value + valueCount)
            offset = value + valueCount
        }
    }
}

/// An answer: a status, header fields and an optional body, sent as HEADERS, or HEADERS and one DATA frame.
public struct Response: Sendable {
    /// `:status`.
    public var status: UInt16
    /// The body; empty means that HEADERS ends the stream.
    public var body: [UInt8] = []
    /// How many bytes of the body one DATA frame takes; `nil` for as many as fit.
    public var frameByteCount: Int?
    /// Whether each DATA frame waits for `HTTP2Session.releaseBody(of:)`; an empty body then is one of them.
    public var isPaced = false
    /// The fields as HPACK writes literals that no table remembers (RFC 7541 §6.2.2): 0, name, value, each with its length.
    @usableFromInline private(set) var fields: [UInt8] = []

    /// - Parameter status: Three digits.
    public init(status: UInt16 = 200) { self.status = status }

    /// Makes it a new answer, in the room that the former one had.
    public mutating func reset(status: UInt16) {
        self.status = status
        if !body.isEmpty { body = [] }
        frameByteCount = nil
        isPaced = false
        fields.removeAll(keepingCapacity: true)
    }

    /// Adds a field.
    /// - Parameters:
    ///   - name: In lower case, at most 126 bytes.
    ///   - byteCount: The value's length; at most 16,510.
    ///   - write: Appends exactly `byteCount` bytes.
    @inlinable
    public mutating func addField(
        _ name: StaticString, byteCount: Int, _ write: (inout OutputSpan<UInt8>) -> Void
    ) {
        fields.append(addingCapacity: Self.overhead + name.utf8CodeUnitCount + byteCount) { span in
            Self.beginField(name, byteCount: byteCount, in: &span)
            write(&span)
        }
    }

    /// Adds a field with these bytes as its value.
    public mutating func addField(_ name: StaticString, bytes: RawSpan) {
        fields.append(addingCapacity: Self.overhead + name.utf8CodeUnitCount) { span in
            Self.beginField(name, byteCount: bytes.byteCount, in: &span)
        }
        bytes.withUnsafeBytes { fields.append(contentsOf: $0) }
    }

    /// Adds a field with text as its value.
    public mutating func addField(_ name: StaticString, _ value: String) {
        addField(name, bytes: value.utf8.span.bytes)
    }

    /// How much longer a field is than its name and value, at most.
    @usableFromInline static let overhead = 5

    @usableFromInline
    static func beginField(_ name: StaticString, byteCount: Int, in span: inout OutputSpan<UInt8>) {
        let nameCount = name.utf8CodeUnitCount
        precondition(nameCount < lengthPrefix && byteCount < lengthPrefix + 1 << 14)
        span.append(0)
        span.append(UInt8(nameCount))
        span.withUnsafeMutableBufferPointer { buffer, count in
            UnsafeMutableRawPointer(buffer.baseAddress! + count).copyMemory(from: name.utf8Start, byteCount: nameCount)
            count += nameCount
        }
        guard byteCount >= lengthPrefix else { return span.append(UInt8(byteCount)) }
        let rest = byteCount - lengthPrefix
        span.append(UInt8(lengthPrefix))
        span.append(UInt8(rest & 0x7f) | 0x80)
        span.append(UInt8(rest >> 7))
    }

    /// A length up to this takes one byte (RFC 7541 §5.1, §5.2).
    private static let lengthPrefix = 127

    /// Every field as text, for transports that want strings.
    public var textFields: [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        var rest = fields[...]
        while !rest.isEmpty {
            let name = rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1]))
            rest = rest[name.endIndex...]
            var count = Int(rest.removeFirst())
            if count == Self.lengthPrefix { count += Int(rest.removeFirst() & 0x7f) + Int(rest.removeFirst()) << 7 }
            result.append((String(decoding: name, as: UTF8.self), String(decoding: rest.prefix(count), as: UTF8.self)))
            rest = rest.dropFirst(count)
        }
        return result
    }
}

/// An answer: status, header fields and optional body, sent as HEADERS, or HEADERS and DATA.
public struct Response: Sendable {
    public var status: UInt16
    /// When empty, HEADERS ends the stream.
    public var body: [UInt8] = []
    /// Body bytes per DATA frame; `nil` for as many as fit.
    public var frameByteCount: Int?
    /// Whether each DATA frame, even an empty one, waits for `HTTP2Session.releaseBody(of:)`.
    public var isPaced = false
    /// HPACK literals without indexing (RFC 7541 §6.2.2): 0, name, value, each with its length.
    @usableFromInline private(set) var fields: [UInt8] = []

    /// - Parameter status: Three digits.
    public init(status: UInt16 = 200) { self.status = status }

    /// Starts a new answer and keeps the memory of the last one.
    public mutating func reset(status: UInt16) {
        self.status = status
        if !body.isEmpty { body = [] }
        frameByteCount = nil
        isPaced = false
        fields.removeAll(keepingCapacity: true)
    }

    /// The name is lower case, at most 126 bytes; `write` appends exactly `byteCount` bytes, at most 16,510.
    @inlinable
    public mutating func addField(
        _ name: StaticString, byteCount: Int, _ write: (inout OutputSpan<UInt8>) -> Void
    ) {
        fields.append(addingCapacity: Self.overhead + name.utf8CodeUnitCount + byteCount) { span in
            Self.beginField(name, byteCount: byteCount, in: &span)
            write(&span)
        }
    }

    public mutating func addField(_ name: StaticString, bytes: RawSpan) {
        fields.append(addingCapacity: Self.overhead + name.utf8CodeUnitCount) { span in
            Self.beginField(name, byteCount: bytes.byteCount, in: &span)
        }
        bytes.withUnsafeBytes { fields.append(contentsOf: $0) }
    }

    public mutating func addField(_ name: StaticString, _ value: String) {
        addField(name, bytes: value.utf8.span.bytes)
    }

    /// Bytes of a field beside its name and value, at most.
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

    /// Lengths below this take one byte (RFC 7541 §5.1, §5.2).
    private static let lengthPrefix = 127

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

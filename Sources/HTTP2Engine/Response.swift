/// An answer: a status, header fields and an optional body, sent as HEADERS, or HEADERS and one DATA frame.
public struct Response: Sendable {
    /// `:status`.
    public var status: UInt16
    /// The body; empty means that HEADERS ends the stream.
    public var body: [UInt8] = []
    /// Field block in `Request`'s layout.
    private(set) var fields: [UInt8] = []
    private(set) var fieldCount = 0

    /// - Parameter status: Three digits.
    public init(status: UInt16) {
        self.status = status
        fields.reserveCapacity(128)
    }

    /// Adds a field.
    /// - Parameters:
    ///   - name: In lower case, at most 65,535 bytes.
    ///   - byteCount: The value's length.
    ///   - write: Appends exactly `byteCount` bytes.
    @inlinable
    public mutating func addField(_ name: StaticString, byteCount: Int, _ write: (inout [UInt8]) -> Void) {
        beginField(name, byteCount: byteCount)
        withFields(write)
    }

    /// Adds a field with text as its value.
    public mutating func addField(_ name: StaticString, _ value: String) {
        beginField(name, byteCount: value.utf8.count)
        fields.append(contentsOf: value.utf8)
    }

    @usableFromInline
    mutating func beginField(_ name: StaticString, byteCount: Int) {
        precondition(name.utf8CodeUnitCount <= UInt16.max && byteCount <= UInt16.max)
        withUnsafeBytes(of: UInt16(name.utf8CodeUnitCount)) { fields.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt16(byteCount)) { fields.append(contentsOf: $0) }
        fields.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        fieldCount += 1
    }

    @usableFromInline
    mutating func withFields(_ write: (inout [UInt8]) -> Void) { write(&fields) }

    /// Every field as text, for transports that want strings.
    public var textFields: [(name: String, value: String)] {
        var result: [(name: String, value: String)] = []
        var offset = 0
        while offset < fields.count {
            let bytes = fields.span.bytes
            let nameCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
            let valueCount = Int(bytes.unsafeLoadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
            let value = offset + 4 + nameCount
            result.append(
                (
                    String(decoding: fields[offset + 4..<value], as: UTF8.self),
                    String(decoding: fields[value..<value + valueCount], as: UTF8.self)
                ))
            offset = value + valueCount
        }
        return result
    }
}

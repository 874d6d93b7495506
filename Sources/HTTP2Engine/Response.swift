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
        let nameCount = name.utf8CodeUnitCount
        precondition(nameCount <= UInt16.max && byteCount <= UInt16.max)
        fields.append(addingCapacity: 4 + nameCount) { span in
            span.withUnsafeMutableBufferPointer { buffer, count in
                let target = UnsafeMutableRawPointer(buffer.baseAddress! + count)
                target.storeBytes(of: UInt16(nameCount), as: UInt16.self)
                target.storeBytes(of: UInt16(byteCount), toByteOffset: 2, as: UInt16.self)
                (target + 4).copyMemory(from: name.utf8Start, byteCount: nameCount)
                count += 4 + nameCount
            }
        }
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

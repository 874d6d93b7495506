internal import DeviceModel
internal import JSON
internal import NIOCore

/// Writes a message: JSON without a line break, and one at its end.
struct JSONLine {
    private(set) var buffer: ByteBuffer

    init(capacity: Int = 256) { buffer = ByteBufferAllocator().buffer(capacity: capacity) }

    /// A whole line of one object.
    static func of(_ members: [OrderedJSON.Member]) -> ByteBuffer {
        var line = JSONLine()
        line.append(.object(members))
        return line.ended()
    }

    consuming func ended() -> ByteBuffer {
        buffer.writeInteger(UInt8(ascii: "\n"))
        return buffer
    }

    /// Adds text that is JSON, or a part of it, and has no line break.
    mutating func append(raw text: String) { buffer.writeString(text) }

    /// Adds a document as it is, save that its line breaks become spaces: JSON has them between values only.
    mutating func append(document: [UInt8]) {
        let isBreak = { (byte: UInt8) in byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        if document.contains(where: isBreak) {
            buffer.writeBytes(document.map { isBreak($0) ? UInt8(ascii: " ") : $0 })
        } else {
            buffer.writeBytes(document)
        }
    }

    /// Adds a value.
    mutating func append(_ json: OrderedJSON) {
        switch json {
        case .null: buffer.writeString("null")
        case .bool(let value): buffer.writeString(value ? "true" : "false")
        case .integer(let value): buffer.writeString(String(value))
        // A number too large for a Double has no JSON spelling once read.
        case .number(let value): buffer.writeString(value.isFinite ? String(value) : "null")
        case .string(let text): append(text: text)
        case .array(let elements):
            buffer.writeString("[")
            for (index, element) in elements.enumerated() {
                if index > 0 { buffer.writeString(",") }
                append(element)
            }
            buffer.writeString("]")
        case .object(let members):
            buffer.writeString("{")
            for (index, member) in members.enumerated() {
                if index > 0 { buffer.writeString(",") }
                append(text: member.name)
                buffer.writeString(":")
                append(member.value)
            }
            buffer.writeString("}")
        }
    }

    private mutating func append(text: String) {
        buffer.writeString("\"")
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            buffer.writeString(text)
        } else {
            for byte in text.utf8 { append(escaped: byte) }
        }
        buffer.writeString("\"")
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): buffer.writeString("\\\"")
        case UInt8(ascii: "\\"): buffer.writeString("\\\\")
        case 0..<0x20: buffer.writeString("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16))
        default: buffer.writeInteger(byte)
        }
    }
}

package import RequestWire

/// Collects the fields of one header block and checks whether they make a request or trailers (RFC 9113 §8.1, §8.3).
package struct RequestFields: ~Copyable {
    private struct Facts {
        /// Counted as in RFC 9113 §6.5.2, dropped fields included.
        var listSize = 0
        /// Bits of the headers seen that may occur only once.
        var unique: UInt32 = 0
        var contentLength: Int?
        var isMalformed = false
        var hasPseudo = false
        /// A regular field was seen; pseudo-header fields must precede it (RFC 9113 §8.3).
        var isPastPseudo = false
        var (isConnect, isOptions, isHTTP, isPathAbsolute, isPathAsterisk) = (false, false, false, false, false)
    }

    private let maximumByteCount: Int
    private let maximumListSize: Int
    private var block = RequestBlockBuilder()
    private var facts = Facts()

    package init(maximumByteCount: Int, maximumListSize: Int) {
        self.maximumByteCount = maximumByteCount
        self.maximumListSize = maximumListSize
    }

    package mutating func removeAll() {
        block.removeAll()
        facts = Facts()
    }

    /// - Returns: False above `maximumByteCount`.
    mutating func append(_ field: TableField) -> Bool {
        facts.listSize += field.name.count + field.value.count + 32
        guard facts.listSize <= maximumByteCount else { return false }
        if field.kind.isPseudo {
            facts.hasPseudo = true
            if facts.isPastPseudo { facts.isMalformed = true }
        } else {
            facts.isPastPseudo = true
        }
        switch field.kind.verdict {
        case .dropped: return true
        case .malformed: facts.isMalformed = true
        case .valid:
            if let header = field.kind.header, header.bit & Self.uniqueNames != 0 { record(header, field.value) }
        }
        if !isTooLarge { block.append(field.kind.header, name: field.name, value: field.value) }
        return true
    }

    private static var uniqueNames: UInt32 {
        requiredNames | HeaderName.authority.bit | HeaderName.host.bit | HeaderName.contentLength.bit
    }

    private static var requiredNames: UInt32 { HeaderName.method.bit | HeaderName.scheme.bit | HeaderName.path.bit }

    private mutating func record(_ header: HeaderName, _ value: UnsafeRawBufferPointer) {
        if facts.unique & header.bit != 0 { facts.isMalformed = true }
        facts.unique |= header.bit
        switch header {
        case .contentLength: facts.contentLength = value.number
        case .method:
            facts.isConnect = value.bytes.equals("CONNECT")
            facts.isOptions = value.bytes.equals("OPTIONS")
        case .scheme:
            facts.isHTTP = value.bytes.equals("https") || ["http", "https"].contains(value.bytes.text.lowercased())
        case .path:
            facts.isPathAbsolute = value.first == UInt8(ascii: "/")
            facts.isPathAsterisk = value.bytes.equals("*")
        default: break
        }
    }

    package var isTooLarge: Bool { block.listSize > maximumListSize }

    /// Without fields when the list is too large.
    package mutating func takeBlock(bodyCapacity: Int) -> RequestBlock {
        if isTooLarge { block.removeAll() }
        return block.block(bodyCapacity: bodyCapacity)
    }

    /// Bits of the headers seen that may occur only once per request, trailers included.
    package var unique: UInt32 { facts.unique }

    /// `nil` for CONNECT, which has no body length.
    package var contentLength: Int? { facts.isConnect ? nil : facts.contentLength }

    package var isRequest: Bool {
        guard !facts.isMalformed else { return false }
        let (authority, host) = (HeaderName.authority.bit, HeaderName.host.bit)
        if facts.isConnect {
            return unique & (HeaderName.scheme.bit | HeaderName.path.bit) == 0 && unique & authority != 0
        }
        return unique & Self.requiredNames == Self.requiredNames && unique & (authority | host) != 0
            && (!facts.isHTTP || facts.isPathAbsolute || facts.isOptions && facts.isPathAsterisk)
    }

    /// - Parameter names: `unique` of the request.
    package func areTrailers(ofRequestWith names: UInt32) -> Bool {
        !facts.isMalformed && !facts.hasPseudo && unique & names == 0
    }
}

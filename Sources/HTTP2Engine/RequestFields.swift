internal import CNghttp2
internal import Wire

/// What a header field is, wherever it stands (RFC 9113 §8.2, §8.3). Judged as it is decoded; HPACK's tables keep it.
///
/// The judgement is nghttp2's, and so are the functions behind it.
struct FieldKind {
    enum Verdict {
        case valid
        /// A byte in the name or value is not allowed: dropped, as many programs send such fields.
        case dropped
        /// Not allowed in any request: a stream error.
        case malformed
    }

    /// `nil` for a name that is not recognised.
    let header: HeaderName?
    let isPseudo: Bool
    let verdict: Verdict

    /// A field whose value does not matter.
    init(_ header: HeaderName) { (self.header, isPseudo, verdict) = (header, false, .valid) }

    init(_ header: HeaderName?, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        self.header = header
        isPseudo = name.first == UInt8(ascii: ":")
        if let header {
            verdict = Self.verdict(header, value)
        } else if name.check(nghttp2_check_header_name) {
            verdict = isPseudo || Self.isForbidden(name, value) ? .malformed : Self.verdict(ofValue: value)
        } else {
            // An upper-case letter is an error of its own (RFC 9113 §8.2.1).
            let isMalformed = isPseudo || name.contains { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
            verdict = isMalformed ? .malformed : .dropped
        }
    }

    private static func verdict(_ header: HeaderName, _ value: UnsafeRawBufferPointer) -> Verdict {
        switch header {
        case .method: value.check(nghttp2_check_method) ? .valid : .malformed
        case .path: value.count > 0 && (value.isVisible || value.check(nghttp2_check_path)) ? .valid : .malformed
        case .scheme: isScheme(value) ? .valid : .malformed
        case .authority: value.count > 0 && value.check(nghttp2_check_authority) ? .valid : .malformed
        case .host: !value.check(nghttp2_check_authority) ? .dropped : value.isEmpty ? .malformed : .valid
        case .contentLength:
            !value.check(nghttp2_check_header_value) ? .dropped : value.number == nil ? .malformed : .valid
        case .authorization, .apnsID, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration, .apnsCollapseID,
            .apnsChannelID, .apnsRequestID, .userAgent, .contentType, .contentEncoding, .accept, .acceptEncoding:
            verdict(ofValue: value)
        }
    }

    private static func verdict(ofValue value: UnsafeRawBufferPointer) -> Verdict {
        value.isVisible || value.check(nghttp2_check_header_value) ? .valid : .dropped
    }

    /// RFC 3986 §3.1.
    private static func isScheme(_ value: UnsafeRawBufferPointer) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        guard let first = value.first, isLetter(first) else { return false }
        return value.allSatisfy {
            isLetter($0) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.".utf8.contains($0)
        }
    }

    /// Whether a field concerns the connection of HTTP/1.1 (RFC 9113 §8.2.2).
    private static func isForbidden(_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Bool {
        guard let first = name.first, "cktpu".utf8.contains(first), value.check(nghttp2_check_header_value) else {
            return false
        }
        switch String(decoding: name, as: UTF8.self) {
        case "connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade": return true
        case "te": return String(decoding: value, as: UTF8.self).lowercased() != "trailers"
        default: return false
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Whether all bytes are visible characters of ASCII, which any value may have: seen eight at a time.
    fileprivate var isVisible: Bool {
        func each(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }
        var marks: UInt64 = 0
        var offset = 0
        while offset &+ 8 <= count {
            let word = loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            marks |= word | (word &- each(0x21)) | (word &+ each(0x01))
            offset &+= 8
        }
        while offset < count {
            let byte = UInt64(self[offset])
            marks |= byte | (byte &- 0x21) | (byte &+ 0x01)
            offset &+= 1
        }
        return marks & each(0x80) == 0
    }

    fileprivate func check(_ rule: (UnsafePointer<UInt8>?, Int) -> Int32) -> Bool {
        rule(assumingMemoryBound(to: UInt8.self).baseAddress, count) != 0
    }

    /// Decimal digits, up to `Int.max`.
    fileprivate var number: Int? {
        var number = 0
        for byte in self {
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeNow) = product.addingReportingOverflow(Int(byte &- 0x30))
            guard byte &- 0x30 < 10, !isTooLarge, !isTooLargeNow else { return nil }
            number = sum
        }
        return isEmpty ? nil : number
    }
}

/// The fields of the header block that is being decoded, and whether they make a request (RFC 9113 §8.3).
struct RequestFields: ~Copyable {
    private struct Facts {
        /// RFC 9113 §6.5.2 says how it counts; of every field, dropped ones included.
        var listSize = 0
        /// The headers that came of those that may come once.
        var unique: UInt32 = 0
        var contentLength: Int?
        var isMalformed = false
        var hasPseudo = false
        /// A field came that is no pseudo field.
        var isPastPseudo = false
        var (isConnect, isOptions, isHTTP, isPathAbsolute, isPathAsterisk) = (false, false, false, false, false)
    }

    private let maximumByteCount: Int
    private let maximumListSize: Int
    /// The fields that are valid.
    private var block = RequestBlockBuilder()
    private var facts = Facts()

    /// - Parameters:
    ///   - maximumByteCount: How much of a block is decoded at all.
    ///   - maximumListSize: How large a request's list may be.
    init(maximumByteCount: Int, maximumListSize: Int) {
        self.maximumByteCount = maximumByteCount
        self.maximumListSize = maximumListSize
    }

    /// A header block begins.
    mutating func removeAll() {
        block.removeAll()
        facts = Facts()
    }

    /// - Returns: Whether the block is within what is decoded at all.
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
        case .valid: if let header = field.kind.header, header.bit & Self.uniqueNames != 0 { note(header, field.value) }
        }
        if !isTooLarge { block.append(field.kind.header, name: field.name, value: field.value) }
        return true
    }

    /// Headers that a request has once.
    private static var uniqueNames: UInt32 {
        requiredNames | HeaderName.authority.bit | HeaderName.host.bit | HeaderName.contentLength.bit
    }

    private static var requiredNames: UInt32 { HeaderName.method.bit | HeaderName.scheme.bit | HeaderName.path.bit }

    private mutating func note(_ header: HeaderName, _ value: UnsafeRawBufferPointer) {
        if facts.unique & header.bit != 0 { facts.isMalformed = true }
        facts.unique |= header.bit
        switch header {
        case .contentLength: facts.contentLength = value.number
        case .method:
            facts.isConnect = value.bytes.equals("CONNECT")
            facts.isOptions = value.bytes.equals("OPTIONS")
        case .scheme:
            facts.isHTTP =
                value.bytes.equals("https") || ["http", "https"].contains(value.bytes.text.lowercased())
        case .path:
            facts.isPathAbsolute = value.first == UInt8(ascii: "/")
            facts.isPathAsterisk = value.bytes.equals("*")
        default: break
        }
    }

    /// The list is over the limit; what came then was dropped.
    var isTooLarge: Bool { block.listSize > maximumListSize }

    /// The fields as a request, none of those of a list that is too large.
    mutating func takeBlock(bodyCapacity: Int) -> RequestBlock {
        if isTooLarge { block.removeAll() }
        return block.block(bodyCapacity: bodyCapacity)
    }

    /// The headers that came of those that a request has once, and its trailers not again.
    var unique: UInt32 { facts.unique }

    /// The number in `content-length`; a CONNECT request has none.
    var contentLength: Int? { facts.isConnect ? nil : facts.contentLength }

    /// Whether they make a request.
    var isRequest: Bool {
        guard !facts.isMalformed else { return false }
        let (authority, host) = (HeaderName.authority.bit, HeaderName.host.bit)
        if facts.isConnect {
            return unique & (HeaderName.scheme.bit | HeaderName.path.bit) == 0 && unique & authority != 0
        }
        return unique & Self.requiredNames == Self.requiredNames && unique & (authority | host) != 0
            && (!facts.isHTTP || facts.isPathAbsolute || facts.isOptions && facts.isPathAsterisk)
    }

    /// Whether they may follow the body of a request.
    ///
    /// - Parameter names: `unique` of the request.
    func areTrailers(ofRequestWith names: UInt32) -> Bool {
        !facts.isMalformed && !facts.hasPseudo && unique & names == 0
    }
}

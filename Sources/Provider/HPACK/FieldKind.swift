internal import CNghttp2
internal import RequestWire

/// Classifies one field of any header block (RFC 9113 §8.2, §8.3); HPACK's tables store the result.
/// The rules are nghttp2's, and so are the functions that check them.
struct FieldKind {
    enum Verdict {
        case valid
        /// The name or value contains an invalid byte. Dropped, because many programs send such fields.
        case dropped
        /// Not allowed in any request: a stream error.
        case malformed
    }

    /// `nil` for an unrecognised name.
    let header: HeaderName?
    let isPseudo: Bool
    let verdict: Verdict

    /// For a header that is valid with any value.
    init(_ header: HeaderName) { (self.header, isPseudo, verdict) = (header, false, .valid) }

    init(_ header: HeaderName?, _ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        self.header = header
        isPseudo = name.first == UInt8(ascii: ":")
        if let header {
            verdict = Self.verdict(header, value)
        } else if name.check(nghttp2_check_header_name) {
            verdict = isPseudo || Self.isForbidden(name, value) ? .malformed : Self.verdict(ofValue: value)
        } else {
            // An upper-case letter makes a request malformed (RFC 9113 §8.2.1); other invalid bytes do not.
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

    /// Connection-specific fields of HTTP/1.1 (RFC 9113 §8.2.2).
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
    /// Whether all bytes are visible ASCII, which any value may contain; checks eight at a time.
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
    var number: Int? {
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

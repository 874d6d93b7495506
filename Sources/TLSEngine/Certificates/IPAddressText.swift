internal import COpenSSL

/// IP addresses between text and network bytes.
enum IPAddressText {
    /// - Returns: 4 or 16 bytes; `nil` when the text is no address.
    static func bytes(_ text: String) -> [UInt8]? {
        guard let value = a2i_IPADDRESS(text) else { return nil }
        defer { ASN1_OCTET_STRING_free(value) }
        return ASN1Text.bytes(value)
    }

    /// - Parameter bytes: 4 or 16 of them.
    static func text(_ bytes: [UInt8]) -> String? {
        switch bytes.count {
        case 4: return bytes.map(String.init).joined(separator: ".")
        case 16:
            let groups = (0..<8).map { UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]) }
            return compressed(groups)
        default: return nil
        }
    }

    /// RFC 5952: the longest run of two or more zero groups becomes `::`.
    private static func compressed(_ groups: [UInt16]) -> String {
        var longest = 0..<0
        var start: Int?
        for index in 0...groups.count {
            if index < groups.count, groups[index] == 0 {
                start = start ?? index
            } else if let first = start {
                if index - first > max(1, longest.count) { longest = first..<index }
                start = nil
            }
        }
        let words = groups.map { String($0, radix: 16) }
        guard !longest.isEmpty else { return words.joined(separator: ":") }
        return words[..<longest.lowerBound].joined(separator: ":") + "::"
            + words[longest.upperBound...].joined(separator: ":")
    }
}

/// The text behind a percent-encoded part of a URL.
///
/// - Parameter plusIsSpace: as in a query that a form or `curl --data-urlencode` made.
/// - Returns: `nil` when a `%` lacks its two digits, or the bytes are not UTF-8.
func percentDecoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
        switch byte {
        case UInt8(ascii: "%"):
            guard let value = hexPair(rest.popFirst(), rest.popFirst()) else { return nil }
            bytes.append(value)
        case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
        default: bytes.append(byte)
        }
    }
    return String(validating: bytes, as: UTF8.self)
}

private func hexPair(_ high: UInt8?, _ low: UInt8?) -> UInt8? {
    func digit(_ byte: UInt8?) -> UInt8? {
        byte.flatMap { Character(UnicodeScalar($0)).hexDigitValue }.map { UInt8($0) }
    }
    guard let high = digit(high), let low = digit(low) else { return nil }
    return high << 4 | low
}

/// A text as one part of a URL's path (RFC 3986: what is not unreserved is encoded).
func percentEncoded(_ text: String) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
        let character = Character(UnicodeScalar(byte))
        if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
            encoded.append(character)
        } else {
            let digits = String(byte, radix: 16, uppercase: true)
            encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
        }
    }
}

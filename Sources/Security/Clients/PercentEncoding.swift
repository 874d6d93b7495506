/// Encodes every byte that is not unreserved (RFC 3986 §2.3).
package func percentEncoded(_ text: some StringProtocol) -> String {
    text.utf8.reduce(into: "") { encoded, byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            encoded.unicodeScalars.append(Unicode.Scalar(byte))
        default: encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
        }
    }
}

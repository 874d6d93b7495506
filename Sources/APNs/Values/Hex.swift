/// Hexadecimal digits and bytes.
enum Hex {
    static let lowerDigits = Array("0123456789abcdef".utf8)
    static let upperDigits = Array("0123456789ABCDEF".utf8)

    /// A digit's value, 0…15; 255 when the byte is no digit.
    @inline(__always)
    static func value(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0x30...0x39: digit &- 0x30
        case 0x61...0x66: digit &- 0x57
        case 0x41...0x46: digit &- 0x37
        default: 255
        }
    }

    /// Appends two digits per byte.
    static func append(_ bytes: some Sequence<UInt8>, to text: inout [UInt8], digits: [UInt8] = lowerDigits) {
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
    }
}

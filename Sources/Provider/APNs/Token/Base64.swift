/// Base64 in the two alphabets found in provider tokens (RFC 4648 §4 and §5).
public enum Base64 {
    /// Padding is optional, at the end only. `isStandard`: anything but unpadded base64url. Returns nil for other text.
    public static func decode(_ text: RawSpan) -> (bytes: [UInt8], isStandard: Bool)? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.byteCount * 3 / 4 + 3)
        var accumulated: UInt32 = 0
        var bits: UInt32 = 0
        var padding = 0
        var isStandard = false
        for offset in 0..<text.byteCount {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if byte == 0x3d {
                padding += 1
                isStandard = true
                continue
            }
            guard padding == 0, let value = value(byte, &isStandard) else { return nil }
            accumulated = accumulated << 6 | value
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: accumulated >> bits))
            }
        }
        guard padding <= 2, bits < 6 else { return nil }
        return (bytes, isStandard)
    }

    private static func value(_ byte: UInt8, _ isStandard: inout Bool) -> UInt32? {
        switch byte {
        case 0x41...0x5a: return UInt32(byte) - 0x41
        case 0x61...0x7a: return UInt32(byte) - 0x61 + 26
        case 0x30...0x39: return UInt32(byte) - 0x30 + 52
        case 0x2d: return 62
        case 0x5f: return 63
        case 0x2b:
            isStandard = true
            return 62
        case 0x2f:
            isStandard = true
            return 63
        default: return nil
        }
    }
}

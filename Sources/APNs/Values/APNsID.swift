/// The UUID of `apns-id` and `apns-unique-id`.
public struct APNsID: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    /// How many characters the canonical form has.
    public static let characterCount = 36

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads the canonical form, 8-4-4-4-12 hexadecimal digits of either case.
    public init?(_ text: RawSpan) {
        guard text.byteCount == Self.characterCount else { return nil }
        func byte(_ offset: Int) -> UInt8 { text.unsafeLoad(fromByteOffset: offset, as: UInt8.self) }
        func eight(_ offset: Int) -> UInt64 { text.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self) }
        func four(_ offset: Int) -> UInt64 {
            UInt64(text.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
        }
        guard byte(8) == 0x2d, byte(13) == 0x2d, byte(18) == 0x2d, byte(23) == 0x2d,
            let first = Hex.fourBytes(UInt64(littleEndian: eight(0))),
            let second = Hex.fourBytes(four(9) | (four(14) << 32)),
            let third = Hex.fourBytes(four(19) | (four(24) << 32)),
            let fourth = Hex.fourBytes(UInt64(littleEndian: eight(28)))
        else { return nil }
        high = (UInt64(first.byteSwapped) << 32) | UInt64(second.byteSwapped)
        low = (UInt64(third.byteSwapped) << 32) | UInt64(fourth.byteSwapped)
    }

    /// Which letters the digits above nine are written with.
    public enum LetterCase: Sendable {
        /// As APNs writes an `apns-id` of its own.
        case upper
        /// As APNs writes `apns-unique-id`.
        case lower
    }

    /// Appends the 36 characters of the canonical form.
    public func write(_ letterCase: LetterCase, into text: inout [UInt8]) {
        let letters: UInt8 = letterCase == .upper ? 0x37 : 0x57
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.characterCount) { target in
            var offset = 0
            for index in 0..<32 {
                if index == 8 || index == 12 || index == 16 || index == 20 {
                    target[offset] = 0x2d
                    offset &+= 1
                }
                let word = index < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index & 15))) & 15
                target[offset] = nibble < 10 ? nibble &+ 0x30 : nibble &+ letters
                offset &+= 1
            }
            text.append(contentsOf: target)
        }
    }

    public func text(_ letterCase: LetterCase) -> String {
        var bytes: [UInt8] = []
        write(letterCase, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

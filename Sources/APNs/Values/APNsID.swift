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
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for offset in 0..<Self.characterCount {
            let byte = text.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == 0x2d else { return nil }
                continue
            }
            let value = Hex.value(byte)
            guard value < 16 else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | UInt64(value) } else { words.1 = words.1 << 4 | UInt64(value) }
            digits += 1
        }
        (high, low) = words
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

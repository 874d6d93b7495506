/// A device token: opaque bytes, hexadecimal in a request's path.
///
/// Its length is not assumed (Apple, "Sending notification requests to APNs"): 32 bytes are usual, 80 have been seen for
/// Live Activities. Tokens of up to 32 bytes live inside the value, so that looking one up allocates nothing.
public struct DeviceToken: Hashable, Sendable {
    /// The longest token that is accepted. Assumption: 100 bytes, the figure said to have been given at WWDC15, doubled.
    public static let maximumByteCount = 200

    private static let inlineByteCount = 32

    private let words: InlineWords
    private let byteCount: UInt8
    /// The bytes, when there are more than 32.
    private let long: [UInt8]

    private struct InlineWords: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    /// - Returns: `nil` when there is no byte, or more than `maximumByteCount`.
    public init?(bytes: some Collection<UInt8>) {
        guard (1...Self.maximumByteCount).contains(bytes.count) else { return nil }
        byteCount = UInt8(bytes.count)
        guard bytes.count <= Self.inlineByteCount else {
            words = InlineWords()
            long = Array(bytes)
            return
        }
        var words = InlineWords()
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
        self.words = words
        long = []
    }

    /// Reads an even number of hexadecimal digits of either case.
    /// - Returns: `nil` for any other text.
    public init?(hex: RawSpan) {
        guard !hex.isEmpty, hex.byteCount.isMultiple(of: 2), hex.byteCount / 2 <= Self.maximumByteCount else {
            return nil
        }
        let count = hex.byteCount / 2
        guard count <= Self.inlineByteCount else {
            var isHex = false
            let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
                isHex = Self.decode(hex, into: UnsafeMutableRawBufferPointer(target))
                initialized = count
            }
            guard isHex else { return nil }
            words = InlineWords()
            byteCount = UInt8(count)
            long = bytes
            return
        }
        var words = InlineWords()
        guard withUnsafeMutableBytes(of: &words, { Self.decode(hex, into: $0) }) else { return nil }
        self.words = words
        byteCount = UInt8(count)
        long = []
    }

    /// Eight digits at a time, then pair by pair.
    /// - Returns: Whether all were digits; `target` is filled all the same.
    @inline(__always)
    private static func decode(_ hex: RawSpan, into target: UnsafeMutableRawBufferPointer) -> Bool {
        var offset = 0
        while offset + 8 <= hex.byteCount {
            let digits = UInt64(littleEndian: hex.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let bytes = Hex.fourBytes(digits)
            target.storeBytes(of: (bytes ?? 0).littleEndian, toByteOffset: offset / 2, as: UInt32.self)
            if bytes == nil { return false }
            offset += 8
        }
        var invalid: UInt8 = 0
        while offset < hex.byteCount {
            let high = Hex.value(hex.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            let low = Hex.value(hex.unsafeLoad(fromByteOffset: offset + 1, as: UInt8.self))
            invalid |= high | low
            target[offset / 2] = high << 4 | low & 15
            offset += 2
        }
        return invalid < 16
    }

    /// Whether a text is this token in lower-case digits; allocates nothing.
    func isSpelled(_ text: RawSpan) -> Bool {
        guard text.byteCount == 2 * Int(byteCount) else { return false }
        func matches(_ bytes: UnsafeRawBufferPointer) -> Bool {
            var index = 0
            while index + 4 <= Int(byteCount) {
                let digits = text.unsafeLoadUnaligned(fromByteOffset: 2 * index, as: UInt64.self)
                let mine = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
                guard digits == Hex.digits(mine, .lower) else { return false }
                index += 4
            }
            while index < Int(byteCount) {
                guard text.unsafeLoad(fromByteOffset: 2 * index, as: UInt8.self) == Hex.digit(bytes[index] >> 4),
                    text.unsafeLoad(fromByteOffset: 2 * index + 1, as: UInt8.self) == Hex.digit(bytes[index] & 15)
                else { return false }
                index += 1
            }
            return true
        }
        return long.isEmpty ? withUnsafeBytes(of: words, matches) : long.withUnsafeBytes(matches)
    }

    /// The token's bytes.
    public var bytes: [UInt8] {
        guard long.isEmpty else { return long }
        return withUnsafeBytes(of: words) { Array($0.prefix(Int(byteCount))) }
    }

    /// Lower-case hexadecimal digits.
    public var hex: String {
        String(decoding: bytes.flatMap { [Hex.digit($0 >> 4), Hex.digit($0 & 15)] }, as: UTF8.self)
    }

    /// The first eight digits, which is all that a log shows.
    public var redacted: String { String(hex.prefix(8)) }

    public static func == (left: Self, right: Self) -> Bool {
        left.words == right.words && left.byteCount == right.byteCount && left.long == right.long
    }

    public func hash(into hasher: inout Hasher) {
        if long.isEmpty { hasher.combine(words) } else { hasher.combine(long) }
    }
}

extension DeviceToken: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let token = DeviceToken(hex: Array(try container.decode(String.self).utf8).span.bytes) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "A device token is an even number of hexadecimal digits, at most \(2 * Self.maximumByteCount).")
        }
        self = token
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(hex)
    }
}

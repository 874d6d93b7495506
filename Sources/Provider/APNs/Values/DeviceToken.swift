internal import JSON

/// Opaque bytes of varying length (Apple, "Sending notification requests to APNs"): usually 32, for Live Activities
/// also 80. Up to 32 bytes are stored inline, so a lookup allocates nothing.
public struct DeviceToken: Hashable, Sendable {
    /// Assumption: twice the 100 bytes reportedly announced at WWDC15.
    public static let maximumByteCount = 200

    private static let inlineByteCount = 32

    private let words: InlineWords
    private let byteCount: UInt8
    /// The bytes of a token longer than 32 bytes; otherwise empty.
    private let long: [UInt8]

    private struct InlineWords: Hashable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0
        var third: UInt64 = 0
        var fourth: UInt64 = 0
    }

    /// - Returns: nil unless there are 1 to `maximumByteCount` bytes.
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

    /// - Parameter hex: An even number of hexadecimal digits of either case.
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

    /// Returns whether all bytes are digits; overwrites `target` either way.
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
        while offset < hex.byteCount {
            let high = ASCII.hexValue(hex.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
            let low = ASCII.hexValue(hex.unsafeLoad(fromByteOffset: offset + 1, as: UInt8.self))
            guard let high, let low else { return false }
            target[offset / 2] = UInt8(high << 4 | low)
            offset += 2
        }
        return true
    }

    /// True for lower case only; does not allocate.
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

    public var bytes: [UInt8] {
        guard long.isEmpty else { return long }
        return withUnsafeBytes(of: words) { Array($0.prefix(Int(byteCount))) }
    }

    public var hex: String {
        String(decoding: bytes.flatMap { [Hex.digit($0 >> 4), Hex.digit($0 & 15)] }, as: UTF8.self)
    }

    /// The first eight digits, the most a log may contain.
    public var redacted: String { String(hex.prefix(8)) }

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

/// A device token belongs to one environment.
public enum APNsEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    /// `api.sandbox.push.apple.com`, for apps built for development.
    case sandbox
    /// `api.push.apple.com`, for apps from the App Store and TestFlight.
    case production
}

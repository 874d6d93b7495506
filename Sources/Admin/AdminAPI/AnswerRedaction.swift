internal import APNs
internal import Credentials
internal import Gateway
internal import JSON
internal import NIOCore
internal import TLSEngine

/// Replaces device tokens and key IDs by pseudonyms of the same length: the same one until the gateway stops, so that
/// answers stay valid, can be compared, and a saved state loads.
struct AnswerRedaction: Sendable {
    /// How many digits a pseudonym shares with its token, as in logs; a short one shares none.
    private static let sharedCount = 8
    /// A run of digits of this length counts as a token, except where a picture's digest is expected.
    private static let certainCount = 64
    private static let beforeTokens = bytes(
        "/3/device/", "/registrations/", "/error-tokens/", "token\":\"", "replaces\":\"")
    private static let beforeDigests = bytes("/", "sha256\":\"", "ingerprint\":\"", "igest\":\"")
    private static let beforeKeyIDs = bytes("eyId\":\"", "/keys/")
    /// In a diagnosis about a key that is not registered.
    private static let beforeKeyIDsInText = bytes("ey ", "kid is '")
    /// Apple's.
    private static let keyIDLength = 10
    /// Public: it ships with the program and is in the clients' setup.
    private static let demonstrationKey = Array(DemonstrationKey.keyID.utf8)

    private let key = SecureRandom.bytes(32)

    /// As the settings of a gateway require.
    func redact(_ bytes: [UInt8], of gateway: Gateway) -> [UInt8] {
        redact(bytes, as: gateway.settings, keyIDs: gateway.keys.keys.map(\.keyID))
    }

    /// - Parameter keyIDs: Of registered keys.
    func redact(_ bytes: [UInt8], as settings: GatewaySettings, keyIDs: @autoclosure () -> [String]) -> [UInt8] {
        let tokenless = settings.redactsDeviceTokens ? redactTokens(bytes) : bytes
        return settings.redactsKeyIDs ? redactKeyIDs(tokenless, known: Set(keyIDs().map { Array($0.utf8) })) : tokenless
    }

    private func redactTokens(_ bytes: [UInt8]) -> [UInt8] {
        replacing(in: bytes, runsOf: { ASCII.hexValue($0) != nil }) { range in
            guard Self.isToken(range, in: bytes) else { return nil }
            let token = bytes[range].map { $0 | 0x20 }
            let shared = token.count >= Self.certainCount / 2 ? token.prefix(Self.sharedCount) : []
            return Array(shared) + pseudonym(token)[..<(token.count - shared.count)]
        }
    }

    private func redactKeyIDs(_ bytes: [UInt8], known: Set<[UInt8]>) -> [UInt8] {
        replacing(in: bytes, runsOf: { Self.isLetterOrDigit($0) }) { range in
            let text = Array(bytes[range])
            let isKeyID =
                known.contains(text) || Self.isPreceded(range, by: Self.beforeKeyIDs, in: bytes)
                || text.count == Self.keyIDLength && !text.contains { $0 >= UInt8(ascii: "a") }
                    && Self.isPreceded(range, by: Self.beforeKeyIDsInText, in: bytes)
            guard isKeyID, text != Self.demonstrationKey else { return nil }
            return pseudonym(text).map { $0 < UInt8(ascii: "a") ? $0 : $0 & 0xDF }
        }
    }

    private func replacing(
        in original: [UInt8], runsOf isPart: (UInt8) -> Bool, by replacement: (Range<Int>) -> [UInt8]?
    ) -> [UInt8] {
        var bytes = original
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, isPart(bytes[index]) { index += 1 }
            if index > start, let new = replacement(start..<index) { bytes.replaceSubrange(start..<index, with: new) }
            index += 1
        }
        return bytes
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    private static func isToken(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard range.count >= 2, range.count.isMultiple(of: 2) else { return false }
        if isPreceded(range, by: beforeTokens, in: bytes) { return true }
        return range.count >= certainCount && !isPreceded(range, by: beforeDigests, in: bytes)
    }

    private static func isPreceded(_ range: Range<Int>, by marks: [[UInt8]], in bytes: [UInt8]) -> Bool {
        let before = bytes[..<range.lowerBound].suffix(16)
        return marks.contains { before.suffix($0.count).elementsEqual($0) }
    }

    /// Hexadecimal digits, as many as the secret has bytes.
    private func pseudonym(_ secret: [UInt8]) -> [UInt8] {
        let digits = Array(HMACSHA256.code(of: secret.span.bytes, key: key.span.bytes).hexadecimal.utf8)
        return secret.indices.map { digits[$0 % digits.count] }
    }

    private static func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }
}

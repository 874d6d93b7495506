internal import JSON
internal import NIOCore
internal import TLSEngine

/// Replaces device tokens by pseudonyms of the same length: the same one for a token until the gateway stops, so that
/// answers stay valid, can be compared, and a saved state loads.
struct TokenRedaction: Sendable {
    /// How many digits a pseudonym shares with its token, as in logs; a short one shares none.
    private static let sharedCount = 8
    /// Digits that make a token wherever they are, unless a digest of a picture is expected there.
    private static let certainCount = 64
    private static let beforeTokens = [
        "/3/device/", "/registrations/", "/error-tokens/", "token\":\"", "replaces\":\"",
    ].map { Array($0.utf8) }
    private static let beforeDigests = ["/", "sha256\":\"", "ingerprint\":\""].map { Array($0.utf8) }

    private let key = SecureRandom.bytes(32)

    func redact(_ buffer: ByteBuffer) -> ByteBuffer { ByteBuffer(bytes: redact(Array(buffer.readableBytesView))) }

    func redact(_ text: String) -> String { String(decoding: redact(Array(text.utf8)), as: UTF8.self) }

    private func redact(_ original: [UInt8]) -> [UInt8] {
        var bytes = original
        var index = 0
        while index < bytes.count {
            let start = index
            while index < bytes.count, ASCII.hexValue(bytes[index]) != nil { index += 1 }
            if Self.isToken(start..<index, in: bytes) {
                bytes.replaceSubrange(start..<index, with: pseudonym(bytes[start..<index]))
            }
            index += 1
        }
        return bytes
    }

    private static func isToken(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard range.count >= 2, range.count.isMultiple(of: 2) else { return false }
        let before = bytes[..<range.lowerBound].suffix(16)
        if beforeTokens.contains(where: { before.suffix($0.count).elementsEqual($0) }) { return true }
        return range.count >= certainCount
            && !beforeDigests.contains { before.suffix($0.count).elementsEqual($0) }
    }

    private func pseudonym(_ token: ArraySlice<UInt8>) -> [UInt8] {
        let lower = token.map { $0 | 0x20 }
        let code = HMACSHA256.code(of: lower.span.bytes, key: key.span.bytes).hexadecimal.utf8
        let shared = token.count >= Self.certainCount / 2 ? lower.prefix(Self.sharedCount) : []
        let digits = Array(code)
        return shared + (0..<token.count - shared.count).map { digits[$0 % digits.count] }
    }
}

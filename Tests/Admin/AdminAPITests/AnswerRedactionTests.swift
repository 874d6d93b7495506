import Gateway
import Testing

@testable import AdminAPI

/// What counts as a device token or a key ID in an answer.
@Suite struct AnswerRedactionTests {
    /// The text without tokens, or without key IDs if some are registered.
    private static func redact(
        _ text: String, by redaction: AnswerRedaction = AnswerRedaction(), keyIDs: [String]? = nil
    ) -> String {
        var settings = GatewaySettings()
        (settings.redactsDeviceTokens, settings.redactsKeyIDs) = (keyIDs == nil, keyIDs != nil)
        return String(decoding: redaction.redact(Array(text.utf8), as: settings, keyIDs: keyIDs ?? []), as: UTF8.self)
    }

    static let token = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [
        "\"token\":\"\(token)\"", "\"token\":\"0badcafe\"", "/3/device/0badcafe", "/3/device/\(token.uppercased())",
        "any \(token) text", "/registrations/0badcafe", "/mock/error-tokens/\(token)", "{\"\(token)\":{}}", token,
    ]) func isReplaced(_ text: String) {
        let redacted = Self.redact(text)
        #expect(redacted != text && redacted.utf8.count == text.utf8.count)
        #expect(!redacted.contains("badcafe") && !redacted.lowercased().contains(Self.token.dropFirst(8)))
    }

    @Test(arguments: [
        "/images/\(token)", "\"sha256\":\"\(token)\"", "\(token.dropLast(2))", "0badcafe", "\(token)a", "",
        "\"apnsId\":\"123e4567-e89b-12d3-a456-426614174000\"",
    ]) func stays(_ text: String) { #expect(Self.redact(text) == text) }

    @Test func aTokenHasOnePseudonymPerStart() {
        let redaction = AnswerRedaction()
        let pseudonym = Self.redact(Self.token, by: redaction)
        #expect(Self.redact(Self.token.uppercased(), by: redaction) == pseudonym)
        #expect(pseudonym.hasPrefix("01234567") && Self.redact(Self.token) != pseudonym)
        let long = Self.redact("\"token\":\"\(Self.token)\(Self.token)0badcafe\"", by: redaction)
        #expect(long.utf8.count == 10 + 136 && !long.contains("0badcafe"))
    }

    @Test(arguments: [
        "\"keyId\":\"KEY0000001\"", "\"relatedKeyId\":\"OTHER\"", "Key OTHER00001 is not registered here.",
        "kid is 'OTHER00001' and iss is 'TEAM000001'", "more than two keys: KEY0000001, KEY0000001", "/keys/OTHER00001",
    ]) func aKeyIDIsReplaced(_ text: String) {
        let redacted = Self.redact(text, keyIDs: ["KEY0000001"])
        #expect(redacted != text && redacted.utf8.count == text.utf8.count)
        #expect(!redacted.contains("KEY0000001") && !redacted.contains("OTHER"))
    }

    @Test(arguments: [
        "\"keyId\":\"PUSHCOTE01\"", "\"teamId\":\"TEAM000001\"", "MYKEY0000001", "the key identifier", "key material",
        "",
    ]) func otherTextIsUnchanged(_ text: String) {
        #expect(Self.redact(text, keyIDs: ["KEY0000001", "PUSHCOTE01"]) == text)
    }
}

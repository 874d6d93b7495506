import Testing

@testable import AdminAPI

/// What counts as a device token in an answer.
@Suite struct TokenRedactionTests {
    static let token = String(repeating: "0123456789abcdef", count: 4)

    @Test(arguments: [
        "\"token\":\"\(token)\"", "\"token\":\"0badcafe\"", "/3/device/0badcafe", "/3/device/\(token.uppercased())",
        "any \(token) text", "/registrations/0badcafe", "/mock/error-tokens/\(token)", "{\"\(token)\":{}}", token,
    ]) func isReplaced(_ text: String) {
        let redacted = TokenRedaction().redact(text)
        #expect(redacted != text && redacted.utf8.count == text.utf8.count)
        #expect(!redacted.contains("badcafe") && !redacted.lowercased().contains(Self.token.dropFirst(8)))
    }

    @Test(arguments: [
        "/images/\(token)", "\"sha256\":\"\(token)\"", "\(token.dropLast(2))", "0badcafe", "\(token)a", "",
        "\"apnsId\":\"123e4567-e89b-12d3-a456-426614174000\"",
    ]) func stays(_ text: String) { #expect(TokenRedaction().redact(text) == text) }

    @Test func aTokenHasOnePseudonymPerStart() {
        let redaction = TokenRedaction()
        let pseudonym = redaction.redact(Self.token)
        #expect(redaction.redact(Self.token.uppercased()) == pseudonym)
        #expect(pseudonym.hasPrefix("01234567") && TokenRedaction().redact(Self.token) != pseudonym)
        let long = redaction.redact("\"token\":\"\(Self.token)\(Self.token)0badcafe\"")
        #expect(long.utf8.count == 10 + 136 && !long.contains("0badcafe"))
    }
}

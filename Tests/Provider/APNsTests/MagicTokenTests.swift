import Testing
import Time

@testable import APNs

/// Tokens that encode their answer.
@Suite struct MagicTokenTests {
    private static func token(_ suffix: String, byteCount: Int = 32) -> DeviceToken {
        let hex = String(repeating: "5a", count: byteCount - suffix.utf8.count / 2) + suffix
        return DeviceToken(hex: Array(hex.utf8).span.bytes)!
    }

    @Test func theDigitsAreTheStatus() {
        for (suffix, reason) in MagicTokens.table {
            #expect(String(suffix, radix: 16).hasPrefix("badd"))
            #expect(String(suffix, radix: 16).suffix(3) == "\(reason.status)")
        }
        #expect(Set(MagicTokens.table.map(\.suffix)).count == MagicTokens.table.count)
    }

    @Test(arguments: [4, 32, 80]) func theLastEightDigitsDecide(_ byteCount: Int) throws {
        let now = Instant(milliseconds: 1_795_244_400_000)
        let gone = try #require(MagicTokens.rejection(of: Self.token("badd0410", byteCount: byteCount), at: now))
        #expect(gone.reason == .unregistered && gone.timestamp == now)
        #expect(gone.diagnosis.code == "device-token.magic" && gone.diagnosis.message.contains("badd0410"))
        let bad = MagicTokens.rejection(of: Self.token("badd0400", byteCount: byteCount), at: now)
        #expect(bad?.reason == .badDeviceToken && bad?.timestamp == nil)
    }

    @Test(arguments: ["badd0411", "bade0410", "00badd04"]) func otherTokensAreNotMagic(_ suffix: String) {
        #expect(MagicTokens.rejection(of: Self.token(suffix), at: Instant(milliseconds: 0)) == nil)
        #expect(
            MagicTokens.rejection(of: DeviceToken(bytes: [0xba, 0xdd, 0x04])!, at: Instant(milliseconds: 0)) == nil)
    }
}

import APNs
import Testing
import Time

@testable import Gateway

/// The limit of token changes per key, with more keys than are tracked.
@Suite struct KeyUpdatesTests {
    private static let interval = Duration.seconds(1200)
    private var updates = KeyUpdates()

    /// - Parameter number: Distinguishes a key's tokens.
    private static func token(_ keyID: String, _ number: UInt8, isRegistered: Bool = false) throws -> VerifiedToken {
        let fixture = GatewayFixture()
        var token = try ProviderToken(fixture.lastToken.bytes.span.bytes, leniency: TokenLeniency())
        token.keyID = keyID
        token.signature = [number]
        let key = ProviderKey(keyID: keyID, teamID: token.teamID)
        return VerifiedToken(token, key: isRegistered ? key : nil)
    }

    private mutating func reason(_ token: VerifiedToken, at now: Instant = .start) -> APNsReason? {
        do throws(APNsRejection) {
            try updates.use(token, now: now, interval: Self.interval)
            return nil
        } catch {
            return error.reason
        }
    }

    /// Fills the table with keys that a provider invented.
    private mutating func fill(at now: Instant = .start) throws {
        let fixture = GatewayFixture()
        var token = try ProviderToken(fixture.lastToken.bytes.span.bytes, leniency: TokenLeniency())
        var number = 0
        while updates.byKey.count < KeyUpdates.capacity {
            token.keyID = "INVENTED\(number)"
            number += 1
            #expect(reason(VerifiedToken(token, key: nil), at: now) == nil)
        }
    }

    @Test(arguments: [true, false]) mutating func inventedKeysDoNotLiftTheLimitOfAnother(isRegistered: Bool) throws {
        #expect(try reason(Self.token("KEY", 1, isRegistered: isRegistered)) == nil)
        try fill()
        for number in 1...2 as ClosedRange<UInt8> { #expect(try reason(Self.token("ONE MORE", number)) == nil) }
        let second = try Self.token("KEY", 2, isRegistered: isRegistered)
        #expect(reason(second) == .tooManyProviderTokenUpdates)
        #expect(reason(second, at: .start.advanced(by: Self.interval)) == nil)
    }

    @Test mutating func aRegisteredKeyIsAlwaysLimited() throws {
        try fill()
        #expect(try reason(Self.token("KEY", 1, isRegistered: true)) == nil)
        #expect(try reason(Self.token("KEY", 2, isRegistered: true)) == .tooManyProviderTokenUpdates)
    }

    @Test mutating func keysWhoseIntervalIsOverMakeRoom() throws {
        try fill()
        #expect(try reason(Self.token("KEY", 1)) == nil)
        let later = Instant.start.advanced(by: Self.interval)
        #expect(try reason(Self.token("KEY", 1), at: later) == nil)
        #expect(updates.byKey.count == 1)
        #expect(try reason(Self.token("KEY", 2), at: later) == .tooManyProviderTokenUpdates)
    }
}

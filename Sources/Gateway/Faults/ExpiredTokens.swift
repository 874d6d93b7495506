internal import APNs

/// The provider tokens that a rule let expire; bounded, the oldest is good again.
struct ExpiredTokens {
    /// Far more than a test's provider makes.
    private static let capacity = 1000

    private var tokens: [(token: VerifiedToken, expiredAt: Instant)] = []

    var isEmpty: Bool { tokens.isEmpty }

    mutating func insert(_ token: VerifiedToken, at now: Instant) {
        guard !contains(token) else { return }
        if tokens.count == Self.capacity { tokens.removeFirst() }
        tokens.append((token, now))
    }

    func contains(_ token: VerifiedToken) -> Bool {
        tokens.contains { $0.token.signature == token.signature && $0.token.keyID == token.keyID }
    }

    /// When the last token of the same key expired that was not made after this one.
    func renewal(of token: VerifiedToken) -> Instant? {
        tokens.filter { $0.token.keyID == token.keyID && $0.token.issuedAt <= token.issuedAt }.map(\.expiredAt).max()
    }
}

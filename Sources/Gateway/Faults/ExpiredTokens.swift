internal import APNs

/// A provider token that a fault rule let expire.
struct ExpiredToken: Sendable {
    var keyID: String
    /// What tells two tokens apart.
    var signature: [UInt8]
    var issuedAt: Instant
    var at: Instant
}

/// The provider tokens that a rule let expire; bounded, the oldest is good again.
struct ExpiredTokens {
    /// Far more than a test's provider makes.
    private static let capacity = 1000

    private var tokens: [ExpiredToken] = []

    var isEmpty: Bool { tokens.isEmpty }

    mutating func insert(_ token: ExpiredToken) {
        guard !tokens.contains(where: { $0.signature == token.signature }) else { return }
        if tokens.count == Self.capacity { tokens.removeFirst() }
        tokens.append(token)
    }

    func contains(_ token: VerifiedToken) -> Bool {
        tokens.contains { $0.signature == token.signature && $0.keyID == token.keyID }
    }

    /// When the last token of the same key expired that was not made after this one.
    func renewal(of token: VerifiedToken) -> Instant? {
        tokens.filter { $0.keyID == token.keyID && $0.issuedAt <= token.issuedAt }.map(\.at).max()
    }
}

internal import APNs
internal import Synchronization
internal import TLSEngine

/// Verifies provider tokens.
final class Authenticator: Sendable {
    let keys = KeyStore()
    private let verified: VerifiedTokens
    private let keyUpdates = Mutex(KeyUpdates())

    init(cacheCapacity: Int) { verified = VerifiedTokens(capacity: cacheCapacity) }

    /// Verifies a token, or returns the cached result.
    /// - Parameter revision: Of keys and settings; read it before `settings`.
    func verify(_ bytes: [UInt8], settings: GatewaySettings, revision: UInt64) throws(APNsRejection) -> VerifiedToken {
        if let known = verified.find(bytes, revision: revision) { return known }
        let token = try ProviderToken(bytes.span.bytes, leniency: settings.leniency)
        let key = try check(token, mode: settings.authenticationMode)
        let result = VerifiedToken(token, key: key)
        verified.insert(result, for: bytes, revision: revision)
        return result
    }

    func countUpdate(_ token: VerifiedToken, now: Instant, interval: Duration) throws(APNsRejection) {
        try keyUpdates.withLock { updates throws(APNsRejection) in try updates.use(token, now: now, interval: interval)
        }
    }

    func resetUpdates(of keyID: String) { keyUpdates.withLock { $0.byKey[keyID] = nil } }

    private func check(
        _ token: ProviderToken, mode: GatewaySettings.AuthenticationMode
    ) throws(APNsRejection) -> ProviderKey? {
        guard let entry = keys[token.keyID] else { return try tolerateUnknown(token, mode: mode) }
        guard entry.key.teamID == token.teamID else {
            throw APNsRejection(
                .invalidProviderToken, "token.team",
                "Key \(token.keyID) belongs to team \(entry.key.teamID), but the token's iss is '\(token.teamID)'.")
        }
        let isGenuine = entry.publicKey.verify(
            token.signature.span.bytes, of: token.signedBytes.span.bytes,
            digest: token.digest == .sha256 ? .sha256 : .sha512)
        guard isGenuine else {
            throw APNsRejection(
                .invalidProviderToken, "token.signature",
                "The signature does not match key \(token.keyID): the token was signed with another key, or modified.")
        }
        return entry.key
    }

    private func tolerateUnknown(
        _ token: ProviderToken, mode: GatewaySettings.AuthenticationMode
    ) throws(APNsRejection) -> ProviderKey? {
        let isSwapped = keys[token.teamID] != nil || keys.keys.contains { $0.teamID == token.keyID }
        if isSwapped {
            throw APNsRejection(
                .invalidProviderToken, "token.swapped-ids",
                "kid is '\(token.keyID)' and iss is '\(token.teamID)': these look swapped. kid is the key ID, iss the team ID."
            )
        }
        guard mode == .strict else { return nil }
        throw APNsRejection(
            .invalidProviderToken, "token.unknown-key",
            "Key \(token.keyID) is not registered here. Register it with `POST /api/v1/keys`, or under `keys` in the configuration file."
        )
    }
}

/// Token changes per key, for `TokenPolicy.UpdateScope.key`.
struct KeyUpdates {
    /// Providers choose the IDs of unregistered keys, so their number is otherwise unbounded.
    static let capacity = 10_000

    var byKey: [String: TokenUpdates] = [:]
    private var sweptAt: Instant?

    /// Does not limit an unregistered key beyond the capacity: evicting another key would lift that key's limit.
    mutating func use(_ token: VerifiedToken, now: Instant, interval: Duration) throws(APNsRejection) {
        if byKey.count >= Self.capacity, byKey[token.keyID] == nil, !token.isRegistered {
            sweep(now: now, interval: interval)
            guard byKey.count < Self.capacity else { return }
        }
        try byKey[token.keyID, default: TokenUpdates()].use(token.signature, now: now, interval: interval)
    }

    /// Evicts the keys whose token may change, at most once per interval: a sweep visits every key.
    private mutating func sweep(now: Instant, interval: Duration) {
        if let sweptAt, now >= sweptAt, now.since(sweptAt) < interval { return }
        sweptAt = now
        byKey = byKey.filter { !$0.value.mayChange(at: now, interval: interval) }
    }
}

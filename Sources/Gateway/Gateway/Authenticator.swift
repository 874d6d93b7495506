package import APNs
internal import Credentials
internal import Synchronization
package import TLSEngine
internal import Time

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
                "The signature does not match key \(token.keyID): the token was signed with another key, or modified."
                    + (token.keyID == DemonstrationKey.keyID
                        ? " Each certificate folder has a \(token.keyID) of its own: sign with this gateway's "
                            + "(`pushcote token --admin URL`, or POST /api/v1/provider-tokens)." : ""))
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
            "Key \(token.keyID) is not registered here\(keys.remark(about: token.keyID).map { " (\($0))" } ?? ""). Register it "
                + "with `POST /api/v1/keys`, or under `keys` in the configuration file."
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

package final class KeyStore: Sendable {
    struct Entry: Sendable {
        var key: ProviderKey
        var publicKey: P256PublicKey
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// Incremented when keys change, to invalidate cached tokens.
    private let revisionCount = Atomic<UInt64>(0)

    var revision: UInt64 { revisionCount.load(ordering: .acquiring) }

    subscript(_ keyID: String) -> Entry? { entries.withLock { $0[keyID] } }

    package func key(_ keyID: String) -> ProviderKey? { self[keyID]?.key }

    package var keys: [ProviderKey] { entries.withLock { $0.values.map(\.key).sorted { $0.keyID < $1.keyID } } }

    /// What is wrong with a key ID: another form than Apple's, or a registered one with similar characters.
    func remark(about keyID: String) -> String? {
        let isLikeApples = keyID.utf8.count == 10 && keyID.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 }
        let similar = keys.map(\.keyID).first { $0 != keyID && $0.withoutLookalikes == keyID.withoutLookalikes }
        let parts = [
            isLikeApples ? nil : "Apple's key IDs have ten capital letters and digits",
            similar.map { "did you mean \($0)?" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// - Returns: Whether it replaces a key.
    @discardableResult
    package func register(_ key: ProviderKey, publicKey: P256PublicKey) -> Bool {
        let entry = Entry(key: key, publicKey: publicKey)
        defer { revisionCount.add(1, ordering: .releasing) }
        return entries.withLock { $0.updateValue(entry, forKey: key.keyID) != nil }
    }

    @discardableResult
    package func remove(_ keyID: String) -> Bool {
        let removed = entries.withLock { $0.removeValue(forKey: keyID) != nil }
        revisionCount.add(1, ordering: .releasing)
        return removed
    }
}

extension String {
    /// A key ID without the rest of its file's name, and with equal characters for those that are easily confused.
    fileprivate var withoutLookalikes: String {
        let bare = split { $0.isWhitespace }.joined().uppercased()
        let name = bare.hasPrefix("AUTHKEY_") ? bare.dropFirst(8) : bare[...]
        return String((name.hasSuffix(".P8") ? name.dropLast(3) : name).map { $0 == "O" ? "0" : $0 == "I" ? "1" : $0 })
    }
}

/// A provider token after verification. Cached, because verifying costs twenty times the rest of a request.
final class VerifiedToken: Sendable {
    let keyID: String
    let teamID: String
    let issuedAt: Instant
    let signature: [UInt8]
    /// `nil` for a tolerated unknown key.
    let key: ProviderKey?
    let isRegistered: Bool
    let isTopicSpecific: Bool
    let isEnvironmentSpecific: Bool

    init(_ token: ProviderToken, key: ProviderKey?) {
        keyID = token.keyID
        teamID = token.teamID
        issuedAt = token.issuedAt
        signature = token.signature
        self.key = key
        isRegistered = key != nil
        isTopicSpecific = key.map { $0.scope != .team } ?? false
        isEnvironmentSpecific = key.map { $0.environments.count < APNsEnvironment.allCases.count } ?? false
    }
}

/// A process-wide cache of verified tokens; starts over when it is full.
final class VerifiedTokens: Sendable {
    private struct State {
        var tokens: [[UInt8]: VerifiedToken] = [:]
        var revision: UInt64 = 0
    }

    private let capacity: Int
    private let state = Mutex(State())

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// - Parameter revision: Of keys and settings; results from earlier revisions are invalid.
    func find(_ bytes: [UInt8], revision: UInt64) -> VerifiedToken? {
        state.withLock { $0.revision == revision ? $0.tokens[bytes] : nil }
    }

    func insert(_ token: VerifiedToken, for bytes: [UInt8], revision: UInt64) {
        state.withLock { state in
            if state.revision != revision || state.tokens.count >= capacity { state = State(revision: revision) }
            state.tokens[bytes] = token
        }
    }
}

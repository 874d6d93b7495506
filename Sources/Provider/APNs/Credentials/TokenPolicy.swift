public import Time

/// How long provider tokens are valid, and how often they may change.
public struct TokenPolicy: Hashable, Sendable, Codable {
    /// Maximum age of a token. Apple: one hour.
    public var lifetime: Duration = .seconds(3600)
    /// How far `iat` may lie in the future. Assumption: one hour, as "no more than one hour from the current time".
    public var futureTolerance: Duration = .seconds(3600)
    /// Minimum time between token changes. Apple: 20 minutes.
    public var updateInterval: Duration = .seconds(1200)
    public var updateScope: UpdateScope = .connection
    /// Reason for a second team on one connection; reports disagree.
    public var otherTeamReason: OtherTeamReason = .invalidProviderToken

    public enum UpdateScope: String, CaseIterable, Codable, Sendable {
        case connection
        /// Across all connections that use a key, as several providers report.
        case key
    }

    public enum OtherTeamReason: String, CaseIterable, Codable, Sendable {
        case invalidProviderToken = "InvalidProviderToken"
        case topicDisallowed = "TopicDisallowed"
    }

    public init() {}

    public func checkAge(issuedAt: Instant, now: Instant) throws(APNsRejection) {
        let age = now.since(issuedAt)
        if age > lifetime {
            throw APNsRejection(
                .expiredProviderToken, "token.expired",
                "The token was created \(Self.words(age)) ago and expired \(Self.words(age - lifetime)) ago; create a new one "
                    + "at least every \(Self.words(lifetime)).")
        }
        guard .zero - age > futureTolerance else { return }
        guard issuedAt.milliseconds / 1000 <= now.milliseconds / 2 else {
            // Finer units exceed what an instant holds.
            let unit = issuedAt < Instant(seconds: .infinity) ? "milliseconds" : "microseconds or nanoseconds"
            throw APNsRejection(
                .expiredProviderToken, "token.iat-milliseconds",
                "The token's iat counts \(unit); it must count seconds since 1970.")
        }
        throw APNsRejection(
            .expiredProviderToken, "token.clock",
            "The token's iat is \(Self.words(.zero - age)) in the future: the clock of the provider or of the gateway is wrong."
        )
    }

    /// Counts in the largest unit that yields at least two.
    public static func words(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        return switch seconds {
        case 172_800...: "\(seconds / 86400) days"
        case 7200...: "\(seconds / 3600) hours"
        case 120...: "\(seconds / 60) minutes"
        default: "\(seconds) seconds"
        }
    }
}

/// Limits how often a provider token changes. Reuse is free; returning to an earlier token counts as a change.
public struct TokenUpdates: Sendable {
    private var current: [UInt8]?
    private var since = Instant(milliseconds: 0)

    public init() {}

    /// Whether the token may change. If the gateway's clock was set back, the interval counts as over.
    public func mayChange(at now: Instant, interval: Duration) -> Bool {
        current == nil || now < since || now.since(since) >= interval
    }

    public mutating func use(_ signature: [UInt8], now: Instant, interval: Duration) throws(APNsRejection) {
        guard current != signature else { return }
        if !mayChange(at: now, interval: interval) {
            let wait = interval - now.since(since)
            throw APNsRejection(
                .tooManyProviderTokenUpdates, "token.updates",
                "A second new token \(TokenPolicy.words(now.since(since))) after the last; use the old one for another "
                    + "\(TokenPolicy.words(wait)). Share one token between workers, and renew it every 20 to 60 minutes."
            )
        }
        current = signature
        since = now
    }
}

/// What the first accepted token binds a connection to (Apple, "Establishing a token-based connection to APNs").
public enum ConnectionBinding: Sendable {
    case unbound
    case bound(keyID: String, teamID: String, key: ProviderKey?)

    /// Binds the connection to its first token; rejects a later token that may not share it.
    /// - Parameter key: nil when the key is unknown and tolerated.
    public mutating func admit(
        keyID: String, teamID: String, key: ProviderKey?, policy: TokenPolicy
    ) throws(APNsRejection) {
        guard case .bound(let firstKeyID, let firstTeamID, let firstKey) = self else {
            self = .bound(keyID: keyID, teamID: teamID, key: key)
            return
        }
        guard teamID == firstTeamID else {
            throw APNsRejection(
                policy.otherTeamReason == .topicDisallowed ? .topicDisallowed : .invalidProviderToken,
                "connection.team",
                "The connection's first push was for team \(firstTeamID); open another connection for team \(teamID).")
        }
        guard keyID != firstKeyID, let firstKey, let key else { return }
        let mayShare =
            switch (firstKey.scope, key.scope) {
            case (.team, .team): true
            case (.topics, .topics): firstKey.relatedKeyID == keyID || key.relatedKeyID == firstKeyID
            default: false
            }
        guard !mayShare else { return }
        throw APNsRejection(
            .unrelatedKeyIDInToken, "connection.key",
            "The connection's first push was signed with key \(firstKeyID); key \(keyID) is not related to it. Open another "
                + "connection.")
    }
}

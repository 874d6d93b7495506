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
            throw APNsRejection(
                .expiredProviderToken, "token.iat-milliseconds",
                "The token's iat counts milliseconds; it must count seconds since 1970.")
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

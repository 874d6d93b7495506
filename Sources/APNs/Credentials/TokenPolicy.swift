/// How long provider tokens last, and how often they may change.
public struct TokenPolicy: Hashable, Sendable, Codable {
    /// A token older than this is expired. One hour, says Apple.
    public var lifetime: Duration = .seconds(3600)
    /// A token from further in the future than this is refused like an expired one. Assumption: one hour, which mirrors
    /// "no more than one hour from the current time".
    public var futureTolerance: Duration = .seconds(3600)
    /// A connection, or a key, may change its token once in this time. 20 minutes, says Apple.
    public var updateInterval: Duration = .seconds(1200)
    public var updateScope: UpdateScope = .connection
    /// What a second team on one connection is told; reports disagree.
    public var otherTeamReason: OtherTeamReason = .invalidProviderToken

    /// Whose token changes are counted together.
    public enum UpdateScope: String, CaseIterable, Codable, Sendable {
        /// As Apple describes it.
        case connection
        /// All connections of a key, as several providers have met it.
        case key
    }

    public enum OtherTeamReason: String, CaseIterable, Codable, Sendable {
        case invalidProviderToken = "InvalidProviderToken"
        case topicDisallowed = "TopicDisallowed"
    }

    public init() {}

    /// Refuses a token that is too old or from the future.
    public func checkAge(issuedAt: Instant, now: Instant) throws(APNsRejection) {
        let age = now.since(issuedAt)
        if age > lifetime {
            throw APNsRejection(
                .expiredProviderToken,
                Diagnosis(
                    "token.expired",
                    "The token was created \(Self.words(age)) ago and expired \(Self.words(age - lifetime)) ago; create a new one "
                        + "at least every \(Self.words(lifetime))."))
        }
        guard .zero - age > futureTolerance else { return }
        let isMilliseconds = issuedAt.milliseconds / 1000 > now.milliseconds / 2
        throw APNsRejection(
            .expiredProviderToken,
            isMilliseconds
                ? Diagnosis(
                    "token.iat-milliseconds", "The token's iat counts milliseconds; it must count seconds since 1970.")
                : Diagnosis(
                    "token.clock",
                    "The token's iat is \(Self.words(.zero - age)) in the future: the clock of the provider or of the gateway is wrong."
                ))
    }

    /// A duration for people: whole minutes above two minutes, else seconds.
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

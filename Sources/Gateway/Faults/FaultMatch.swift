public import APNs

/// For what a rule fires; what is absent does not matter. Counting is done last, among what fits otherwise.
public struct FaultMatch: Sendable, Hashable {
    /// The device token in the path, in lower case.
    public var token: String?
    /// The device that the token belongs to.
    public var device: String?
    public var topic: String?
    /// `apns-push-type` as sent.
    public var pushType: String?
    /// Header fields by name in lower case; each must be there with this value.
    public var headers: [String: String] = [:]
    /// The connection's number.
    public var connection: Int?
    /// `kid` of the provider token.
    public var keyID: String?
    /// What the gateway would have answered.
    public var verdict: FaultVerdict?
    /// An earlier request on the same connection was refused for this reason.
    public var after: APNsReason?
    /// Once in its life the connection was without requests for at least this long.
    public var idle: Duration?
    /// It fires from the n-th match on, `run` times.
    public var nth: Int?
    /// It fires at every n-th match, `run` times.
    public var every: Int?
    /// How many matches in a row `nth` and `every` mean.
    public var run = 1
    /// Among which matches are counted.
    public var per = Scope.rule
    /// How likely it fires for a match; drawn with the gateway's seed.
    public var probability: Double?

    /// Among which matches a rule counts.
    public enum Scope: String, CaseIterable, Sendable {
        /// All of them.
        case rule
        /// Those of one connection.
        case connection
        /// Those for one device token.
        case token
    }

    /// Everything fits.
    public init() {}

    public init(_ edit: (inout FaultMatch) -> Void) { edit(&self) }
}

/// What the gateway would answer, as a rule asks for it.
public enum FaultVerdict: Sendable, Hashable {
    case accepted
    /// For any reason.
    case refused
    case reason(APNsReason)

    /// `accepted`, `refused`, or the reason.
    public var text: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .reason(let reason): reason.rawValue
        }
    }

    /// - Returns: `nil` for any other text.
    public init?(text: String) {
        switch text {
        case "accepted": self = .accepted
        case "refused": self = .refused
        default:
            guard let reason = APNsReason(rawValue: text) else { return nil }
            self = .reason(reason)
        }
    }

    func fits(_ reason: APNsReason?) -> Bool {
        switch self {
        case .accepted: reason == nil
        case .refused: reason != nil
        case .reason(let wanted): reason == wanted
        }
    }
}

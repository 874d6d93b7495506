package import APNs

/// For what a rule fires; what is absent does not matter. Counting is done last, among what fits otherwise.
package struct FaultMatch: Sendable, Hashable {
    /// The device token in the path, in lower case.
    package var token: String?
    /// The device that the token belongs to.
    package var device: String?
    package var topic: String?
    /// `apns-push-type` as sent.
    package var pushType: String?
    /// Header fields by name in lower case; each must be there with this value.
    package var headers: [String: String] = [:]
    package var connection: Int?
    /// `kid` of the provider token.
    package var keyID: String?
    /// What the gateway would have answered.
    package var verdict: FaultVerdict?
    /// An earlier request on the same connection was refused for this reason.
    package var after: APNsReason?
    /// Once in its life the connection was without requests for at least this long.
    package var idle: Duration?
    /// It fires from the n-th match on, `run` times.
    package var nth: Int?
    /// It fires at every n-th match, `run` times.
    package var every: Int?
    /// How many matches in a row `nth` and `every` mean.
    package var run = 1
    /// Among which matches are counted.
    package var per = Scope.rule
    /// How likely it fires for a match; drawn with the gateway's seed.
    package var probability: Double?

    /// Among which matches a rule counts.
    package enum Scope: String, CaseIterable, Sendable {
        case rule
        case connection
        /// Those for one device token.
        case token
    }

    /// Everything fits.
    package init() {}

    package init(_ edit: (inout FaultMatch) -> Void) { edit(&self) }
}

/// What the gateway would answer, as a rule asks for it.
package enum FaultVerdict: Sendable, Hashable {
    case accepted
    case refused
    case reason(APNsReason)

    /// `accepted`, `refused`, or the reason.
    package var text: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .reason(let reason): reason.rawValue
        }
    }

    /// - Returns: `nil` for any other text.
    package init?(text: String) {
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

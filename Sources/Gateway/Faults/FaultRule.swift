public import APNs

/// One thing that a tester asks the gateway to do wrong: when, what, how often.
public struct FaultRule: Sendable, Hashable {
    /// What the request log and the counters call it.
    public var name = ""
    /// At which moment it is asked.
    public var stage = Stage.request
    /// For what it fires.
    public var match = FaultMatch()
    /// What happens then.
    public var effect = FaultEffect()
    /// How many times it fires; `nil` for always.
    public var count: Int?
    /// When it begins, on the gateway's clock.
    public var from: Instant?
    /// When it has ended, on the gateway's clock.
    public var until: Instant?
    /// How long it holds from the moment it was set, on the gateway's clock.
    public var lasting: Duration?

    /// When a rule is asked.
    public enum Stage: String, CaseIterable, Sendable {
        /// A client has connected and has said nothing yet: before TLS.
        case accept
        /// A connection is ready: after the client's SETTINGS, before its first request.
        case open
        /// A request arrived and was judged, and nothing was done about it yet.
        case request
    }

    /// A rule that is not filled in yet.
    public init() {}

    public init(
        _ name: String, on stage: Stage = .request, match: FaultMatch = FaultMatch(), effect: FaultEffect,
        count: Int? = nil, lasting: Duration? = nil
    ) {
        self.name = name
        self.stage = stage
        self.match = match
        self.effect = effect
        self.count = count
        self.lasting = lasting
    }
}

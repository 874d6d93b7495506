package import APNs

/// One thing that a tester asks the gateway to do wrong: when, what, how often.
package struct FaultRule: Sendable, Hashable {
    /// What the request log and the counters call it.
    package var name = ""
    /// At which moment it is asked.
    package var stage = Stage.request
    package var match = FaultMatch()
    package var effect = FaultEffect()
    /// How many times it fires; `nil` for always.
    package var count: Int?
    /// When it begins, on the gateway's clock.
    package var from: Instant?
    /// When it has ended, on the gateway's clock.
    package var until: Instant?
    /// How long it holds from the moment it was set, on the gateway's clock.
    package var lasting: Duration?

    package enum Stage: String, CaseIterable, Sendable {
        /// A client has connected and has said nothing yet: before TLS.
        case accept
        /// A connection is ready: after the client's SETTINGS, before its first request.
        case open
        /// A request arrived and was judged, and nothing was done about it yet.
        case request
    }

    /// A rule that is not filled in yet.
    package init() {}

    package init(
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

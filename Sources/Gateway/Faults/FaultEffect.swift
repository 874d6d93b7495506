package import Fields
package import Wire

/// What a rule does when it fires; all parts apply together.
package struct FaultEffect: Sendable, Hashable {
    package var delay: Duration?
    package var jitter: Duration?
    package var latency: FaultLatency?
    package var answer: FaultAnswer?
    package var answers: [FaultAnswer] = []
    package var trickle: Duration?
    package var loses: Loss?
    package var resets: HTTP2ErrorCode?
    package var thenResets: HTTP2ErrorCode?
    package var goAway: FaultGoAway?
    package var connection: FaultConnectionEnd?
    package var streamLimit: Int?
    package var window: Int?
    package var starves: WindowScope?
    package var churn: FaultChurn?
    package var device: FaultDevice?
    package var expiresToken = false
    package var failsTLS = false

    package enum Loss: String, CaseIterable, Sendable {
        /// Recorded, not delivered, never answered.
        case request
        /// Handled as usual, never answered.
        case answer
    }

    package init() {}

    /// Whether the GOAWAY's last-stream-id excludes the request.
    var isUnprocessed: Bool {
        guard let goAway else { return false }
        return goAway.unprocessed > 0 || goAway.lastStream != nil
    }
}

extension FaultEffect: FieldDescribed {
    package static let fields: [Field<FaultEffect>] = [
        Field("delay", \.delay, .optional(.duration), "The delay of all other parts."),
        Field(
            "jitter", \.jitter, .optional(.duration),
            "A random additional delay up to this, drawn with the gateway's seed."),
        Field(
            "latency", \.latency, .optional(.object),
            "A random additional delay of this log-normal distribution, drawn with the gateway's seed."),
        Field("answer", \.answer, .optional(.object), "The answer in place of the gateway's."),
        Field(
            "answers", \.answers, .list(.object),
            "Answers in place of the gateway's, used in order for each device token."),
        Field(
            "trickle", \.trickle, .optional(.duration),
            "The pause between the bytes of the answer's body; of an answer without one, before its end."),
        Field("loses", \.loses, .optional(.word()), "What is lost; the stream is never answered."),
        Field("resets", \.resets, .optional(.word()), "The stream is reset with this code instead of an answer."),
        Field(
            "thenResets", \.thenResets, .optional(.word()),
            "A second RST_STREAM for the stream that was reset, with this code."),
        Field("goAway", \.goAway, .optional(.object), "One or two GOAWAY frames."),
        Field("connection", \.connection, .optional(.object), "The connection ends without GOAWAY."),
        Field(
            "streamLimit", \.streamLimit, .optional(.integer(in: 0...1_000_000)),
            "The limit of concurrent streams from now until the next accepted push."),
        Field(
            "window", \.window, .optional(.integer(in: 0...0x7fff_ffff)),
            "SETTINGS_INITIAL_WINDOW_SIZE from now on; with 0, no body gets through."),
        Field(
            "starves", \.starves, .optional(.word()),
            "Which flow-control windows are never replenished: no WINDOW_UPDATE is sent from now on."),
        Field("churn", \.churn, .optional(.object), "SETTINGS that change repeatedly from now on."),
        Field("device", \.device, .optional(.object), "What goes wrong on the device before the push reaches it."),
        Field(
            "expiresToken", \.expiresToken, .flag,
            "Whether the request's provider token expires now, whatever its age; a newer one is valid."),
        Field("failsTLS", \.failsTLS, .flag, "Whether TLS is refused with an alert."),
    ]
}

/// What a rule does when it fires; its parts happen together.
package struct FaultEffect: Sendable, Hashable {
    /// How long everything else waits.
    package var delay: Duration?
    /// Up to so much longer, drawn with the gateway's seed.
    package var jitter: Duration?
    /// What the provider is told instead.
    package var answer: FaultAnswer?
    /// What the provider is told instead, one after the other for each device token; then the rule fires no more for it.
    package var answers: [FaultAnswer] = []
    /// The pause between the bytes of the answer's body; of an answer without one, before its end.
    package var trickle: Duration?
    /// What is lost; the stream stays open and is never answered.
    package var loses: Loss?
    /// The stream is reset with this code instead of an answer.
    package var resets: FaultErrorCode?
    /// A second RST_STREAM for the stream that was reset, with this code.
    package var thenResets: FaultErrorCode?
    package var goAway: FaultGoAway?
    /// The connection ends without a word.
    package var connection: FaultConnectionEnd?
    /// SETTINGS_MAX_CONCURRENT_STREAMS from now until the next accepted push.
    package var streamLimit: Int?
    /// SETTINGS_INITIAL_WINDOW_SIZE from now on; with 0 no body comes through.
    package var window: Int?
    /// The provider token of the request has expired from now on, whatever its age; a newer one of its key is good.
    package var expiresToken = false
    /// TLS is refused with an alert.
    package var failsTLS = false

    /// What is lost on the way.
    package enum Loss: String, CaseIterable, Sendable {
        /// The request: it is recorded, not delivered and never answered.
        case request
        /// The answer: the request is handled as usual, and nobody is told.
        case answer
    }

    /// Nothing happens.
    package init() {}

    package init(_ edit: (inout FaultEffect) -> Void) { edit(&self) }

    /// The parts that are there, by their names in JSON.
    var parts: [String] {
        let parts: [(String, Bool)] = [
            ("delay", delay != nil), ("jitter", jitter != nil), ("answer", answer != nil),
            ("answers", !answers.isEmpty), ("trickle", trickle != nil), ("loses", loses != nil),
            ("resets", resets != nil), ("thenResets", thenResets != nil), ("goAway", goAway != nil),
            ("connection", connection != nil), ("streamLimit", streamLimit != nil), ("window", window != nil),
            ("expiresToken", expiresToken), ("failsTLS", failsTLS),
        ]
        return parts.filter(\.1).map(\.0)
    }
}

/// An answer that the gateway would not have given.
package struct FaultAnswer: Sendable, Hashable {
    /// `:status`; `nil` for 200.
    package var status: Int?
    /// `reason` of the body, whether APNs knows it or not.
    package var reason: String?
    /// Milliseconds since 1970; a 410 has the time of its request unless told otherwise.
    package var timestamp: Int?
    /// The whole body as it is sent, instead of one made of reason and timestamp.
    package var body: String?
    /// What is left out of the answer.
    package var omits: [Part] = []
    /// How many DATA frames the body takes.
    package var bodyFrames = 1

    package enum Part: String, CaseIterable, Sendable {
        case apnsID = "apnsId"
        case timestamp
        case body
    }

    package init() {}

    /// `:status` as it is sent.
    package var code: Int { status ?? 200 }

    package init(_ status: Int, _ reason: String? = nil, _ edit: (inout FaultAnswer) -> Void = { _ in }) {
        self.status = status
        self.reason = reason
        edit(&self)
    }
}

/// A GOAWAY frame, or two.
package struct FaultGoAway: Sendable, Hashable {
    /// In the debug data, as `{"reason":"…"}`.
    package var reason: String?
    /// The debug data as it is sent, instead.
    package var debugData: String?
    package var code = FaultErrorCode.noError
    /// The last-stream-id instead of the highest stream processed, and never below that; the request is not processed.
    package var lastStream: Int?
    /// How many streams, the request's own included, the last-stream-id leaves out. The request is not processed.
    package var unprocessed = 0
    /// How many frames; the second one has no debug data.
    package var times = 1
    /// Whether the connection is closed afterwards. If not, it stays open and new streams are refused.
    package var closes = true
    /// Whether the end comes in two steps: 2³¹ - 1 first, and the last stream once the client has seen that.
    package var graceful = false
    /// It is sent once the connection has had no request for so long.
    package var idle: Duration?

    package init() {}

    package init(_ edit: (inout FaultGoAway) -> Void) { edit(&self) }
}

/// A connection that ends as networks end them.
package struct FaultConnectionEnd: Sendable, Hashable {
    package var how = Kind.reset
    /// Against the answer.
    package var when = Moment.before

    package enum Kind: String, CaseIterable, Sendable {
        case reset
        /// An end of the stream, without GOAWAY.
        case close
        /// It stays open; nothing is read or written any more.
        case silence
    }

    package enum Moment: String, CaseIterable, Sendable {
        /// Instead of the answer; the request is not handled.
        case before
        /// Once the answer has left.
        case after
    }

    package init() {}

    package init(_ how: Kind, _ when: Moment = .before) {
        self.how = how
        self.when = when
    }
}

/// An error code of HTTP/2 under the name that RFC 9113 §7 gives it.
package enum FaultErrorCode: String, CaseIterable, Sendable {
    case noError = "NO_ERROR"
    case protocolError = "PROTOCOL_ERROR"
    case internalError = "INTERNAL_ERROR"
    case flowControlError = "FLOW_CONTROL_ERROR"
    case settingsTimeout = "SETTINGS_TIMEOUT"
    case streamClosed = "STREAM_CLOSED"
    case frameSizeError = "FRAME_SIZE_ERROR"
    case refusedStream = "REFUSED_STREAM"
    case cancel = "CANCEL"
    case compressionError = "COMPRESSION_ERROR"
    case connectError = "CONNECT_ERROR"
    case enhanceYourCalm = "ENHANCE_YOUR_CALM"
    case inadequateSecurity = "INADEQUATE_SECURITY"
    case http11Required = "HTTP_1_1_REQUIRED"

    /// The number on the wire; RFC 9113 §7 counts them in this order.
    package var number: UInt32 { UInt32(Self.allCases.firstIndex(of: self) ?? 0) }
}

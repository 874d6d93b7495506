/// What a rule does when it fires; its parts happen together.
public struct FaultEffect: Sendable, Hashable {
    /// How long everything else waits.
    public var delay: Duration?
    /// Up to so much longer, drawn with the gateway's seed.
    public var jitter: Duration?
    /// What the provider is told instead.
    public var answer: FaultAnswer?
    /// What the provider is told instead, one after the other for each device token; then the rule fires no more for it.
    public var answers: [FaultAnswer] = []
    /// The pause between the bytes of the answer's body; of an answer without one, before its end.
    public var trickle: Duration?
    /// What is lost; the stream stays open and is never answered.
    public var loses: Loss?
    /// The stream is reset with this code instead of an answer.
    public var resets: FaultErrorCode?
    /// A second RST_STREAM for the stream that was reset, with this code.
    public var thenResets: FaultErrorCode?
    public var goAway: FaultGoAway?
    /// The connection ends without a word.
    public var connection: FaultConnectionEnd?
    /// SETTINGS_MAX_CONCURRENT_STREAMS from now until the next accepted push.
    public var streamLimit: Int?
    /// SETTINGS_INITIAL_WINDOW_SIZE from now on; with 0 no body comes through.
    public var window: Int?
    /// The provider token of the request has expired from now on, whatever its age; a newer one of its key is good.
    public var expiresToken = false
    /// TLS is refused with an alert.
    public var failsTLS = false

    /// What is lost on the way.
    public enum Loss: String, CaseIterable, Sendable {
        /// The request: it is recorded, not delivered and never answered.
        case request
        /// The answer: the request is handled as usual, and nobody is told.
        case answer
    }

    /// Nothing happens.
    public init() {}

    public init(_ edit: (inout FaultEffect) -> Void) { edit(&self) }

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
public struct FaultAnswer: Sendable, Hashable {
    /// `:status`; `nil` for 200.
    public var status: Int?
    /// `reason` of the body, whether APNs knows it or not.
    public var reason: String?
    /// Milliseconds since 1970; a 410 has the time of its request unless told otherwise.
    public var timestamp: Int?
    /// The whole body as it is sent, instead of one made of reason and timestamp.
    public var body: String?
    /// What is left out of the answer.
    public var omits: [Part] = []
    /// How many DATA frames the body takes.
    public var bodyFrames = 1

    /// What an answer can do without.
    public enum Part: String, CaseIterable, Sendable {
        case apnsID = "apnsId"
        case timestamp
        case body
    }

    public init() {}

    /// `:status` as it is sent.
    public var code: Int { status ?? 200 }

    public init(_ status: Int, _ reason: String? = nil, _ edit: (inout FaultAnswer) -> Void = { _ in }) {
        self.status = status
        self.reason = reason
        edit(&self)
    }
}

/// A GOAWAY frame, or two.
public struct FaultGoAway: Sendable, Hashable {
    /// In the debug data, as `{"reason":"…"}`.
    public var reason: String?
    /// The debug data as it is sent, instead.
    public var debugData: String?
    public var code = FaultErrorCode.noError
    /// The last-stream-id instead of the highest stream processed, and never below that; the request is not processed.
    public var lastStream: Int?
    /// How many streams, the request's own included, the last-stream-id leaves out. The request is not processed.
    public var unprocessed = 0
    /// How many frames; the second one has no debug data.
    public var times = 1
    /// Whether the connection is closed afterwards. If not, it stays open and new streams are refused.
    public var closes = true
    /// Whether the end comes in two steps: 2³¹ - 1 first, and the last stream once the client has seen that.
    public var graceful = false
    /// It is sent once the connection has had no request for so long.
    public var idle: Duration?

    public init() {}

    public init(_ edit: (inout FaultGoAway) -> Void) { edit(&self) }
}

/// A connection that ends as networks end them.
public struct FaultConnectionEnd: Sendable, Hashable {
    public var how = Kind.reset
    /// Against the answer.
    public var when = Moment.before

    public enum Kind: String, CaseIterable, Sendable {
        /// A TCP reset.
        case reset
        /// An end of the stream, without GOAWAY.
        case close
        /// It stays open; nothing is read or written any more.
        case silence
    }

    public enum Moment: String, CaseIterable, Sendable {
        /// Instead of the answer; the request is not handled.
        case before
        /// Once the answer has left.
        case after
    }

    public init() {}

    public init(_ how: Kind, _ when: Moment = .before) {
        self.how = how
        self.when = when
    }
}

/// An error code of HTTP/2 under the name that RFC 9113 §7 gives it.
public enum FaultErrorCode: String, CaseIterable, Sendable {
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
    public var number: UInt32 { UInt32(Self.allCases.firstIndex(of: self) ?? 0) }
}

public import DeviceModel

extension FaultEffect: FieldDescribed {
    public static let fields: [Field<FaultEffect>] = [
        Field("delay", \.delay, .optional(.duration), "How long everything else waits."),
        Field(
            "jitter", \.jitter, .optional(.duration), "Up to so much longer, drawn with the gateway's seed."),
        Field("answer", \.answer, .optional(.object), "What the provider is told instead."),
        Field(
            "answers", \.answers, .list(.object),
            "What the provider is told instead, one after the other for each device token."),
        Field(
            "trickle", \.trickle, .optional(.duration),
            "The pause between the bytes of the answer's body; of an answer without one, before its end."),
        Field("loses", \.loses, .optional(.word()), "What is lost; the stream is never answered."),
        Field("resets", \.resets, .optional(.word()), "The stream is reset with this code instead of an answer."),
        Field("goAway", \.goAway, .optional(.object), "A GOAWAY frame, or two."),
        Field("connection", \.connection, .optional(.object), "The connection ends without a word."),
        Field(
            "streamLimit", \.streamLimit, .optional(.integer(in: 0...1_000_000)),
            "The limit of concurrent streams from now until the next accepted push."),
        Field("failsTLS", \.failsTLS, .flag, "Whether TLS is refused with an alert."),
    ]

    public static var blank: Self { Self() }
}

extension FaultAnswer: FieldDescribed {
    public static let fields: [Field<FaultAnswer>] = [
        Field("status", \.status, .integer(in: 200...599), ":status."),
        Field("reason", \.reason, .optional(.text), "The reason of the body, whether APNs knows it or not."),
        Field(
            "timestamp", \.timestamp, .optional(.integer(atLeast: 0)),
            "Milliseconds since 1970; a 410 has the time of its request unless told otherwise."),
        Field("body", \.body, .optional(.text), "The whole body as it is sent, instead of one made of the above."),
        Field("omits", \.omits, .list(.word()), "What is left out of the answer."),
        Field("bodyFrames", \.bodyFrames, .integer(in: 1...2), "How many DATA frames the body takes."),
    ]

    public static var blank: Self { Self() }
}

extension FaultGoAway: FieldDescribed {
    public static let fields: [Field<FaultGoAway>] = [
        Field("reason", \.reason, .optional(.text), "In the debug data, as {\"reason\":\"…\"}."),
        Field("debugData", \.debugData, .optional(.text), "The debug data as it is sent, instead."),
        Field("code", \.code, .word(), "The error code."),
        Field(
            "lastStream", \.lastStream, .optional(.integer(in: 0...0x7fff_ffff)),
            "The last-stream-id instead of the request's own, which then counts as not processed."),
        Field(
            "unprocessed", \.unprocessed, .integer(in: 0...1000),
            "How many streams, the request's own included, count as not processed; they are never answered."),
        Field("times", \.times, .integer(in: 1...2), "How many frames; the second one has no debug data."),
        Field(
            "closes", \.closes, .flag,
            "Whether the connection is closed afterwards; if not, it stays open and new streams are refused."),
    ]

    public static let checks: [FieldCheck<FaultGoAway>] = [
        FieldCheck("goAway.lastStream") { goAway in
            guard goAway.lastStream != nil, goAway.unprocessed > 0 else { return [] }
            return [FieldProblem(FieldPath(), "has lastStream and unprocessed", "accepted: one of the two")]
        }
    ]

    public static var blank: Self { Self() }
}

extension FaultConnectionEnd: FieldDescribed {
    public static let fields: [Field<FaultConnectionEnd>] = [
        Field("how", \.how, .word(), "How the connection ends."),
        Field("when", \.when, .word(), "Before or after the answer."),
    ]

    public static var blank: Self { Self() }
}

internal import DeviceModel
package import Fields

extension FaultEffect: FieldDescribed {
    package static let fields: [Field<FaultEffect>] = [
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
        Field(
            "thenResets", \.thenResets, .optional(.word()),
            "A second RST_STREAM for the stream that was reset, with this code."),
        Field("goAway", \.goAway, .optional(.object), "A GOAWAY frame, or two."),
        Field("connection", \.connection, .optional(.object), "The connection ends without a word."),
        Field(
            "streamLimit", \.streamLimit, .optional(.integer(in: 0...1_000_000)),
            "The limit of concurrent streams from now until the next accepted push."),
        Field(
            "window", \.window, .optional(.integer(in: 0...0x7fff_ffff)),
            "SETTINGS_INITIAL_WINDOW_SIZE from now on; with 0 no body comes through."),
        Field(
            "expiresToken", \.expiresToken, .flag,
            "Whether the request's provider token has expired from now on, whatever its age; a newer one is good."),
        Field("failsTLS", \.failsTLS, .flag, "Whether TLS is refused with an alert."),
    ]

    package static var blank: Self { Self() }
}

extension FaultAnswer: FieldDescribed {
    package static let fields: [Field<FaultAnswer>] = [
        Field("status", \.status, .optional(.integer(in: 200...599)), ":status; 200 when absent."),
        Field("reason", \.reason, .optional(.text), "The reason of the body, whether APNs knows it or not."),
        Field(
            "timestamp", \.timestamp, .optional(.integer(atLeast: 0)),
            "Milliseconds since 1970; a 410 has the time of its request unless told otherwise."),
        Field("body", \.body, .optional(.text), "The whole body as it is sent, instead of one made of the above."),
        Field("omits", \.omits, .list(.word()), "What is left out of the answer."),
        Field("bodyFrames", \.bodyFrames, .integer(in: 1...2), "How many DATA frames the body takes."),
    ]

    package static let checks: [FieldCheck<FaultAnswer>] = [
        FieldCheck("answer.empty") { answer in
            guard answer == .blank else { return [] }
            return [
                FieldProblem(FieldPath(), "is empty", "accepted: at least one of \(fieldNames.joined(separator: ", "))")
            ]
        }
    ]

    package static var blank: Self { Self() }
}

extension FaultGoAway: FieldDescribed {
    package static let fields: [Field<FaultGoAway>] = [
        Field("reason", \.reason, .optional(.text), "In the debug data, as {\"reason\":\"…\"}."),
        Field("debugData", \.debugData, .optional(.text), "The debug data as it is sent, instead."),
        Field("code", \.code, .word(), "The error code."),
        Field(
            "lastStream", \.lastStream, .optional(.integer(in: 0...0x7fff_ffff)),
            "The last-stream-id instead of the highest stream processed, and never below that; the request is not processed."
        ),
        Field(
            "unprocessed", \.unprocessed, .integer(in: 0...1000),
            "How many streams, the request's own included, the last-stream-id leaves out unless they were processed."),
        Field("times", \.times, .integer(in: 1...2), "How many frames; the second one has no debug data."),
        Field(
            "closes", \.closes, .flag,
            "Whether the connection is closed afterwards; if not, it stays open and new streams are refused."),
        Field(
            "graceful", \.graceful, .flag,
            "Whether 2147483647 comes first, and the last stream once the client has answered the PING behind it."),
        Field(
            "idle", \.idle, .optional(.positiveDuration),
            "It is sent once the connection has had no request for so long."),
    ]

    package static let checks: [FieldCheck<FaultGoAway>] = [
        FieldCheck("goAway.lastStream") { goAway in
            guard goAway.lastStream != nil, goAway.unprocessed > 0 else { return [] }
            return [FieldProblem(FieldPath(), "has lastStream and unprocessed", "accepted: one of the two")]
        },
        FieldCheck("goAway.debugData") { goAway in
            guard goAway.reason != nil, goAway.debugData != nil else { return [] }
            return [FieldProblem(FieldPath(), "has reason and debugData", "accepted: one of the two")]
        },
        FieldCheck("goAway.length") { goAway in
            let count = goAway.bytes.count
            guard count > debugByteCount else { return [] }
            return [
                FieldProblem(
                    FieldPath().member(goAway.debugData == nil ? "reason" : "debugData"), "makes \(count) bytes",
                    "accepted: at most \(debugByteCount), as every client takes frames of 16384 bytes")
            ]
        },
        FieldCheck("goAway.graceful") { goAway in
            guard goAway.graceful else { return [] }
            let accepted = ["reason", "debugData", "graceful", "idle"]
            return goAway.differences(from: .blank).filter { !accepted.contains($0) }.map { name in
                FieldProblem(
                    FieldPath().member(name), "stands beside graceful",
                    "accepted there: reason, debugData and idle")
            }
        },
    ]

    /// RFC 9113 §6.5.2: clients take frames of at least 16,384 bytes; 8 of a GOAWAY are no debug data.
    private static let debugByteCount = 16_376

    package static var blank: Self { Self() }
}

extension FaultConnectionEnd: FieldDescribed {
    package static let fields: [Field<FaultConnectionEnd>] = [
        Field("how", \.how, .word(), "How the connection ends."),
        Field("when", \.when, .word(), "Before or after the answer."),
    ]

    package static var blank: Self { Self() }
}

extension FieldFormat {
    /// A length of time that is not zero.
    static var positiveDuration: FieldFormat<Duration> {
        text(
            "a duration above 0 such as 5s, 250ms, 2m or PT1H",
            read: { Duration(written: $0).flatMap { $0 > .zero ? $0 : nil } }, write: { $0.writtenText })
    }
}

internal import APNs
package import Fields
package import Wire

/// An answer that replaces the gateway's.
package struct FaultAnswer: Sendable, Hashable {
    package var status: Int?
    package var reason: String?
    package var timestamp: Int?
    package var body: String?
    package var omits: [Part] = []
    package var bodyFrames = 1

    package enum Part: String, CaseIterable, Sendable {
        case apnsID = "apnsId"
        case timestamp
        case body
    }

    package init() {}

    package var code: Int { status ?? reason.flatMap(APNsReason.init).map { Int($0.status) } ?? 200 }
}

/// One or two GOAWAY frames.
package struct FaultGoAway: Sendable, Hashable {
    package var reason: String?
    package var debugData: String?
    package var code = HTTP2ErrorCode.noError
    package var lastStream: Int?
    package var unprocessed = 0
    package var times = 1
    package var closes = true
    package var graceful = false
    package var idle: Duration?

    package init() {}
}

/// A connection that ends without GOAWAY.
package struct FaultConnectionEnd: Sendable, Hashable {
    package var how = ConnectionEnd.reset
    package var when = Moment.before

    package enum Moment: String, CaseIterable, Sendable {
        /// Instead of the answer; the request is not handled.
        case before
        /// Once the answer is sent.
        case after
    }

    package init() {}
}

extension FaultAnswer: FieldDescribed {
    package static let fields: [Field<FaultAnswer>] = [
        Field(
            "status", \.status, .optional(.integer(in: 200...599)), ":status; by default that of the reason, or 200."),
        Field("reason", \.reason, .optional(.text), "The reason in the body, known to APNs or not."),
        Field(
            "timestamp", \.timestamp, .optional(.integer(atLeast: 0)),
            "Milliseconds since 1970; a 410 has the time of its request by default."),
        Field("body", \.body, .optional(.text), "The whole body, in place of reason and timestamp."),
        Field("omits", \.omits, .list(.word()), "The parts that the answer omits."),
        Field("bodyFrames", \.bodyFrames, .integer(in: 1...2), "The number of DATA frames that carry the body."),
    ]

    package static let checks: [FieldCheck<FaultAnswer>] = [
        FieldCheck(
            found: "is empty",
            remedy: "accepted: at least one of \(fieldNames.joined(separator: ", "))"
        ) { $0 == FaultAnswer() }
    ]
}

extension FaultGoAway: FieldDescribed {
    package static let fields: [Field<FaultGoAway>] = [
        Field("reason", \.reason, .optional(.text), "In the debug data, as {\"reason\":\"…\"}."),
        Field("debugData", \.debugData, .optional(.text), "The whole debug data, in place of reason."),
        Field("code", \.code, .word(), "The error code."),
        Field(
            "lastStream", \.lastStream, .optional(.integer(in: 0...0x7fff_ffff)),
            "The last-stream-id instead of the highest stream processed, and never below that; the request is not processed."
        ),
        Field(
            "unprocessed", \.unprocessed, .integer(in: 0...1000),
            "The number of streams, including the request's own, that the last-stream-id excludes unless they were processed."
        ),
        Field("times", \.times, .integer(in: 1...2), "The number of frames; the second has no debug data."),
        Field(
            "closes", \.closes, .flag,
            "Whether the connection is closed afterwards; if not, it stays open and new streams are refused."),
        Field(
            "graceful", \.graceful, .flag,
            "Whether a GOAWAY with 2147483647 comes first; the final one follows when the client has answered a PING."),
        Field(
            "idle", \.idle, .optional(.positiveDuration),
            "It is sent once the connection has had no request for this long."),
    ]

    package static let checks: [FieldCheck<FaultGoAway>] = [
        FieldCheck(found: "has lastStream and unprocessed", remedy: "accepted: one of the two") {
            $0.lastStream != nil && $0.unprocessed > 0
        },
        FieldCheck(found: "has reason and debugData", remedy: "accepted: one of the two") {
            $0.reason != nil && $0.debugData != nil
        },
        FieldCheck { goAway in
            let count = goAway.bytes.count
            guard count > debugByteCount else { return [] }
            return [
                FieldProblem(
                    FieldPath().member(goAway.debugData == nil ? "reason" : "debugData"), "makes \(count) bytes",
                    "accepted: at most \(debugByteCount), as every client takes frames of 16384 bytes")
            ]
        },
        FieldCheck { goAway in
            guard goAway.graceful else { return [] }
            let accepted = ["reason", "debugData", "graceful", "idle"]
            return goAway.differences(from: FaultGoAway()).filter { !accepted.contains($0) }.map { name in
                FieldProblem(
                    FieldPath().member(name), "cannot be combined with graceful",
                    "accepted beside it: reason, debugData and idle")
            }
        },
    ]

    /// RFC 9113 §6.5.2: clients accept frames of at least 16,384 bytes; a GOAWAY uses 8 of them for its fixed fields.
    private static let debugByteCount = 16_376
}

extension FaultConnectionEnd: FieldDescribed {
    package static let fields: [Field<FaultConnectionEnd>] = [
        Field("how", \.how, .word(), "How the connection ends."),
        Field("when", \.when, .word(), "Before or after the answer."),
    ]
}

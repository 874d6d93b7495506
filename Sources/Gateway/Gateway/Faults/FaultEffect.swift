internal import APNs
package import Fields
internal import Foundation
package import RequestWire

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
        ) { $0 == FaultAnswer() },
        FieldCheck { answer in
            guard answer.status == nil, let reason = answer.reason, APNsReason(rawValue: reason) == nil else {
                return []
            }
            let nearest = NearestName.of(reason, among: APNsReason.allCases.map(\.rawValue))
            return [
                FieldProblem(
                    FieldPath().member("reason"), "is \"\(reason.prefix(60))\", which has no status",
                    nearest.map { "did you mean \($0)?" } ?? "accepted: a reason of APNs, or any with its status")
            ]
        },
        FieldCheck(
            at: "reason", found: "is never in the answer to an accepted push",
            remedy: "accepted: with a status from 300 up; for another body of a 200, body"
        ) { $0.reason != nil && $0.status.map { $0 < 300 } ?? false },
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

/// Network delays: log-normal, most near the median with a long tail.
package struct FaultLatency: Sendable, Hashable {
    package var median = Duration.zero
    package var p99 = Duration.zero

    package init() {}

    /// Bounds the tail, which has no end.
    private static let longest = 10.0
    /// The 99th percentile of the standard normal distribution.
    private static let quantile = 2.326_347_874_040_841

    func draw(_ generator: inout SplitMix64) -> Duration {
        let (median, p99) = (median / .milliseconds(1), p99 / .milliseconds(1))
        // Box and Muller; 1 - share is never 0.
        let normal = (-2 * log(1 - generator.share())).squareRoot() * cos(2 * .pi * generator.share())
        let milliseconds = median * exp(log(p99 / median) / Self.quantile * normal)
        return .milliseconds(Int64(min(milliseconds, Self.longest * p99)))
    }
}

/// SETTINGS that change at an interval; each list is repeated from its start.
package struct FaultChurn: Sendable, Hashable {
    package var every = Duration.milliseconds(50)
    package var times = 100
    package var streamLimits: [Int] = []
    package var windows: [Int] = []

    package init() {}

    package func streamLimit(_ step: Int) -> UInt32? { Self.value(step, of: streamLimits) }
    package func window(_ step: Int) -> UInt32? { Self.value(step, of: windows) }

    private static func value(_ step: Int, of list: [Int]) -> UInt32? {
        list.isEmpty ? nil : UInt32(list[step % list.count])
    }
}

extension FaultLatency: FieldDescribed {
    package static let fields: [Field<FaultLatency>] = [
        Field("median", \.median, .positiveDuration, "Half of the delays are below this."),
        Field("p99", \.p99, .positiveDuration, "One delay in a hundred is above this; none is above ten times this."),
    ]

    package static let checks: [FieldCheck<FaultLatency>] = [
        FieldCheck(at: "median", found: "is missing", remedy: "accepted: a duration above 0") { $0.median == .zero },
        FieldCheck(at: "p99", found: "is shorter than median", remedy: "accepted: a duration from median up") {
            $0.p99 < $0.median
        },
    ]
}

extension FaultChurn: FieldDescribed {
    package static let fields: [Field<FaultChurn>] = [
        Field("every", \.every, .positiveDuration, "The pause between two changes, in real time."),
        Field("times", \.times, .integer(in: 1...100_000), "The number of changes; the last one stays."),
        Field(
            "streamLimits", \.streamLimits, .list(.integer(in: 0...1_000_000), count: (0...100, "up to 100")),
            "Values of SETTINGS_MAX_CONCURRENT_STREAMS in order."),
        Field(
            "windows", \.windows, .list(.integer(in: 0...0x7fff_ffff), count: (0...100, "up to 100")),
            "Values of SETTINGS_INITIAL_WINDOW_SIZE in order."),
    ]

    package static let checks: [FieldCheck<FaultChurn>] = [
        FieldCheck(found: "changes nothing", remedy: "accepted: streamLimits, windows or both") {
            $0.streamLimits.isEmpty && $0.windows.isEmpty
        }
    ]
}

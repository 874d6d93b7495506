package import APNs
package import Fields
internal import JSON
package import Queries

/// The requests that a rule fires for; absent members match everything. Only requests that match are counted.
package struct FaultMatch: Sendable, Hashable {
    package var token: String?
    package var device: String?
    package var topic: String?
    package var pushType: String?
    package var headers: [String: String] = [:]
    package var condition: WrittenQuery?
    package var connection: Int?
    package var keyID: String?
    package var verdict: FaultVerdict?
    package var after: APNsReason?
    package var idle: Duration?
    package var nth: Int?
    package var every: Int?
    package var run = 1
    package var above: FaultRate?
    package var per = Scope.rule
    package var probability: Double?

    package enum Scope: String, CaseIterable, Sendable {
        case rule
        case connection
        case token
        case topic
    }

    package init() {}

    func fits(_ facts: FaultFacts) -> Bool {
        if let token, token != facts.token { return false }
        if let device, device != facts.device { return false }
        if let topic, topic != facts.topic { return false }
        if let pushType, pushType != facts.pushType { return false }
        if let connection, connection != Int(facts.connection) { return false }
        if let keyID, keyID != facts.keyID { return false }
        if let verdict, !verdict.fits(facts.reason) { return false }
        // It was counted when the rules saw it as accepted.
        if facts.wasOffered, verdict?.fits(nil) ?? true { return false }
        if let after, !facts.earlierReasons.contains(after) { return false }
        if let idle, facts.longestPause < idle { return false }
        return headers.allSatisfy { name, value in facts.headers.contains { $0.name == name && $0.value == value } }
            && condition?.matches(facts.document) ?? true
    }

    /// - Parameter number: Counted from 1.
    func isTurn(_ number: Int) -> Bool {
        if let nth { return number >= nth && number - nth < run }
        if let every { return number >= every && number % every < run }
        return true
    }
}

/// The properties of a request that rules match.
struct FaultFacts: Sendable {
    var connection: UInt32 = 0
    /// Lower-case hexadecimal.
    var token: String?
    var device: String?
    var topic: String?
    var pushType: String?
    var headers: [(name: String, value: String)] = []
    var payload: [UInt8] = []
    var keyID: String?
    var verified: VerifiedToken?
    /// `nil` when the gateway would accept it.
    var reason: APNsReason?
    /// Whether the rules have seen the request as accepted, before it was refused after all.
    var wasOffered = false
    var earlierReasons: Set<APNsReason> = []
    var longestPause = Duration.zero

    /// What `document` answers.
    static let roots = QueryRoots([
        "token": .text, "device": .text, "topic": .text, "pushType": .text, "headers": nil, "payload": nil,
        "connection": .number, "keyId": .text,
    ])

    func document(_ name: String) -> JSONValue? {
        switch name {
        case "token": token.map { .string($0) }
        case "device": device.map { .string($0) }
        case "topic": topic.map { .string($0) }
        case "pushType": pushType.map { .string($0) }
        case "headers": .headersByName(headers)
        case "payload": JSONValue(payload.span.bytes)
        case "connection": .integer(connection)
        case "keyId": keyID.map { .string($0) }
        default: nil
        }
    }
}

/// The gateway's answer without faults.
package enum FaultVerdict: Sendable, Hashable {
    case accepted
    case refused
    case reason(APNsReason)

    package var text: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .reason(let reason): reason.rawValue
        }
    }

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

extension FaultMatch: FieldDescribed {
    package static let fields: [Field<FaultMatch>] = [
        Field("token", \.token, .optional(.hexadecimal), "The device token in the path."),
        Field("device", \.device, .optional(.name), "The device that the token belongs to."),
        Field("topic", \.topic, .optional(.name), "The topic."),
        Field("pushType", \.pushType, .optional(.name), "apns-push-type as sent."),
        Field(
            "headers", \.headers, .map(.text, of: "values by header name"),
            "Header fields that must be present with this value."),
        Field(
            "where", \.condition, .optional(.query(roots: FaultFacts.roots)),
            "Conditions as in docs/queries.md, such as \"payload.aps.badge>2\"."),
        Field("connection", \.connection, .optional(.integer(atLeast: 1)), "The connection's number."),
        Field("keyId", \.keyID, .optional(.name), "kid of the provider token."),
        Field(
            "verdict", \.verdict, .optional(.verdict),
            "What the gateway would have answered: accepted, refused, or a reason."),
        Field(
            "after", \.after, .optional(.word()),
            "An earlier request on the same connection was rejected for this reason."),
        Field(
            "idle", \.idle, .optional(.duration),
            "The connection was once idle for at least this long."),
        Field("nth", \.nth, .optional(.integer(atLeast: 1)), "It fires from the n-th match on, run times."),
        Field("every", \.every, .optional(.integer(atLeast: 1)), "It fires at every n-th match, run times."),
        Field("run", \.run, .integer(atLeast: 1), "How many matches in a row it fires for, with nth and every."),
        Field(
            "above", \.above, .optional(.object),
            "It fires for matches above this rate: count in each interval of within."),
        Field("per", \.per, .word(), "Which matches are counted together."),
        Field(
            "probability", \.probability, .optional(.share),
            "The probability that it fires for a match, drawn with the gateway's seed."),
    ]

    package static let checks: [FieldCheck<FaultMatch>] = [
        FieldCheck(found: "has nth and every", remedy: "accepted: one of the two") {
            $0.nth != nil && $0.every != nil
        },
        FieldCheck { match in
            match.headers.keys.sorted().filter { $0 != $0.lowercased() }.map { name in
                FieldProblem(
                    FieldPath().member("headers").member(name), "is in upper case",
                    "accepted: names in lower case, as HTTP/2 has them")
            }
        },
    ]
}

extension FieldFormat {
    /// A device token; reads upper-case digits, too.
    package static var hexadecimal: FieldFormat<String> {
        text(
            "an even number of hexadecimal digits", form: TextForm(pattern: "^([0-9a-fA-F]{2}){1,200}$"),
            read: { DeviceToken(hex: Array($0.utf8).span.bytes)?.hex }, write: { $0 })
    }

    fileprivate static var verdict: FieldFormat<FaultVerdict> {
        let words = ["accepted", "refused"] + APNsReason.allCases.map(\.rawValue)
        return text(
            "accepted, refused, or a reason such as BadDeviceToken",
            form: TextForm(pattern: "^(\(words.joined(separator: "|")))$"), read: FaultVerdict.init(text:),
            write: \.text)
    }
}

/// How many requests of a subject pass in each interval; a rule fires for those above it.
package struct FaultRate: Sendable, Hashable {
    package var count = 1
    package var within = Duration.seconds(1)

    package init() {}
}

extension FaultRate: FieldDescribed {
    package static let fields: [Field<FaultRate>] = [
        Field("count", \.count, .integer(in: 0...1_000_000_000), "How many requests pass in each interval."),
        Field("within", \.within, .positiveDuration, "The length of the interval, on the gateway's clock."),
    ]
}

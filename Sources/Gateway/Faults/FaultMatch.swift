package import APNs
internal import DeviceModel
package import Fields

/// For what a rule fires; what is absent does not matter. Counting is done last, among what fits otherwise.
package struct FaultMatch: Sendable, Hashable {
    package var token: String?
    package var device: String?
    package var topic: String?
    package var pushType: String?
    package var headers: [String: String] = [:]
    package var connection: Int?
    package var keyID: String?
    package var verdict: FaultVerdict?
    package var after: APNsReason?
    package var idle: Duration?
    package var nth: Int?
    package var every: Int?
    package var run = 1
    package var per = Scope.rule
    package var probability: Double?

    /// Among which matches a rule counts.
    package enum Scope: String, CaseIterable, Sendable {
        case rule
        case connection
        /// Those for one device token.
        case token
    }

    /// Everything fits.
    package init() {}

    package init(_ edit: (inout FaultMatch) -> Void) { edit(&self) }
}

/// What the gateway would answer, as a rule asks for it.
package enum FaultVerdict: Sendable, Hashable {
    case accepted
    case refused
    case reason(APNsReason)

    /// `accepted`, `refused`, or the reason.
    package var text: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .reason(let reason): reason.rawValue
        }
    }

    /// - Returns: `nil` for any other text.
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
            "Header fields; each must be there with this value."),
        Field("connection", \.connection, .optional(.integer(atLeast: 1)), "The connection's number."),
        Field("keyId", \.keyID, .optional(.name), "kid of the provider token."),
        Field(
            "verdict", \.verdict, .optional(.verdict),
            "What the gateway would have answered: accepted, refused, or a reason."),
        Field(
            "after", \.after, .optional(.word()),
            "An earlier request on the same connection was refused for this reason."),
        Field(
            "idle", \.idle, .optional(.duration),
            "Once in its life the connection was without requests for at least this long."),
        Field("nth", \.nth, .optional(.integer(atLeast: 1)), "It fires from the n-th match on, run times."),
        Field("every", \.every, .optional(.integer(atLeast: 1)), "It fires at every n-th match, run times."),
        Field("run", \.run, .integer(atLeast: 1), "How many matches in a row nth and every mean."),
        Field("per", \.per, .word(), "Among which matches are counted."),
        Field(
            "probability", \.probability, .optional(.share),
            "How likely it fires for a match; drawn with the gateway's seed."),
    ]

    package static let checks: [FieldCheck<FaultMatch>] = [
        FieldCheck { match in
            guard match.nth != nil, match.every != nil else { return [] }
            return [FieldProblem(FieldPath(), "has nth and every", "accepted: one of the two")]
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
    /// A device token; digits in upper case are read, too.
    fileprivate static var hexadecimal: FieldFormat<String> {
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

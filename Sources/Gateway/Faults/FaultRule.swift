package import APNs
internal import DeviceModel
package import Fields
package import JSON

/// One thing that a tester asks the gateway to do wrong: when, what, how often.
package struct FaultRule: Sendable, Hashable {
    package var name = ""
    package var stage = Stage.request
    package var match = FaultMatch()
    package var effect = FaultEffect()
    package var count: Int?
    package var from: Instant?
    package var until: Instant?
    package var lasting: Duration?

    package enum Stage: String, CaseIterable, Codable, Sendable {
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

extension FaultRule: FieldDescribed {
    package static let fields: [Field<FaultRule>] = [
        Field("name", \.name, .name, "What the request log and the counters call it."),
        Field(
            "stage", \.stage, .word(),
            "When it is asked: as a client connects, once the connection is ready, or for each request."),
        Field("match", \.match, .object, "For what it fires; what is absent does not matter."),
        Field("effect", \.effect, .object, "What happens then; the parts happen together."),
        Field("count", \.count, .optional(.integer(atLeast: 1)), "How many times it fires; absent for always."),
        Field("from", \.from, .optional(.instant), "When it begins, on the gateway's clock."),
        Field("until", \.until, .optional(.instant), "When it has ended, on the gateway's clock."),
        Field(
            "for", \.lasting, .optional(.positiveDuration), "How long it holds once it is set, on the gateway's clock."),
    ]

    package static let checks: [FieldCheck<FaultRule>] = [
        .filled("name", \.name),
        FieldCheck(requires: "effect") { rule in
            guard rule.effect.parts.isEmpty else { return [] }
            let names = FaultEffect.fieldNames.joined(separator: ", ")
            return [FieldProblem(FieldPath().member("effect"), "is empty", "accepted: at least one of \(names)")]
        },
        FieldCheck { rule in
            guard let accepted = rule.stage.parts else { return [] }
            return rule.effect.parts.filter { !accepted.contains($0) }.map { part in
                FieldProblem(
                    FieldPath().member("effect").member(part), "has no meaning on \(rule.stage.rawValue)",
                    "accepted there: \(accepted.joined(separator: ", "))")
            }
        },
        FieldCheck { rule in
            guard rule.stage != .request else { return [] }
            let counters = ["nth", "every", "run", "probability"]
            let accepted = counters + (rule.stage == .open ? ["connection"] : [])
            return rule.match.differences(from: FaultMatch()).filter { !accepted.contains($0) }.map { name in
                FieldProblem(
                    FieldPath().member("match").member(name), "cannot be known on \(rule.stage.rawValue)",
                    "accepted there: \(accepted.joined(separator: ", "))")
            }
        },
        FieldCheck { rule in
            guard rule.stage == .request, rule.effect.failsTLS else { return [] }
            return [
                FieldProblem(
                    FieldPath().member("effect").member("failsTLS"), "has no meaning on request",
                    "accepted: on accept only")
            ]
        },
        FieldCheck { rule in
            guard rule.effect.thenResets != nil, rule.effect.resets == nil else { return [] }
            return [
                FieldProblem(
                    FieldPath().member("effect").member("thenResets"), "has no first RST_STREAM",
                    "accepted: beside resets")
            ]
        },
        FieldCheck { rule in
            guard rule.effect.isUnprocessed, rule.effect.loses == .answer else { return [] }
            return [
                FieldProblem(
                    FieldPath().member("effect"), "delivers a push above its last-stream-id",
                    "accepted: loses answer, or goAway with lastStream or unprocessed")
            ]
        },
        FieldCheck { rule in
            guard rule.effect.isUnprocessed, rule.effect.goAway?.idle != nil else { return [] }
            return [
                FieldProblem(
                    FieldPath().member("effect").member("goAway"), "is not sent while its request waits",
                    "accepted: idle, or lastStream or unprocessed")
            ]
        },
        FieldCheck { rule in
            guard rule.effect.answer != nil, !rule.effect.answers.isEmpty else { return [] }
            return [
                FieldProblem(
                    FieldPath().member("effect"), "has answer and answers", "accepted: one of the two")
            ]
        },
        FieldCheck { rule in
            guard let from = rule.from, let until = rule.until, until <= from else { return [] }
            return [
                FieldProblem(FieldPath().member("until"), "is \(until.text)", "accepted: a time after from")
            ]
        },
    ]
}

extension FaultRule.Stage {
    /// The parts of an effect that make sense; `nil` for all of them but `failsTLS`.
    fileprivate var parts: [String]? {
        switch self {
        case .accept: ["delay", "jitter", "connection", "failsTLS"]
        case .open: ["goAway", "connection", "streamLimit", "window"]
        case .request: nil
        }
    }
}

extension FaultRule {
    /// What the list of rules tells of a rule beside it; writing it back changes nothing.
    package static let readOnlyNames = ["matched", "fired", "setAt"]

    /// The rules that a JSON object stands for: one, or those of `{"scenario": "G1"}`, of which `match` and `count` change each.
    ///
    /// - Parameter path: Where the object stands, for messages.
    package static func rules(
        from json: JSONValue, at path: FieldPath = FieldPath()
    ) throws(FieldError) -> [FaultRule] {
        guard case .object(let members) = json, let scenario = members["scenario"] else {
            var rule = FaultRule()
            try rule.apply(json, besides: readOnlyNames + ["scenario"], at: path)
            return [rule]
        }
        let edits = members.filter { ["match", "count"].contains($0.key) }
        if let other = members.keys.sorted().first(where: { $0 != "scenario" && edits[$0] == nil }) {
            throw FieldError(problems: [
                FieldProblem(
                    path.member(other), "stands beside scenario", "accepted: scenario with match and count, or a rule")
            ])
        }
        guard case .string(let text) = scenario, let found = FaultScenario.named(text) else {
            let names = FaultScenario.names.joined(separator: ", ")
            let text = if case .string(let text) = scenario { text } else { "" }
            let hint = NearestName.of(text, among: FaultScenario.names).map { "; did you mean \($0)?" } ?? ""
            throw FieldError(problems: [.wrong(scenario, at: path.member("scenario"), accepted: names + hint)])
        }
        guard !edits.isEmpty else { return found.rules }
        return try found.rules.map { rule throws(FieldError) in
            var rule = rule
            try rule.apply(.object(edits), at: path)
            return rule
        }
    }
}

internal import DeviceModel
package import Fields
package import JSON
internal import Queries
package import Time

/// A failure to inject: when, what, how often.
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
        /// After a client connects, before TLS.
        case accept
        /// After the client's SETTINGS, before its first request.
        case open
        /// After a request is checked, before it is handled.
        case request
    }

    package init() {}

    /// What goes wrong on a device needs a push that reaches one.
    func fits(_ facts: FaultFacts) -> Bool {
        (effect.device == nil || facts.reason == nil && facts.device != nil) && match.fits(facts)
    }

    package var patternStepCount: Int { match.condition?.query.patternStepCount ?? 0 }

    /// A rule for every request expires a key's first token only: what replaces it is valid.
    var expiresOncePerKey: Bool {
        effect.expiresToken && count == nil && match.nth == nil && match.every == nil && match.probability == nil
    }
}

extension FaultRule: FieldDescribed {
    package static let fields: [Field<FaultRule>] = [
        Field(
            "name", \.name, .name, "Its name in the request log and the counters; the gateway gives it one when absent."
        ),
        Field(
            "stage", \.stage, .word(),
            "When it is checked: as a client connects, once the connection is ready, or for each request."),
        Field("match", \.match, .object, "The requests that it fires for; absent members match everything."),
        Field("effect", \.effect, .object, "What happens; all parts apply together."),
        Field(
            "count", \.count, .optional(.integer(atLeast: 1)),
            "The maximum number of times it fires; unlimited when absent."),
        Field("from", \.from, .optional(.instant), "When it begins, on the gateway's clock."),
        Field("until", \.until, .optional(.instant), "When it ends, on the gateway's clock."),
        Field(
            "for", \.lasting, .optional(.positiveDuration),
            "How long it is active after it was set, on the gateway's clock."),
    ]

    package static let checks: [FieldCheck<FaultRule>] = [
        FieldCheck(
            at: "effect", found: "is empty",
            remedy: "accepted: at least one of \(FaultEffect.fieldNames.joined(separator: ", "))", isRequired: true
        ) { $0.effect == FaultEffect() },
        FieldCheck { rule in
            guard let accepted = rule.stage.parts else { return [] }
            return rule.effect.differences(from: FaultEffect()).filter { !accepted.contains($0) }.map { part in
                FieldProblem(
                    FieldPath().member("effect").member(part), "has no meaning on \(rule.stage.rawValue)",
                    "accepted there: \(accepted.joined(separator: ", "))")
            }
        },
        FieldCheck { rule in
            guard rule.stage != .request else { return [] }
            let counters = ["nth", "every", "run", "above", "probability"]
            let accepted = counters + (rule.stage == .open ? ["connection"] : [])
            return rule.match.differences(from: FaultMatch()).filter { !accepted.contains($0) }.map { name in
                FieldProblem(
                    FieldPath().member("match").member(name), "cannot be known on \(rule.stage.rawValue)",
                    "accepted there: \(accepted.joined(separator: ", "))")
            }
        },
        FieldCheck(
            at: "effect", "failsTLS", found: "has no meaning on request",
            remedy: "accepted: on accept only"
        ) { $0.stage == .request && $0.effect.failsTLS },
        FieldCheck(
            at: "effect", "thenResets", found: "has no first RST_STREAM",
            remedy: "accepted: beside resets"
        ) { $0.effect.thenResets != nil && $0.effect.resets == nil },
        FieldCheck(
            at: "effect", found: "delivers a push above its last-stream-id",
            remedy: "accepted: loses answer, or goAway with lastStream or unprocessed"
        ) { $0.effect.isUnprocessed && $0.effect.loses == .answer },
        FieldCheck(
            at: "effect", "goAway", found: "is not sent while its request waits",
            remedy: "accepted: idle, or lastStream or unprocessed"
        ) { $0.effect.isUnprocessed && $0.effect.goAway?.idle != nil },
        FieldCheck(
            at: "effect", "device", found: "has no push to precede",
            remedy: "accepted: without parts that refuse, lose or reset the push"
        ) { $0.effect.device != nil && $0.effect.withholdsPush },
        FieldCheck(
            at: "effect", found: "has answer and answers", remedy: "accepted: one of the two"
        ) { $0.effect.answer != nil && !$0.effect.answers.isEmpty },
        FieldCheck { rule in
            guard let from = rule.from, let until = rule.until, until <= from else { return [] }
            return [FieldProblem(FieldPath().member("until"), "is \(until.text)", "accepted: a time after from")]
        },
    ]
}

extension FaultRule.Stage {
    /// The effects that apply; `nil` for all but `failsTLS`.
    fileprivate var parts: [String]? {
        switch self {
        case .accept: ["delay", "jitter", "latency", "connection", "failsTLS"]
        case .open: ["goAway", "connection", "streamLimit", "window", "starves", "churn"]
        case .request: nil
        }
    }
}

extension FaultRule {
    /// Members of a listed rule, ignored when the rule is sent back.
    private static let readOnlyNames = ["matched", "fired", "setAt"]

    /// One rule, or those of `{"scenario": "G1"}` with its `match` and `count` applied to each.
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
                    path.member(other), "cannot be combined with scenario",
                    "accepted: scenario with match and count, or a rule")
            ])
        }
        guard case .string(let text) = scenario, let found = FaultScenario.named(text) else {
            let text = if case .string(let text) = scenario { text } else { "" }
            let hint = NearestName.of(text, among: FaultScenario.names).map { "; did you mean \($0)?" } ?? ""
            let list = "the scenarios that `pushcote fault scenarios` and GET /fault-scenarios list"
            throw FieldError(problems: [.wrong(scenario, at: path.member("scenario"), accepted: list + hint)])
        }
        guard !edits.isEmpty else { return found.rules }
        return try found.rules.map { rule throws(FieldError) in
            var rule = rule
            try rule.apply(.object(edits), at: path)
            return rule
        }
    }
}

/// A rule, or the rules of a scenario, as somebody sets them.
package struct FaultElement: Sendable, Hashable {
    package var rules: [FaultRule]
    package var isScenario = false

    /// A rule with its own name.
    package init(_ rule: FaultRule) { rules = [rule] }

    package init(_ json: JSONValue, at path: FieldPath = FieldPath()) throws(FieldError) {
        rules = try FaultRule.rules(from: json, at: path)
        isScenario = MemberReader(json).has("scenario")
    }

    /// The rules with names that no other rule has.
    ///
    /// A scenario with the match of an earlier one replaces it; with another match it is another instance, `outage@2`.
    ///
    /// - Parameter newName: For a rule without a name.
    package func named(besides others: [FaultRule], newName: () -> String) -> [FaultRule] {
        if isScenario { return instance(besides: others) }
        return rules.map { rule in
            var rule = rule
            if rule.name.isEmpty { rule.name = newName() }
            return rule
        }
    }

    private func instance(besides others: [FaultRule]) -> [FaultRule] {
        var number = 1
        while true {
            let named = rules.map { rule in
                var rule = rule
                if number > 1 { rule.name += "@\(number)" }
                return rule
            }
            let isTaken = others.contains { other in
                named.contains { $0.name == other.name && $0.match != other.match }
            }
            if !isTaken { return named }
            number += 1
        }
    }
}

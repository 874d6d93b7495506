internal import Fields
package import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Time

extension AdminAPI {
    var faultEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/faults", .faults, "The fault rules in order, and how often each has fired", id: "faults",
                answer: "Fault rules in order."
            ) { _ in answer(gateway.faults.statuses) },
            Endpoint(
                .put, "/faults", .faults, "Replace all fault rules, and reset their counts", id: "putFaults",
                body: .required("NewFaults"), answer: "Fault rules in order.", errors: [409]
            ) { request in
                guard let elements = try FaultElement.list(in: try await request.description(isNeeded: true)) else {
                    throw AdminError.badRequest(
                        "The body must be an object with 'faults', a list of rules and scenarios.")
                }
                try gateway.store(elements, replacing: { _ in true })
                return answer(gateway.faults.statuses)
            },
            Endpoint(
                .post, "/faults", .faults, "Append a rule, the rules of a scenario, or a list of both",
                id: "addFault",
                about: """
                    The first rule that matches and is due fires. A rule's name must be new (409); a scenario that is
                    already set starts again. There may be \(FaultPlan.maximumRuleCount) rules (409). Adds all
                    rules or none, and returns the added ones.
                    """,
                body: .required("NewFaultOrFaults"), answer: "Fault rules in order.", status: .created, errors: [409]
            ) { request in
                let body = try await request.description(isNeeded: true)
                let elements = try FaultElement.list(in: body) ?? [FaultElement(body, at: FieldPath())]
                let names = Set(try gateway.store(elements).map(\.name))
                return answer(gateway.faults.statuses.filter { names.contains($0.rule.name) })
            },
            Endpoint(
                .delete, "/faults", .faults, "Remove all fault rules", id: "deleteFaults", answers: [.removed]
            ) { _ in Response(removed: gateway.forgetFaults { _ in true }) },
            Endpoint(
                .get, "/faults/{name}", .faults, "A fault rule", id: "fault", answer: "The rule.", errors: [404]
            ) { request in
                let name = try request.parameter("name")
                let status = gateway.faults.statuses.first { $0.rule.name == name }
                return FaultsAnswer.Fault(try status.found(or: "There is no fault rule '\(name.prefix(200))'."))
            },
            Endpoint(
                .delete, "/faults/{name}", .faults, "Remove a fault rule", id: "deleteFault", answers: [.removed]
            ) { request in
                let name = try request.parameter("name")
                return Response(removed: gateway.forgetFaults { $0.name == name })
            },
            Endpoint(
                .get, "/fault-scenarios", .faults, "Named sets of rules that reproduce failures of APNs",
                id: "faultScenarios", answer: "The scenarios."
            ) { _ in ScenariosAnswer(scenarios: FaultScenario.all) },
        ]
    }

    private func answer(_ statuses: [FaultPlan.Status]) -> FaultsAnswer {
        FaultsAnswer(faults: statuses.map { FaultsAnswer.Fault($0) }, seed: gateway.seed)
    }
}

extension FaultElement {
    /// The elements of `{"faults": […]}`, which an answer has beside its `seed`; `nil` for any other body.
    fileprivate static func list(in body: JSONValue) throws(FieldError) -> [Self]? {
        let members = MemberReader(body).members
        let others = members.keys.filter { !["faults", "seed"].contains($0) }
        guard case .array(let elements) = members["faults"], others.isEmpty else { return nil }
        return try elements.enumerated().map { index, element throws(FieldError) in
            try Self(element, at: FieldPath([.member("faults"), .element(index)]))
        }
    }
}

struct FaultsAnswer: APIShape {
    typealias Fault = Joined<JSONValue, FaultCountsAnswer>

    var faults: [Fault]
    var seed: UInt64

    static let shape = Shape(["seed": "The seed of random decisions."])
}

struct FaultCountsAnswer: AnswerTable {
    let source: FaultPlan.Status

    static let rows: [Row<FaultPlan.Status>] = [
        Row("matched", \.matched),
        Row("fired", \.fired),
        Row("setAt", \.setAt),
    ]

    static let shape = Shape(name: "Fault", of: rows)
}

extension FaultsAnswer.Fault {
    fileprivate init(_ status: FaultPlan.Status) { self.init(status.rule.json, FaultCountsAnswer(status)) }
}

struct ScenariosAnswer: APIShape {
    var scenarios: [FaultScenario]

    static let shape = Shape(name: "FaultScenarios")
}

extension FaultScenario: APIShape {
    package static let shape = Shape(name: "Scenario", ["id": "Such as `G1`.", "rules": .list("FaultRule")])
}

internal import APNs
internal import DeviceModel
internal import Fields
internal import Gateway
internal import Hummingbird
package import JSON

/// What goes wrong because somebody asked for it.
struct FaultRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/faults") { _ in Response(list(gateway.faults.statuses)) },
            Endpoint(.put, "/faults", replace),
            Endpoint(.post, "/faults", add),
            Endpoint(.delete, "/faults") { _ in
                Response(RemovedAnswer(removed: gateway.faults.remove { _ in true }))
            },
            Endpoint(.get, "/faults/{name}") { request in
                let name = try request.parameter("name")
                guard let status = gateway.faults.statuses.first(where: { $0.rule.name == name }) else {
                    throw AdminError.notFound("There is no fault rule '\(name.prefix(200))'.")
                }
                return Response(Self.answer(status))
            },
            Endpoint(.delete, "/faults/{name}") { request in
                let name = try request.parameter("name")
                return Response(RemovedAnswer(removed: gateway.faults.remove { $0.name == name }))
            },
            Endpoint(.get, "/fault-scenarios") { _ in
                Response(ScenariosAnswer(scenarios: FaultScenario.all.map { ScenarioAnswer($0) }))
            },
        ]
    }

    private func replace(_ request: AdminRequest) async throws -> Response {
        guard let elements = try Self.list(in: try await request.description(isNeeded: true)) else {
            throw AdminError.badRequest("The body must be an object with 'faults', a list of rules and scenarios.")
        }
        let rules = elements.flatMap(\.rules)
        try named { () throws(FaultPlan.Refusal) in try gateway.faults.replace(rules, at: gateway.now()) }
        return Response(list(gateway.faults.statuses))
    }

    private func add(_ request: AdminRequest) async throws -> Response {
        let body = try await request.description(isNeeded: true)
        let elements = try Self.list(in: body) ?? [Element(body, at: FieldPath())]
        let rules = elements.flatMap(\.rules)
        let names = Set(rules.map(\.name))
        // Applied once more, a scenario begins again.
        let again = Set(elements.filter(\.isScenario).flatMap(\.rules).map(\.name))
        try named { () throws(FaultPlan.Refusal) in
            try gateway.faults.add(rules, replacing: again, at: gateway.now())
        }
        return Response(
            list(gateway.faults.statuses.filter { names.contains($0.rule.name) }), status: .created)
    }

    private func named(_ body: () throws(FaultPlan.Refusal) -> Void) throws(AdminError) {
        do throws(FaultPlan.Refusal) {
            try body()
        } catch {
            switch error {
            case .nameIsTaken(let name):
                throw .conflict(
                    "Duplicate fault rule '\(name.prefix(200))'; remove it with DELETE "
                        + "/api/v1/faults/{name}, or give this one another name.")
            case .tooMany:
                throw .conflict(
                    "The limit is \(FaultPlan.maximumRuleCount) fault rules; remove some with DELETE /api/v1/faults/{name}."
                )
            }
        }
    }

    /// A rule or a scenario of a body.
    private struct Element {
        var rules: [FaultRule]
        var isScenario: Bool

        init(_ json: JSONValue, at path: FieldPath) throws(FieldError) {
            rules = try FaultRule.rules(from: json, at: path)
            isScenario = MemberReader(json).has("scenario")
        }
    }

    /// The rules and scenarios of `{"faults": […]}`; `nil` for any other body.
    private static func list(in body: JSONValue) throws(FieldError) -> [Element]? {
        let members = MemberReader(body).members
        guard case .array(let elements) = members["faults"], members.count == 1 else { return nil }
        var list: [Element] = []
        for (index, element) in elements.enumerated() {
            list.append(try Element(element, at: FieldPath([.member("faults"), .element(index)])))
        }
        return list
    }

    private func list(_ statuses: [FaultPlan.Status]) -> FaultsAnswer {
        FaultsAnswer(faults: statuses.map(Self.answer), seed: gateway.seed)
    }

    private static func answer(_ status: FaultPlan.Status) -> FaultsAnswer.Fault {
        Joined(
            status.rule.json,
            FaultCountsAnswer(matched: status.matched, fired: status.fired, setAt: status.setAt.text))
    }
}

package struct FaultsAnswer: APIShape {
    /// A rule as its table has it, and how it fared.
    package typealias Fault = Joined<JSONValue, FaultCountsAnswer>

    package var faults: [Fault]
    package var seed: UInt64
}

package struct FaultCountsAnswer: APIShape {
    package var matched: Int
    package var fired: Int
    package var setAt: String
}

package struct ScenariosAnswer: APIShape {
    package var scenarios: [ScenarioAnswer]
}

package struct ScenarioAnswer: APIShape {
    package var id: String?
    package var name: String
    package var summary: String
    package var rules: [JSONValue]

    init(_ scenario: FaultScenario) {
        id = scenario.id
        name = scenario.name
        summary = scenario.summary
        rules = scenario.rules.map(\.json)
    }
}

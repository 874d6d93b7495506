internal import DeviceModel
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// What goes wrong because somebody asked for it.
struct FaultRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/faults") { _ in Response(json: list(gateway.faults.statuses)) },
            Endpoint(.put, "/faults", replace),
            Endpoint(.post, "/faults", add),
            Endpoint(.delete, "/faults") { _ in
                Response(json: ["removed": .integer(gateway.faults.remove { _ in true })])
            },
            Endpoint(.get, "/faults/{name}") { request in
                let name = try request.parameter("name")
                guard let status = gateway.faults.statuses.first(where: { $0.rule.name == name }) else {
                    throw AdminError.notFound("There is no fault rule '\(name.prefix(200))'.")
                }
                return Response(json: Self.json(status))
            },
            Endpoint(.delete, "/faults/{name}") { request in
                let name = try request.parameter("name")
                return Response(json: ["removed": .integer(gateway.faults.remove { $0.name == name })])
            },
            Endpoint(.get, "/fault-scenarios") { _ in
                Response(json: ["scenarios": .array(FaultScenario.all.map(Self.json))])
            },
        ]
    }

    private func replace(_ request: AdminRequest) async throws -> Response {
        guard let elements = try Self.list(in: try await request.description(isNeeded: true)) else {
            throw AdminError.badRequest("The body must be an object with 'faults', a list of rules and scenarios.")
        }
        let rules = elements.flatMap(\.rules)
        try named { () throws(FaultPlan.Refusal) in try gateway.faults.replace(rules, at: gateway.now()) }
        return Response(json: list(gateway.faults.statuses))
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
            json: list(gateway.faults.statuses.filter { names.contains($0.rule.name) }), status: .created)
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

    private func list(_ statuses: [FaultPlan.Status]) -> JSONValue {
        ["faults": .array(statuses.map(Self.json)), "seed": .integer(gateway.seed)]
    }

    private static func json(_ status: FaultPlan.Status) -> JSONValue {
        status.rule.json.adding([
            "matched": .integer(status.matched), "fired": .integer(status.fired), "setAt": .time(status.setAt),
        ])
    }

    private static func json(_ scenario: FaultScenario) -> JSONValue {
        [
            "id": scenario.id.map { .string($0) }, "name": .string(scenario.name),
            "summary": .string(scenario.summary), "rules": .array(scenario.rules.map { $0.json }),
        ]
    }
}

extension JSONValue {
    /// Where the first `null` stands, in the alphabetical order of members; nil when there is none.
    fileprivate func firstNull(at path: FieldPath = FieldPath()) -> FieldPath? {
        switch self {
        case .null: path
        case .bool, .integer, .number, .string, .verbatim: nil
        case .array(let elements):
            elements.enumerated().lazy.compactMap { $0.element.firstNull(at: path.element($0.offset)) }.first
        case .object(let members):
            members.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.firstNull(at: path.member($0.key)) }.first
        }
    }
}

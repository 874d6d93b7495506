internal import DeviceModel
internal import Gateway
internal import Hummingbird

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
        let json = try Self.json(try await request.body())
        guard case .object(let members) = json, case .array(let elements) = members["faults"], members.count == 1 else {
            throw AdminError.badRequest("The body must be an object with 'faults', a list of rules and scenarios.")
        }
        var rules: [FaultRule] = []
        for (index, element) in elements.enumerated() {
            rules += try Self.rules(element, at: FieldPath([.member("faults"), .element(index)]))
        }
        try named { () throws(FaultPlan.NameIsTaken) in try gateway.faults.replace(rules, at: gateway.now()) }
        return Response(json: list(gateway.faults.statuses))
    }

    private func add(_ request: AdminRequest) async throws -> Response {
        let json = try Self.json(try await request.body())
        let rules = try Self.rules(json, at: FieldPath())
        let names = Set(rules.map(\.name))
        if case .object(let members) = json, members["scenario"] != nil {
            // Applied once more, a scenario begins again.
            gateway.faults.remove { names.contains($0.name) }
        }
        try named { () throws(FaultPlan.NameIsTaken) in try gateway.faults.add(rules, at: gateway.now()) }
        return Response(
            json: list(gateway.faults.statuses.filter { names.contains($0.rule.name) }), status: .created)
    }

    private func named(_ body: () throws(FaultPlan.NameIsTaken) -> Void) throws(AdminError) {
        do throws(FaultPlan.NameIsTaken) {
            try body()
        } catch {
            throw .conflict(
                "There is a fault rule '\(error.name.prefix(200))' already; remove it with DELETE "
                    + "/api/v1/faults/{name}, or give this one another name.")
        }
    }

    private static func json(_ body: [UInt8]) throws(AdminError) -> JSONValue {
        if case .invalid(let problem) = PayloadScan(body.span.bytes) {
            throw .badRequest("The body is \(problem.message).")
        }
        guard let json = JSONValue(body.span.bytes), case .object = json else {
            throw .badRequest("The body must be a JSON object.")
        }
        return json
    }

    private static func rules(_ json: JSONValue, at path: FieldPath) throws(AdminError) -> [FaultRule] {
        do throws(FieldError) {
            return try FaultRule.rules(from: json, at: path)
        } catch {
            throw AdminError(error)
        }
    }

    private func list(_ statuses: [FaultPlan.Status]) -> JSONTree {
        ["faults": .array(statuses.map(Self.json)), "seed": .integer(gateway.seed)]
    }

    private static func json(_ status: FaultPlan.Status) -> JSONTree {
        JSONTree(status.rule.json).adding([
            "matched": .integer(status.matched), "fired": .integer(status.fired), "setAt": .time(status.setAt),
        ])
    }

    private static func json(_ scenario: FaultScenario) -> JSONTree {
        [
            "id": scenario.id.map { .string($0) }, "name": .string(scenario.name),
            "summary": .string(scenario.summary), "rules": .array(scenario.rules.map { JSONTree($0.json) }),
        ]
    }
}

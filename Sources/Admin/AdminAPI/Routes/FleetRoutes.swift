internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON

extension AdminAPI {
    var fleetEndpoints: [Endpoint] {
        [
            Endpoint(
                .post, "/devices/generate", .devices, "Create many devices, all or none", id: "generateDevices",
                about: """
                    The devices are named after the prefix: `fleet-000001`, `fleet-000002`, and so on. Each has an
                    active token for each of `apps`, derived as for `POST /devices/{name}/registrations`. A device is
                    in at most one part of `conditions`; the parts have their shares exactly, to the rounding, and
                    `seed` decides which devices are in them. If one of the devices exists, or there is no room for all
                    (`inbox.devices`), the answer is 409.
                    """,
                body: .required("NewFleet"), answer: "All of them were created.", status: .created, errors: [409]
            ) { request in
                let draft = try FleetDraft(try await request.members(isNeeded: true), gateway)
                try await gateway.simulator.generate(draft.fleet, at: gateway.now())
                return draft.answer
            },
            Endpoint(
                .delete, "/devices", .devices, "Delete the devices whose names begin with a prefix",
                id: "deleteDevices", answers: [.removed], query: ["prefix"]
            ) { request in
                guard let prefix = request.query["prefix"] else {
                    throw AdminError.badRequest(
                        "The query parameter 'prefix' is missing: it selects devices by the beginning of their names. To "
                            + "delete all devices, POST /api/v1/reset.")
                }
                let count = await gateway.simulator.deleteDevices(withPrefix: prefix)
                gateway.cancelForgottenExtensions()
                return Response(removed: count)
            },
        ]
    }
}

/// A fleet in a request body.
private struct FleetDraft: Sendable {
    let fleet: Fleet
    let answer: FleetAnswer

    static let maximumCount = 10_000_000
    static let maximumPartCount = 100

    init(_ members: JSONObject, _ gateway: Gateway) throws {
        let body = MemberReader(
            .object(members), accepting: ["count", "prefix", "seed", "apps", "environment", "conditions"],
            refusesNull: true)
        let count = body.required("count", .integer(in: 1...Self.maximumCount)) ?? 1
        let prefix = body.value("prefix", .name) ?? "fleet"
        let seed = body.value("seed", .integer(in: 0...UInt64(1) << 53)) ?? gateway.seed
        let apps = body.value("apps", .list(.topic, count: (0...100, "at most 100"))) ?? []
        let environment = body.value("environment", .word(APNsEnvironment.self))
        let parts = try body.objects("conditions").map { try Self.part($0, gateway.simulator) }
        body.report(Self.problems(prefix: prefix, apps: apps, shares: parts.map(\.share)))
        try body.finish()
        let uses = apps.map { topic in
            TokenRequest(
                device: "", topic: topic, environment: environment ?? gateway.settings.defaultEnvironment,
                kind: TokenKind(topic: topic))
        }
        let assignment = Gateway.assignment(of: count, by: parts.map(\.share), seed: seed)
        fleet = Fleet(prefix: prefix, uses: uses, parts: parts.map(\.part), assignment: assignment)
        var counts = [Int](repeating: 0, count: parts.count + 1)
        for part in assignment { counts[Int(part)] += 1 }
        answer = FleetAnswer(
            count: count, first: Fleet.name(prefix, 1), last: Fleet.name(prefix, count), seed: seed,
            conditions: zip(parts, counts.dropFirst()).map { FleetAnswer.Part(share: $0.share, count: $1) })
    }

    private static func part(
        _ member: MemberReader, _ simulator: DeviceSimulator
    ) throws -> (share: Double, part: Fleet.Part) {
        let share = member.required("share", .share) ?? 0
        let apps = member.object("apps")?.members ?? [:]
        var part = Fleet.Part(simulator.plainConditions)
        do throws(FieldError) {
            try part.conditions.apply(.object(member.members), besides: ["share", "apps"], at: member.path)
            part.settings = try DeviceEdit.newSettings(apps, simulator, at: member.path)
        } catch {
            member.report(error.problems)
        }
        return (share, part)
    }

    private static func problems(prefix: String, apps: [String], shares: [Double]) -> [FieldProblem] {
        var problems: [FieldProblem] = []
        func report(_ place: FieldPath, _ found: String, _ accepted: String) {
            problems.append(FieldProblem(place, found, "accepted: \(accepted)"))
        }
        if !DeviceName.isValid(Fleet.name(prefix, maximumCount)) {
            let rule = "a text with which prefix-10000000 has \(DeviceName.rule)"
            report(FieldPath().member("prefix"), "does not fit into a name", rule)
        }
        for (index, app) in apps.enumerated() where apps[..<index].contains(app) {
            report(FieldPath().member("apps").element(index), "repeats \(app)", "each topic once")
        }
        let (sum, conditions) = (shares.reduce(0, +), FieldPath().member("conditions"))
        if sum > 1 + 1e-9 {
            report(conditions, "has shares with the sum \(sum)", "at most 1; a device is in one part")
        }
        if shares.count > maximumPartCount {
            report(conditions, "has \(shares.count) parts", "at most \(maximumPartCount)")
        }
        return problems
    }
}

struct FleetAnswer: APIShape {
    var count: Int
    var first: String
    var last: String
    var seed: UInt64
    var conditions: [Part]

    static let shape = Shape([
        "count": .positive(),
        "first": .filled("The name of the first device."),
        "last": .filled(),
    ])

    struct Part: APIShape {
        var share: Double
        var count: Int

        static let shape = Shape([
            "share": .with("minimum: 0, maximum: 1"),
            "count": "How many devices are in the part.",
        ])
    }
}

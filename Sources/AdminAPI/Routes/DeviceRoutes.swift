internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// Simulated devices.
struct DeviceRoutes: Sendable {
    let gateway: Gateway

    /// What a device may be written with; the rest of what reading gives is ignored, so that it can be written back.
    private static let fields = ["registrations", "name", "createdAt", "notificationCount", "droppedCount", "counts"]

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/devices", query: ["limit", "cursor"], list),
            Endpoint(.get, "/devices/{name}") { request in
                Response(json: JSONTree(try device(request)))
            },
            Endpoint(.put, "/devices/{name}", put),
            Endpoint(.patch, "/devices/{name}", patch),
            Endpoint(.delete, "/devices/{name}") { request in
                let isRemoved = gateway.simulator.deleteDevice(named: try request.parameter("name"))
                return Response(json: ["removed": .integer(isRemoved ? 1 : 0)])
            },
        ]
    }

    private func list(_ request: AdminRequest) throws -> Response {
        let limit = try request.query.integer("limit", in: 1...1000) ?? 100
        let page = gateway.simulator.devicePage(after: request.query["cursor"], limit: limit)
        return Response(json: [
            "devices": .array(page.devices.map { JSONTree($0) }),
            "next": page.next.map { .string($0) },
        ])
    }

    /// Makes a device; with `registrations`, these are the active ones afterwards.
    private func put(_ request: AdminRequest) async throws -> Response {
        let name = try Self.checkedName(try request.parameter("name"))
        let registrations = try await readRegistrations(request, name)
        let isKnown = gateway.simulator.device(named: name) != nil
        let now = gateway.now()
        try simulated { () throws(SimulatorError) in try gateway.simulator.addDevice(named: name, at: now) }
        if let registrations {
            let kept = try registrations.map { try $0.register(on: name, gateway, at: now).token }
            for registration in gateway.simulator.device(named: name)?.registrations ?? []
            where registration.status == .active && !kept.contains(registration.token) {
                gateway.simulator.unregister(registration.token, at: now)
            }
        }
        return Response(json: JSONTree(try device(request)), status: isKnown ? .ok : .created)
    }

    /// Adds registrations to a device.
    private func patch(_ request: AdminRequest) async throws -> Response {
        let name = try device(request).name
        let registrations = try await readRegistrations(request, name)
        for registration in registrations ?? [] { _ = try registration.register(on: name, gateway, at: gateway.now()) }
        return Response(json: JSONTree(try device(request)))
    }

    private func readRegistrations(_ request: AdminRequest, _ name: String) async throws -> [RegistrationDraft]? {
        let object = try await request.object(accepting: Self.fields)
        if let other = try object.string("name"), other != name {
            throw AdminError.badRequest(
                "'name' is '\(other.prefix(60))', but the path says '\(name)'; names do not change.")
        }
        let objects = try object.objects("registrations", accepting: RegistrationDraft.fields)
        return try objects?.map { try RegistrationDraft($0, gateway) }
    }

    private func device(_ request: AdminRequest) throws(AdminError) -> DeviceSummary {
        try gateway.device(named: try request.parameter("name"))
    }

    /// A name that fits in a path and on a line.
    static func checkedName(_ name: String) throws(AdminError) -> String {
        let isPrintable = name.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }
        guard (1...128).contains(name.utf8.count), isPrintable else {
            throw .badRequest("A device's name has 1 to 128 bytes without '/' and control characters.")
        }
        return name
    }
}

extension Gateway {
    /// A device that must be there.
    func device(named name: String) throws(AdminError) -> DeviceSummary {
        guard let device = simulator.device(named: name) else {
            throw .notFound("There is no device '\(name.prefix(128))'; make it with PUT /api/v1/devices/{name}.")
        }
        return device
    }
}

/// Runs something that the simulator may refuse.
@discardableResult
func simulated<Result>(_ body: () throws(SimulatorError) -> Result) throws(AdminError) -> Result {
    do throws(SimulatorError) {
        return try body()
    } catch {
        throw .conflict("The simulator refuses: \(error.message).")
    }
}

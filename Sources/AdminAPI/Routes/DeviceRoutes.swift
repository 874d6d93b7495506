internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// Simulated devices.
struct DeviceRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/devices", query: ["limit", "cursor"], list),
            Endpoint(.get, "/devices/{name}") { request in
                try answer(try device(request).name)
            },
            Endpoint(.put, "/devices/{name}", put),
            Endpoint(.patch, "/devices/{name}", patch),
            Endpoint(.delete, "/devices/{name}") { request in
                defer { gateway.cancelForgottenExtensions() }
                let isRemoved = gateway.simulator.deleteDevice(named: try request.deviceName())
                return Response(json: ["removed": .integer(isRemoved ? 1 : 0)])
            },
        ]
    }

    private func list(_ request: AdminRequest) throws -> Response {
        let limit = try request.limit()
        let page = gateway.simulator.devicePage(after: request.query["cursor"], limit: limit)
        return Response(json: [
            "devices": .array(page.devices.map { JSONValue($0) }),
            "next": page.next.map { .string($0) },
        ])
    }

    /// Makes a device, or puts one in the conditions of a new one but for what the body names.
    private func put(_ request: AdminRequest) async throws -> Response {
        let name = try request.deviceName()
        let edit = try DeviceEdit(try await request.members(), .replace, of: name, gateway)
        let isKnown = gateway.simulator.device(named: name) != nil
        let now = gateway.now()
        try simulated { () throws(SimulatorError) in try gateway.simulator.addDevice(named: name, at: now) }
        try edit.perform(gateway, at: now)
        if let registrations = edit.registrations {
            let kept = try registrations.map { try $0.register(on: name, gateway, at: now).token }
            for registration in gateway.simulator.device(named: name)?.registrations ?? []
            where registration.status == .active && !kept.contains(registration.token) {
                gateway.simulator.unregister(registration.token, at: now)
            }
        }
        return try answer(name, status: isKnown ? .ok : .created)
    }

    /// Changes what the body names, and adds registrations.
    private func patch(_ request: AdminRequest) async throws -> Response {
        let name = try device(request).name
        let edit = try DeviceEdit(try await request.members(), .merge, of: name, gateway)
        let now = gateway.now()
        try edit.perform(gateway, at: now)
        for registration in edit.registrations ?? [] { _ = try registration.register(on: name, gateway, at: now) }
        return try answer(name)
    }

    /// Everything about a device.
    private func answer(_ name: String, status: HTTPResponse.Status = .ok) throws(AdminError) -> Response {
        let device = try gateway.device(named: name)
        let conditions = gateway.simulator.conditions(of: name) ?? gateway.simulator.plainConditions
        let apps = gateway.simulator.appsOnDevice(name)
        return Response(
            json: JSONValue(device).adding(conditions.json).adding([
                "apps": .object(JSONObject(apps.map { ($0.app.bundleID, JSONValue($0)) }))
            ]), status: status)
    }

    private func device(_ request: AdminRequest) throws(AdminError) -> DeviceSummary {
        try gateway.device(named: try request.deviceName())
    }
}

extension Gateway {
    func device(named name: String) throws(AdminError) -> DeviceSummary {
        guard let device = simulator.device(named: name) else {
            throw .notFound("There is no device '\(name.prefix(128))'; create it with PUT /api/v1/devices/{name}.")
        }
        return device
    }
}

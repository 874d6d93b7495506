internal import APNs
internal import DeviceModel
package import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
package import JSON

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
                return Response(RemovedAnswer(removed: isRemoved ? 1 : 0))
            },
        ]
    }

    private func list(_ request: AdminRequest) throws -> Response {
        let limit = try request.limit()
        let page = gateway.simulator.devicePage(after: request.query["cursor"], limit: limit)
        return Response(DevicesAnswer(devices: page.devices.map { DeviceAnswer($0) }, next: page.next))
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
            json: JSONValue(DeviceAnswer(device)).adding(conditions.json).adding([
                "apps": .object(
                    JSONObject(
                        apps.map { ($0.app.bundleID, $0.settings.json.adding(JSONValue(AppOnDeviceAnswer($0)))) }))
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

/// Device tokens: issued, taken back, made old.
struct RegistrationRoutes: Sendable {
    let gateway: Gateway

    private static let path = "/devices/{name}/registrations"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path) { request in
                let device = try gateway.device(named: try request.deviceName())
                return Response(
                    RegistrationsAnswer(registrations: device.registrations.map { RegistrationAnswer($0) }))
            },
            Endpoint(.post, Self.path) { request in
                let name = try request.deviceName()
                let edit = try RegistrationEdit(try await request.description())
                let registration = try edit.register(on: name, gateway, at: gateway.now())
                return Response(RegistrationAnswer(registration), status: .created)
            },
            Endpoint(.get, Self.path + "/{token}") { request in
                Response(RegistrationAnswer(try registration(request)))
            },
            Endpoint(.patch, Self.path + "/{token}") { request in
                let known = try registration(request)
                let body = try await request.object(accepting: ["status"])
                let word = body.value("status", .word(RegistrationWord.self))
                try body.finish()
                return Response(RegistrationAnswer(word?.apply(to: known.token, gateway, at: gateway.now()) ?? known))
            },
            Endpoint(.delete, Self.path + "/{token}") { request in
                let known = try registration(request)
                defer { gateway.cancelForgottenExtensions() }
                let gone = try simulated { () throws(SimulatorError) in
                    try gateway.simulator.remove(known.token, at: gateway.now())
                }
                return Response(RegistrationAnswer(gone ?? known))
            },
        ]
    }

    /// The registration that the path names; it must be the device's.
    private func registration(_ request: AdminRequest) throws -> Registration {
        let device = try gateway.device(named: try request.deviceName())
        let token = try request.parameter("token", .deviceToken)
        guard let registration = gateway.simulator.registration(of: token), registration.device == device.name else {
            throw AdminError.notFound("Device '\(device.name)' has no token '\(token.redacted)…'.")
        }
        return registration
    }
}

package struct DevicesAnswer: APIShape {
    package var devices: [DeviceAnswer]
    package var next: String?
}

/// A device in a list.
package struct DeviceAnswer: APIShape {
    package var name: String
    package var createdAt: String
    package var registrations: [RegistrationAnswer]
    package var notificationCount: Int
    package var storedCount: Int
    package var droppedCount: Int
    package var eventCount: UInt64
    package var counts: DeliveryCounts

    init(_ device: DeviceSummary) {
        name = device.name
        createdAt = device.createdAt.text
        registrations = device.registrations.map { RegistrationAnswer($0) }
        notificationCount = device.inboxCount
        storedCount = device.storedCount
        droppedCount = device.counts.dropped
        eventCount = device.eventCount
        counts = device.counts
    }
}

/// What an app has on a device, behind its settings there.
package struct AppOnDeviceAnswer: APIShape {
    package var badgeCount: Int
    package var prompt: String?
    package var isTerminated: Bool
    package var categories: [JSONValue]?

    init(_ app: AppOnDevice) {
        badgeCount = app.badge
        prompt = app.prompt?.rawValue
        isTerminated = app.isTerminated
        categories = app.hasOwnCategories ? app.app.categories.map(\.json) : nil
    }
}

package struct RegistrationsAnswer: APIShape {
    package var registrations: [RegistrationAnswer]
}

package struct RegistrationAnswer: APIShape {
    package var token: String
    package var device: String
    package var topic: String
    package var environment: String
    package var kind: String
    package var status: String
    /// Since when it is not active.
    package var since: String?
    package var registeredAt: String

    init(_ registration: Registration) {
        token = registration.token.hex
        device = registration.device
        topic = registration.topic
        environment = registration.environment.rawValue
        kind = registration.kind.rawValue
        status = RegistrationWord(registration.status).rawValue
        since =
            switch registration.status {
            case .active: nil
            case .unregistered(let since), .expired(let since): since.text
            }
        registeredAt = registration.registeredAt.text
    }
}

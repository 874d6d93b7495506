internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// Device tokens: issued, taken back, made old.
struct RegistrationRoutes: Sendable {
    let gateway: Gateway

    private static let path = "/devices/{name}/registrations"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path) { request in
                let device = try gateway.device(named: try request.deviceName())
                return Response(json: ["registrations": .array(device.registrations.map { JSONValue($0) })])
            },
            Endpoint(.post, Self.path) { request in
                let name = try request.deviceName()
                let edit = try RegistrationEdit(try await request.description())
                let registration = try edit.register(on: name, gateway, at: gateway.now())
                return Response(json: JSONValue(registration), status: .created)
            },
            Endpoint(.get, Self.path + "/{token}") { request in
                Response(json: JSONValue(try registration(request)))
            },
            Endpoint(.patch, Self.path + "/{token}") { request in
                let known = try registration(request)
                let body = try await request.object(accepting: ["status"])
                let word = body.value("status", .word(RegistrationWord.self))
                try body.finish()
                return Response(json: JSONValue(word?.apply(to: known.token, gateway, at: gateway.now()) ?? known))
            },
            Endpoint(.delete, Self.path + "/{token}") { request in
                let known = try registration(request)
                defer { gateway.cancelForgottenExtensions() }
                let gone = try simulated { () throws(SimulatorError) in
                    try gateway.simulator.remove(known.token, at: gateway.now())
                }
                return Response(json: JSONValue(gone ?? known))
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

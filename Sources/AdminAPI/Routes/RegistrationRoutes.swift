internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird

/// Device tokens: issued, taken back, made old.
struct RegistrationRoutes: Sendable {
    let gateway: Gateway

    private static let path = "/devices/{name}/registrations"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path) { request in
                let device = try gateway.device(named: try request.deviceName())
                return Response(json: ["registrations": .array(device.registrations.map { JSONTree($0) })])
            },
            Endpoint(.post, Self.path) { request in
                let name = try request.deviceName()
                let object = try await request.object(accepting: RegistrationDraft.fields)
                let draft = try RegistrationDraft(object, gateway)
                let registration = try draft.register(on: name, gateway, at: gateway.now())
                return Response(json: JSONTree(registration), status: .created)
            },
            Endpoint(.get, Self.path + "/{token}") { request in
                Response(json: JSONTree(try registration(request)))
            },
            Endpoint(.patch, Self.path + "/{token}") { request in
                let known = try registration(request)
                let object = try await request.object(accepting: ["status"])
                let word = try object.choice("status", RegistrationWord.self)
                return Response(json: JSONTree(word?.apply(to: known.token, gateway, at: gateway.now()) ?? known))
            },
            Endpoint(.delete, Self.path + "/{token}") { request in
                let known = try registration(request)
                defer { gateway.cancelForgottenExtensions() }
                let gone = try simulated { () throws(SimulatorError) in
                    try gateway.simulator.remove(known.token, at: gateway.now())
                }
                return Response(json: JSONTree(gone ?? known))
            },
        ]
    }

    /// The registration that the path names; it must be the device's.
    private func registration(_ request: AdminRequest) throws(AdminError) -> Registration {
        let device = try gateway.device(named: try request.deviceName())
        let token = try checkedToken(try request.parameter("token"), field: "token")
        guard let registration = gateway.simulator.registration(of: token), registration.device == device.name else {
            throw .notFound("Device '\(device.name)' has no token '\(token.redacted)…'.")
        }
        return registration
    }
}

internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import JSON
internal import Time

extension AdminAPI {
    var registrationEndpoints: [Endpoint] {
        let path = "/devices/{name}/registrations"
        return [
            Endpoint(
                .get, path, .devices, "A device's tokens, including former ones", id: "registrations",
                answer: "The registrations, oldest first.", errors: [404]
            ) { request in
                let device = try self.device(request)
                return RegistrationsAnswer(
                    registrations: device.registrations.map { RegistrationAnswer($0) },
                    forgottenCount: device.forgottenTokenCount)
            },
            Endpoint(
                .post, path, .devices, "Register an app for pushes, which issues a device token", id: "register",
                about: """
                    Creates the device if it does not exist. Returns the active registration for the same topic,
                    environment and kind, if there is one. Without `token`, the token is derived from device, topic,
                    environment and kind, so it is the same in every run.
                    """,
                body: .required("NewRegistration"), answer: "The registration.", status: .created, errors: [409]
            ) { request in
                let name = try request.deviceName()
                let edit = try RegistrationEdit(try await request.description())
                return RegistrationAnswer(try edit.register(on: name, gateway, at: gateway.now()))
            },
            Endpoint(
                .get, path + "/{token}", .devices, "One registration", id: "registration",
                answer: "The registration.", errors: [404]
            ) { request in RegistrationAnswer(try registration(request)) },
            Endpoint(
                .patch, path + "/{token}", .devices, "Make a token active, unregistered or expired",
                id: "patchRegistration", body: .optional("RegistrationEdit"), answer: "The registration.", errors: [404]
            ) { request in
                let known = try registration(request)
                // A client can send an answer back.
                let others = RegistrationAnswer.rows.map(\.name).filter { $0 != "status" }
                let body = MemberReader(try await request.description(without: others), accepting: ["status"])
                let status = body.value("status", .word(RegistrationStatus.Kind.self))
                try body.finish()
                let changed = status.flatMap { gateway.simulator.setStatus($0, of: known.token, at: gateway.now()) }
                return RegistrationAnswer(changed ?? known)
            },
            Endpoint(
                .delete, path + "/{token}", .devices,
                "Unregister a token and uninstall the app; later pushes to the token are answered 410 Unregistered",
                id: "unregister",
                about: """
                    Removes the app's notifications, badge, settings, stored pushes and all its tokens. If another
                    active token for the app's own topic remains, only this token is unregistered.
                    """,
                answer: "The registration.", errors: [404]
            ) { request in
                let known = try registration(request)
                defer { gateway.cancelForgottenExtensions() }
                return RegistrationAnswer(try gateway.simulator.remove(known.token, at: gateway.now()) ?? known)
            },
        ]
    }

    private func registration(_ request: AdminRequest) throws -> Registration {
        let device = try self.device(request)
        let token = try request.parameter("token", .deviceToken)
        guard let registration = gateway.simulator.registration(of: token), registration.device == device.name else {
            throw AdminError.notFound("Device '\(device.name)' has no token '\(token.redacted)…'.")
        }
        return registration
    }
}

struct RegistrationEdit: Sendable {
    let draft: RegistrationDraft
    let status: RegistrationStatus.Kind

    /// `status`, and read-only members, ignored so that a client can send a response back.
    private static let others = ["status", "device", "since", "registeredAt", "subject"]

    init(_ json: JSONValue, at path: FieldPath = FieldPath()) throws(FieldError) {
        draft = try RegistrationDraft(json: json, besides: Self.others, at: path)
        let reader = MemberReader(json, at: path)
        status = reader.value("status", .word()) ?? .active
        try reader.finish()
    }

    func use(on device: String, _ gateway: Gateway) -> TokenRequest {
        var use = draft.use(on: device, in: gateway.settings.defaultEnvironment)
        // The token of an activity or control, written back.
        let known = draft.token.flatMap { gateway.simulator.registration(of: $0) }
        if let known, known.device == device { use.subject = known.subject }
        return use
    }

    func register(on device: String, _ gateway: Gateway, at now: Instant) throws(SimulatorError) -> Registration {
        let use = use(on: device, gateway)
        // A known inactive token keeps its `since`; only the device issues tokens of activities and controls.
        if let token = draft.token, status != .active || use.subject != nil,
            gateway.simulator.registration(of: token) != nil
        {
            var check = RegistrationCheck(gateway.simulator)
            try check.add(token, for: use, isActive: false)
            if let known = gateway.simulator.setStatus(status, of: token, at: now) { return known }
        }
        let registration = try gateway.simulator.register(
            device: device, topic: use.topic, environment: use.environment, kind: use.kind, token: draft.token,
            isFormer: draft.token != nil && status != .active, at: now)
        guard status != .active else { return registration }
        return gateway.simulator.setStatus(status, of: registration.token, at: now) ?? registration
    }
}

struct RegistrationsAnswer: APIShape {
    var registrations: [RegistrationAnswer]
    var forgottenCount: Int

    static let shape = Shape([
        "forgottenCount": "How many tokens of ended activities, removed controls and the like APNs has forgotten."
    ])
}

struct RegistrationAnswer: AnswerTable {
    let source: Registration

    static let rows: [Row<Registration>] = [
        Row("token", \.token),
        Row("device", \.device, .with("minLength: 1, maxLength: 128")),
        Row("topic", \.topic, .ref("Topic")),
        Row("environment", \.environment),
        Row("kind", \.kind),
        Row("subject", \.subject, "The activity or control that the token belongs to."),
        Row("status", \.status.kind),
        Row("since", \.status.since),
        Row("registeredAt", \.registeredAt),
    ]
}

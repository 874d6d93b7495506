internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import JSON

/// A registration of a request: what it is for, and the status that it is to have.
struct RegistrationEdit: Sendable {
    let draft: RegistrationDraft
    let status: RegistrationWord

    /// `status`, and what only reading gives: ignored, so that it can be written back.
    private static let others = ["status", "device", "since", "registeredAt"]

    init(_ json: JSONValue, at path: FieldPath = FieldPath()) throws(FieldError) {
        var draft = RegistrationDraft()
        try draft.apply(json, besides: Self.others, at: path)
        let reader = MemberReader(json, at: path)
        status = reader.value("status", .word()) ?? .active
        try reader.finish()
        self.draft = draft
    }

    func use(on device: String, _ gateway: Gateway) -> TokenRequest {
        draft.use(on: device, in: gateway.settings.defaultEnvironment)
    }

    /// Registers, and sets the status.
    func register(on device: String, _ gateway: Gateway, at now: Instant) throws(AdminError) -> Registration {
        let use = use(on: device, gateway)
        // A known token keeps the time since when.
        if let token = draft.token, status != .active, gateway.simulator.registration(of: token) != nil {
            try simulated { () throws(SimulatorError) in
                var check = RegistrationCheck(gateway.simulator)
                try check.add(token, for: use, isActive: false)
            }
            if let known = status.apply(to: token, gateway, at: now) { return known }
        }
        let registration = try simulated { () throws(SimulatorError) in
            try gateway.simulator.register(
                device: device, topic: use.topic, environment: use.environment, kind: use.kind, token: draft.token,
                isFormer: draft.token != nil && status != .active, at: now)
        }
        guard status != .active else { return registration }
        return status.apply(to: registration.token, gateway, at: now) ?? registration
    }
}

/// A registration's status in JSON.
enum RegistrationWord: String, CaseIterable, Sendable {
    case active, unregistered, expired

    /// Sets a token's status, unless it has it already.
    func apply(to token: DeviceToken, _ gateway: Gateway, at now: Instant) -> Registration? {
        let simulator = gateway.simulator
        guard let registration = simulator.registration(of: token) else { return nil }
        // The time since when is part of the answer to a push, so saying it twice must not move it.
        if Self(registration.status) == self { return registration }
        return switch self {
        case .active: simulator.reactivate(token, at: now)
        case .unregistered: simulator.unregister(token, at: now)
        case .expired: simulator.expire(token, at: now)
        }
    }

    init(_ status: RegistrationStatus) {
        switch status {
        case .active: self = .active
        case .unregistered: self = .unregistered
        case .expired: self = .expired
        }
    }
}

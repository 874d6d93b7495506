internal import APNs
internal import DeviceSimulator
internal import Gateway

/// A registration as it is asked for.
struct RegistrationDraft: Sendable {
    var topic: String
    var environment: APNsEnvironment
    var kind: TokenKind
    var token: DeviceToken?
    var status: RegistrationWord

    /// The members that are understood; what only reading gives is ignored, so that it can be written back.
    static let fields = ["topic", "environment", "kind", "token", "status", "device", "since", "registeredAt"]

    init(_ object: RequestObject, _ gateway: Gateway) throws(AdminError) {
        topic = try object.topic("topic")
        environment =
            try object.choice("environment", APNsEnvironment.self) ?? gateway.settings.defaultEnvironment
        kind = try object.choice("kind", TokenKind.self) ?? TokenKind(topic: topic)
        token = try object.deviceToken("token")
        status = try object.choice("status", RegistrationWord.self) ?? .active
        guard let proper = kind.properTopic(insteadOf: topic) else { return }
        throw .badRequest("'kind' is '\(kind.rawValue)', which goes with the topic '\(proper)', not '\(topic)'.")
    }

    /// Refuses a token that belongs to another registration, before anything has changed.
    func check(on device: String, _ gateway: Gateway) throws(AdminError) {
        guard let token, let known = gateway.simulator.registration(of: token) else { return }
        guard known.use == use(on: device) else {
            throw AdminError(.tokenTaken(device: known.device))
        }
    }

    /// Refuses another token that is to be active for the same use, as registering it would unregister the first one.
    func check(beside others: [RegistrationDraft], on device: String) throws(AdminError) {
        guard status == .active, let token else { return }
        let use = use(on: device)
        for other in others where other.status == .active && other.use(on: device) == use {
            if let first = other.token, first != token { throw AdminError(.twoTokens(first, token, for: use)) }
        }
    }

    private func use(on device: String) -> TokenRequest {
        TokenRequest(device: device, topic: topic, environment: environment, kind: kind)
    }

    /// Registers, and sets the status.
    func register(on device: String, _ gateway: Gateway, at now: Instant) throws(AdminError) -> Registration {
        // A known token keeps the time since when.
        if let token, status != .active, gateway.simulator.registration(of: token) != nil {
            try check(on: device, gateway)
            if let known = status.apply(to: token, gateway, at: now) { return known }
        }
        let registration = try simulated { () throws(SimulatorError) in
            try gateway.simulator.register(
                device: device, topic: topic, environment: environment, kind: kind, token: token,
                isFormer: token != nil && status != .active, at: now)
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

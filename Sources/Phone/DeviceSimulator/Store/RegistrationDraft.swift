package import APNs
internal import DeviceModel
package import Fields

/// A registration as given in a file or a request.
package struct RegistrationDraft: FieldDescribed, Hashable {
    package var topic = ""
    /// nil for the gateway's default.
    package var environment: APNsEnvironment?
    /// nil derives it from the topic.
    package var kind: TokenKind?
    /// nil derives it.
    package var token: DeviceToken?

    package init() {}

    package static let fields: [Field<RegistrationDraft>] = [
        Field("topic", \.topic, .topic, "The topic that the token is valid for.").required,
        Field("environment", \.environment, .optional(.word()), "The environment that the token is valid for."),
        Field("kind", \.kind, .optional(.word()), "What the token is used for; follows from the topic unless given."),
        Field("token", \.token, .optional(.deviceToken), "The token; derived unless given."),
    ]

    package static let checks: [FieldCheck<RegistrationDraft>] = [
        FieldCheck { draft in
            guard let kind = draft.kind, let proper = kind.properTopic(insteadOf: draft.topic) else { return [] }
            let found = "is \"\(kind.rawValue)\", which goes with the topic \(proper), not \(draft.topic)"
            return [FieldProblem(FieldPath().member("kind"), found, "accepted: the kind of the topic's suffix")]
        }
    ]

    package func use(on device: String, in environment: APNsEnvironment) -> TokenRequest {
        TokenRequest(
            device: device, topic: topic, environment: self.environment ?? environment,
            kind: kind ?? TokenKind(topic: topic))
    }
}

/// Checks, before any change, that given tokens contradict neither each other nor existing registrations.
package struct RegistrationCheck {
    private let simulator: DeviceSimulator
    private var uses: [DeviceToken: TokenRequest] = [:]
    private var tokens: [TokenRequest: DeviceToken] = [:]

    package init(_ simulator: DeviceSimulator) { self.simulator = simulator }

    /// - Parameter isActive: whether the token replaces the active one for its use.
    /// - Throws: `tokenTaken` or `twoTokens`.
    package mutating func add(
        _ token: DeviceToken, for use: TokenRequest, isActive: Bool = true
    ) throws(SimulatorError) {
        let known = uses[token] ?? simulator.registration(of: token)?.use
        if let known, known != use { throw .tokenTaken(device: known.device) }
        uses[token] = use
        // Former push-to-start tokens stay active.
        guard isActive, use.kind != .pushtostart else { return }
        // Registering the second would unregister the first.
        if let first = tokens.updateValue(token, forKey: use), first != token {
            throw .twoTokens(first, token, for: use)
        }
    }
}

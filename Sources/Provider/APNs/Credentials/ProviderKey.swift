/// The properties of a key that signs provider tokens, without its bytes.
public struct ProviderKey: Hashable, Sendable, Codable {
    /// `kid`: ten characters.
    public var keyID: String
    /// `iss`: ten characters.
    public var teamID: String
    /// Keys created before 2025 work in both.
    public var environments: Set<APNsEnvironment>
    public var scope: Scope
    /// Another topic-specific key that may be used on the same connection.
    public var relatedKeyID: String?

    public enum Scope: Hashable, Sendable, Codable {
        case team
        /// These topics, with or without a push type's suffix.
        case topics(Set<String>)
    }

    public init(
        keyID: String, teamID: String, environments: Set<APNsEnvironment> = [.sandbox, .production],
        scope: Scope = .team,
        relatedKeyID: String? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.environments = environments
        self.scope = scope
        self.relatedKeyID = relatedKeyID
    }

    public func checkEnvironment(_ environment: APNsEnvironment) throws(APNsRejection) {
        guard !environments.contains(environment) else { return }
        throw APNsRejection(
            .badEnvironmentKeyInToken, "key.environment",
            "Key \(keyID) works in \(environments.map(\.rawValue).sorted().joined(separator: ", ")) only; the request "
                + "went to \(environment.rawValue).")
    }

    public func checkTopic(_ topic: String) throws(APNsRejection) {
        guard case .topics(let topics) = scope else { return }
        guard !topics.contains(topic), !topics.contains(TopicRules.bundleID(of: topic)) else { return }
        throw APNsRejection(
            .topicDisallowed, "key.topic",
            "Key \(keyID) is for \(topics.sorted().joined(separator: ", ")); the push is for '\(topic)'.")
    }
}

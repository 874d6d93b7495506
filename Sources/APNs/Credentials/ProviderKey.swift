/// A key that provider tokens are signed with, without its bytes.
public struct ProviderKey: Hashable, Sendable, Codable {
    /// `kid`: ten characters.
    public var keyID: String
    /// `iss`: ten characters.
    public var teamID: String
    /// Where the key may be used; keys from before 2025 work in both.
    public var environments: Set<APNsEnvironment>
    public var scope: Scope
    /// Another topic-specific key that may be used on the same connection.
    public var relatedKeyID: String?

    /// Which topics a key may push to.
    public enum Scope: Hashable, Sendable, Codable {
        /// All topics of the team.
        case team
        /// These topics, and theirs with a push type's suffix.
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

    /// Refuses a topic outside the key's scope.
    public func checkTopic(_ topic: String) throws(APNsRejection) {
        guard case .topics(let topics) = scope else { return }
        guard !topics.contains(topic), !topics.contains(TopicRules.bundleID(of: topic)) else { return }
        throw APNsRejection(
            .topicDisallowed,
            Diagnosis(
                "key.topic",
                "Key \(keyID) is for \(topics.sorted().joined(separator: ", ")); the push is for '\(topic)'."))
    }
}

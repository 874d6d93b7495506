/// What the first accepted token binds a connection to (Apple, "Establishing a token-based connection to APNs").
public enum ConnectionBinding: Sendable {
    case unbound
    case bound(keyID: String, teamID: String, key: ProviderKey?)

    /// Binds the connection to its first token; rejects a later token that may not share it.
    /// - Parameter key: nil when the key is unknown and tolerated.
    public mutating func admit(
        keyID: String, teamID: String, key: ProviderKey?, policy: TokenPolicy
    ) throws(APNsRejection) {
        guard case .bound(let firstKeyID, let firstTeamID, let firstKey) = self else {
            self = .bound(keyID: keyID, teamID: teamID, key: key)
            return
        }
        guard teamID == firstTeamID else {
            throw APNsRejection(
                policy.otherTeamReason == .topicDisallowed ? .topicDisallowed : .invalidProviderToken,
                "connection.team",
                "The connection's first push was for team \(firstTeamID); open another connection for team \(teamID).")
        }
        guard keyID != firstKeyID, let firstKey, let key else { return }
        let mayShare =
            switch (firstKey.scope, key.scope) {
            case (.team, .team): true
            case (.topics, .topics): firstKey.relatedKeyID == keyID || key.relatedKeyID == firstKeyID
            default: false
            }
        guard !mayShare else { return }
        throw APNsRejection(
            .unrelatedKeyIDInToken, "connection.key",
            "The connection's first push was signed with key \(firstKeyID); key \(keyID) is not related to it. Open another "
                + "connection.")
    }
}

internal import APNs
internal import JSON

extension JSONValue {
    init(_ key: ProviderKey) {
        let topics: [String]? =
            switch key.scope {
            case .team: nil
            case .topics(let topics): topics.sorted()
            }
        self = [
            "keyId": .string(key.keyID),
            "teamId": .string(key.teamID),
            "environments": .strings(APNsEnvironment.allCases.filter(key.environments.contains).map(\.rawValue)),
            "topics": topics.map { .strings($0) },
            "relatedKeyId": key.relatedKeyID.map { .string($0) },
        ]
    }
}

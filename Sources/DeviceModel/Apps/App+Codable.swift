extension App: Codable {
    private enum CodingKeys: CodingKey { case bundleID, displayName, team, entitlements }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            bundleID: try container.decode(String.self, forKey: .bundleID),
            displayName: try container.decode(String.self, forKey: .displayName),
            team: try container.decodeIfPresent(String.self, forKey: .team),
            entitlements: try container.decode([String].self, forKey: .entitlements))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(bundleID, forKey: .bundleID)
        try container.encode(displayName, forKey: .displayName)
        try container.encodeIfPresent(team, forKey: .team)
        try container.encode(entitlements, forKey: .entitlements)
    }
}

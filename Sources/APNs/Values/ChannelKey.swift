/// A broadcast channel. Channels are not shared between environments (Apple, "Sending channel management requests").
public struct ChannelKey: Hashable, Codable, Sendable {
    public var bundleID: String
    public var environment: APNsEnvironment
    /// Base64, as the server issued it.
    public var id: String

    public init(bundleID: String, environment: APNsEnvironment, id: String) {
        self.bundleID = bundleID
        self.environment = environment
        self.id = id
    }

    private enum CodingKeys: String, CodingKey {
        case environment, id
        case bundleID = "bundleId"
    }
}

/// An app that devices may have installed.
public struct App: Sendable, Hashable, Codable {
    /// The bundle identifier; topics are made from it.
    public var bundleID: String
    /// The name under the icon.
    public var displayName: String
    /// The developer team's identifier.
    public var team: String?
    /// The entitlements' keys, such as `com.apple.developer.usernotifications.time-sensitive`.
    public var entitlements: [String]

    /// Makes an app; its name is the last part of the bundle identifier unless given.
    public init(bundleID: String, displayName: String? = nil, team: String? = nil, entitlements: [String] = []) {
        self.bundleID = bundleID
        self.displayName = displayName ?? bundleID.split(separator: ".").last.map(String.init) ?? bundleID
        self.team = team
        self.entitlements = entitlements
    }
}

package import APNs

/// The environment of each of Apple's host names.
package enum EnvironmentRules {
    package static let appleHosts: [(name: String, environment: APNsEnvironment)] = [
        ("api.push.apple.com", .production),
        ("api.sandbox.push.apple.com", .sandbox),
        ("api.development.push.apple.com", .sandbox),
        ("api-broadcast.push.apple.com", .production),
        ("api-broadcast.sandbox.push.apple.com", .sandbox),
        ("api-manage-broadcast.push.apple.com", .production),
        ("api-manage-broadcast.sandbox.push.apple.com", .sandbox),
    ]

    /// Whether the name is one of Apple's for channel management.
    static func isForChannels(_ host: String) -> Bool {
        environment(ofHost: host) != nil && host.lowercased().hasPrefix("api-manage-broadcast.")
    }

    /// `nil` when the name is not Apple's.
    /// - Parameter host: In any case, with or without a port.
    package static func environment(ofHost host: String) -> APNsEnvironment? {
        let name = host.prefix { $0 != ":" }.lowercased()
        let bare = name.hasSuffix(".") ? String(name.dropLast()) : name
        return appleHosts.first { $0.name == bare }?.environment
    }
}

/// The two worlds of APNs; a device token belongs to one of them.
public enum APNsEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    /// `api.sandbox.push.apple.com`, for apps built for development.
    case sandbox
    /// `api.push.apple.com`, for apps from the App Store and TestFlight.
    case production
}

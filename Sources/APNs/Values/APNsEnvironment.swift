/// A device token belongs to one environment.
public enum APNsEnvironment: String, CaseIterable, Codable, Hashable, Sendable {
    /// `api.sandbox.push.apple.com`, for apps built for development.
    case sandbox
    /// `api.push.apple.com`, for apps from the App Store and TestFlight.
    case production
}

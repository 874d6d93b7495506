/// What surrounded a push when it was decided about: device, app, settings and assumptions.
///
/// Immutable and shared by all pushes until one of them changes, so that a decision can be explained long afterwards at the
/// cost of a reference.
public final class Circumstances: Sendable {
    public let device: DeviceConditions
    public let app: App
    /// The app's settings on this device.
    public let settings: NotificationSettings
    public let assumptions: Assumptions
    /// What follows from the above for every push alike.
    let standing: StandingFacts

    /// Puts them together.
    public init(device: DeviceConditions, app: App, settings: NotificationSettings, assumptions: Assumptions) {
        self.device = device
        self.app = app
        self.settings = settings
        self.assumptions = assumptions
        standing = StandingFacts(device: device, app: app, settings: settings)
    }
}

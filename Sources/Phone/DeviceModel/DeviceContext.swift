package import APNs
package import Time

/// Everything that a decision may depend on besides the state. Immutable; a class, because copying it costs as much as
/// a decision.
package final class DeviceContext {
    package let now: Instant
    package let device: DeviceConditions
    package let assumptions: Assumptions
    /// Makes identifiers unique among devices.
    package let deviceName: String
    package let place: DevicePlace
    /// Incremented with each change of apps or assumptions.
    package let catalogRevision: UInt32
    /// Whether the channel exists.
    package let isChannel: (ChannelKey) -> Bool
    /// Whether the device has the app.
    package let isInstalled: (_ bundleID: String) -> Bool
    /// The app's widgets that the person placed.
    package let widgets: (_ bundleID: String) -> [PlacedSurface]
    private let findApp: (String) -> (app: App, settings: NotificationSettings, isTerminated: Bool)

    package init(
        now: Instant, device: DeviceConditions, assumptions: Assumptions, deviceName: String = "",
        place: DevicePlace = DevicePlace(), catalogRevision: UInt32 = 0,
        isChannel: @escaping (ChannelKey) -> Bool = { _ in true },
        isInstalled: @escaping (String) -> Bool = { _ in true },
        widgets: @escaping (String) -> [PlacedSurface] = { _ in [] },
        findApp: @escaping (String) -> (app: App, settings: NotificationSettings, isTerminated: Bool)
    ) {
        self.now = now
        self.device = device
        self.assumptions = assumptions
        self.deviceName = deviceName
        self.place = place
        self.catalogRevision = catalogRevision
        self.isChannel = isChannel
        self.isInstalled = isInstalled
        self.widgets = widgets
        self.findApp = findApp
    }

    /// The app's declaration; an unknown app has only its bundle identifier.
    package func app(_ bundleID: String) -> App { findApp(bundleID).app }

    /// The app's notification settings on this device.
    package func settings(of bundleID: String) -> NotificationSettings { findApp(bundleID).settings }

    /// Whether the person force-quit the app.
    package func isTerminated(_ bundleID: String) -> Bool { findApp(bundleID).isTerminated }

    /// The context of the policy that also decides about alerts.
    package func policy(of bundleID: String) -> PolicyContext {
        let (app, settings, _) = findApp(bundleID)
        return PolicyContext(device: device, app: app, settings: settings, assumptions: assumptions)
    }

    package func isForeground(_ bundleID: String) -> Bool { device.isForeground(bundleID) }
}

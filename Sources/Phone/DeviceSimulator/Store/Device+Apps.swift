internal import APNs
package import DeviceModel
internal import LiveModel
internal import SiriModel
internal import Synchronization

/// Which apps are on a device.
extension Device {
    /// The apps with state of their own or with a token, by name. An app that has unregistered is still there.
    ///
    /// - Parameter isKnown: Whether an app counts that was uninstalled, but whose tokens the device still knows.
    func appNames(isKnown: Bool = false) -> [String] {
        let names = Set(registrations.map(\.bundleID)).union(state.apps.map(\.bundleID))
        return (isKnown ? names : names.subtracting(state.uninstalled)).sorted()
    }

    /// Whether an app is on the device. Apple's own always are, and a declared one until it is uninstalled: not every app
    /// registers.
    ///
    /// - Parameter isActing: Whether the app itself does something, so it is there unless it was uninstalled.
    func has(_ bundleID: String, isDeclared: Bool, isActing: Bool) -> Bool {
        if bundleID.hasPrefix("com.apple.") { return true }
        if state.uninstalled.contains(bundleID) { return false }
        return isActing || isDeclared || appNames().contains(bundleID)
            || state.inbox.indices.contains { state.inbox[$0].bundleID == bundleID && state.inbox[$0].places.isPresent }
            || state.live.has(bundleID) || state.siri.has(bundleID)
    }

    /// Whether another token than this one keeps its app on the device when it is removed.
    func keepsApp(without token: RegistrationEntry) -> Bool {
        registrations.contains { other in
            other !== token && other.bundleID == token.bundleID && other.kind == .app && other.status == .active
        }
    }
}

extension DeviceSimulator {
    /// The apps that the device knows; none for an unknown device.
    package func appsOnDevice(_ device: String) -> [AppOnDevice] {
        store.withLock { store in store.devices[device].map(store.apps) ?? [] }
    }
}

extension SimulatorState {
    func apps(on device: Device) -> [AppOnDevice] {
        device.appNames(isKnown: true).map { AppOnDevice($0, device.state, catalog) }
    }
}

package struct AppOnDevice: Sendable {
    /// Includes its categories on the device.
    package var app: App
    package var settings: NotificationSettings
    package var hasOwnSettings: Bool
    package var hasOwnCategories: Bool
    package var badge: Int
    package var prompt: Prompt?
    package var isTerminated: Bool

    init(_ bundleID: String, _ state: DeviceState, _ catalog: AppCatalog) {
        let known = state.app(bundleID)
        app = catalog.app(bundleID, on: state)
        hasOwnCategories = known?.categories != nil
        settings = known?.settings?.value ?? app.settings
        hasOwnSettings = known?.settings != nil
        badge = known?.badge ?? 0
        prompt = known?.prompt
        isTerminated = known?.isTerminated ?? false
    }
}

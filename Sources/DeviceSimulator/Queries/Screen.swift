package import DeviceModel
internal import Synchronization

/// What a device shows now, newest first.
package struct Screen: Sendable {
    /// Empty while the device is unlocked.
    package var lockScreen: [Notification] = []
    package var notificationCenter: [Notification] = []
    package var nextSummary: [Notification] = []
    /// Those whose banner the person has not acted on.
    package var banners: [Notification] = []
    package var conditions: DeviceConditions
    package var apps: [AppOnDevice]
}

extension DeviceSimulator {
    /// nil when the device does not exist.
    package func screen(of device: String) -> Screen? {
        let found: (DeviceConditions, [Notification])? = store.withLock { store in
            guard let device = store.devices[device] else { return nil }
            let visible = device.state.inbox.items.filter { $0.places.isVisible || $0.places.contains(.banner) }
            return (
                device.state.conditions.value,
                visible.compactMap { item in store.log[item.sequence].flatMap(Notification.init) }
            )
        }
        guard let (conditions, visible) = found else { return nil }
        // By time shown, which may differ from the order of receipt.
        let newestFirst = visible.sorted { $0.item.deliveryEvent > $1.item.deliveryEvent }
        var screen = Screen(conditions: conditions, apps: appsOnDevice(device))
        screen.lockScreen = newestFirst.filter { $0.places.contains(.lockScreen) }
        screen.notificationCenter = newestFirst.filter { $0.places.contains(.notificationCenter) }
        screen.nextSummary = newestFirst.filter { $0.places.contains(.nextSummary) }
        screen.banners = newestFirst.filter { $0.places.contains(.banner) }
        return screen
    }
}

package import DeviceModel
internal import Synchronization

/// What the person holding a device could look at now: where each notification is, newest first.
package struct Screen: Sendable {
    /// What is in the list of the lock screen; empty while the device is unlocked.
    package var lockScreen: [Notification] = []
    package var notificationCenter: [Notification] = []
    /// What waits for the next summary.
    package var nextSummary: [Notification] = []
    package var conditions: DeviceConditions
    /// The apps with their badges and what the system asks about them.
    package var apps: [AppOnDevice]
}

extension DeviceSimulator {
    /// What a device shows now; nil when there is none of the name.
    package func screen(of device: String) -> Screen? {
        let found: (DeviceConditions, [Notification])? = store.withLock { store in
            guard let device = store.devices[device] else { return nil }
            let visible = device.state.inbox.items.filter(\.places.isVisible)
            return (
                device.state.conditions.value,
                visible.compactMap { item in store.log[item.sequence].flatMap(Notification.init) }
            )
        }
        guard let (conditions, visible) = found else { return nil }
        // The latest to be shown comes first, which need not be the latest to be received.
        let newestFirst = visible.sorted { $0.item.deliveryEvent > $1.item.deliveryEvent }
        var screen = Screen(conditions: conditions, apps: appsOnDevice(device))
        screen.lockScreen = newestFirst.filter { $0.places.contains(.lockScreen) }
        screen.notificationCenter = newestFirst.filter { $0.places.contains(.notificationCenter) }
        screen.nextSummary = newestFirst.filter { $0.places.contains(.nextSummary) }
        return screen
    }
}

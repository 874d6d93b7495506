internal import DeviceModel
package import JSON

/// The state at one moment as JSON, encoded while it is written: neither its values nor its text are ever complete in
/// memory.
package struct SavedState: Sendable {
    private let image: StoreImage
    private let devices: CollectedDevices

    fileprivate init(_ image: StoreImage, _ devices: CollectedDevices) { (self.image, self.devices) = (image, devices) }

    package var parts: JSONParts {
        var (contexts, distinct) = (PolicyContextIndex(), [PolicyInputs]())
        image.forEachNotification(of: devices, after: 0) { notification in
            for context in notification.contexts { _ = contexts.place(of: context) { distinct.append($0) } }
            return true
        }
        let (image, devices) = (image, devices)
        let notifications = sequence(state: 0) { (last: inout UInt64) -> NotificationImage? in
            var next: NotificationImage?
            image.forEachNotification(of: devices, after: last) { notification in
                next = notification
                return false
            }
            last = next?.item.sequence ?? last
            return next
        }
        return image.header.state.parts(
            circumstances: distinct,
            devices: devices.images.sorted { $0.device.name < $1.device.name }.lazy.map(image.snapshot),
            notifications: notifications.lazy.map { .init($0) { contexts.place(of: $0) { _ in } } })
    }
}

extension SimulatorSnapshot {
    package var parts: JSONParts {
        var others = self
        (others.circumstances, others.devices, others.notifications) = ([], [], [])
        return others.parts(circumstances: circumstances, devices: devices, notifications: notifications)
    }

    /// - Parameters: Its long lists, which this one lacks.
    fileprivate func parts(
        circumstances: some Sequence<PolicyInputs>, devices: some Sequence<DeviceSnapshot>,
        notifications: some Sequence<NotificationSnapshot>
    ) -> JSONParts {
        JSONParts(
            self,
            with: [
                LongList.circumstances.rawValue: JSONParts(list: circumstances),
                LongList.devices.rawValue: JSONParts(list: devices),
                LongList.notifications.rawValue: JSONParts(list: notifications),
            ])
    }
}

extension NotificationImage {
    /// In the order in which `NotificationSnapshot.init(_:place:)` numbers them.
    fileprivate var contexts: [PolicyContext] { [item.context] + (extended.map { [$0.context] } ?? []) }
}

extension DeviceSimulator {
    package func saveState() -> SavedState {
        let image = takeImage { _ in }.image
        return SavedState(image, image.collect(store))
    }
}

package import APNs
package import DeviceModel
package import LiveModel
internal import Synchronization

/// Local notifications and the device's place.
extension DeviceSimulator {
    /// - Parameter request: the push of the service extension that acts for the app.
    @discardableResult
    package func perform(
        _ input: LocalInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.live(.local(input)), on: device, at: now, by: request)
    }

    /// Pending local notifications in the order of their addition, and the place; nil when the device does not exist.
    package func localSchedule(of device: String) -> LocalSchedule? {
        store.withLock { $0.devices[device]?.state.live.local }
    }
}

package import APNs
package import DeviceModel
package import LiveModel
internal import Synchronization

/// What apps do with pushes that are neither alerts nor for Live Activities.
extension DeviceSimulator {
    /// nil when the device does not exist.
    package func services(of device: String) -> ServiceTable? {
        store.withLock { $0.devices[device]?.state.live.services }
    }

    @discardableResult
    package func change(
        _ input: ServiceInput, on device: String, at now: Instant
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.live(.service(input)), on: device, at: now)
    }
}

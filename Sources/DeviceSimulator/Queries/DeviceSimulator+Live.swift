package import APNs
package import DeviceModel
package import LiveModel
package import SiriModel
internal import Synchronization

/// What a device holds besides notifications: live surfaces, donations, suggestions and the calendar.
extension DeviceSimulator {
    /// - Parameter request: the push of the service extension that acts for the app.
    /// - Returns: The resulting events, oldest first.
    /// - Throws: `SimulatorError` when it is impossible, as most inputs are on a device that is switched off.
    @discardableResult
    package func perform(
        _ input: LiveInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.live(input), on: device, at: now, by: request)
    }

    /// Empty for an unknown device.
    package func live(of device: String) -> LiveState {
        store.withLock { $0.devices[device]?.state.live ?? LiveState() }
    }

    /// What the device's surfaces show of Live Activities.
    package func liveScreen(of device: String, at now: Instant) -> LiveScreen {
        let found = store.withLock { store in
            store.devices[device].map { ($0.state.live.activities, $0.state.liveContext(at: now)) }
        }
        return found.map { activities, context in activities.screen(context) } ?? LiveScreen()
    }

    /// As for a `LiveInput`, except that a device that is switched off rejects everything.
    @discardableResult
    package func perform(
        _ input: SiriInput, on device: String, at now: Instant, by request: ExtensionRequest? = nil
    ) throws(SimulatorError) -> [DeviceEvent] {
        try reduce(.siri(input), on: device, at: now, by: request)
    }

    /// Empty for an unknown device.
    package func siri(of device: String) -> SiriState {
        store.withLock { $0.devices[device]?.state.siri ?? SiriState() }
    }

    /// With the inputs of its suggestions and its calendar; nil if the device does not exist.
    package func siri(of device: String, at now: Instant) -> (state: SiriState, context: LiveContext)? {
        store.withLock { store in
            store.devices[device].map { ($0.state.siri, $0.state.liveContext(at: now)) }
        }
    }
}

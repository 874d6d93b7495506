internal import APNs
package import DeviceModel
package import LiveModel
package import SiriModel
internal import Synchronization
package import Time

/// Live surfaces and Siri.
extension DeviceSimulator {
    /// Empty for an unknown device.
    package func live(of device: String) -> LiveState {
        store.withLock { $0.devices[device]?.state.live ?? LiveState() }
    }

    /// Why the token of a Live Activity is no longer valid; nil for any other, or if the activity is forgotten.
    package func endOfActivity(of token: Registration) -> String? {
        guard token.kind == .liveactivity, let id = token.subject,
            let activity = live(of: token.device).activities.activities.first(where: { $0.id == id }),
            let endedAt = activity.endedAt
        else { return nil }
        let cause = activity.log.last { ["end", "dismiss"].contains($0.what) && $0.reason == nil }
        let by = cause.map { $0.id.map { " by the push \($0)" } ?? " on the device" } ?? ""
        return
            "The Live Activity '\(id)' (\(activity.type)) ended at \(endedAt.text)\(by), and with it its token; stop "
            + "pushing to it."
    }

    /// Empty for an unknown device.
    package func siri(of device: String) -> SiriState {
        store.withLock { $0.devices[device]?.state.siri ?? SiriState() }
    }

    /// Calls the body with a copy of the inputs of suggestions and calendar, outside the lock: predicting takes long.
    ///
    /// - Returns: nil if the device does not exist.
    package func withSiri<Result: Sendable>(
        of device: String, at now: Instant, _ body: (SiriState, DeviceContext) -> Result
    ) -> Result? {
        store.withLock { store in store.devices[device].map { SiriCopy($0, store.catalog, at: now) } }
            .map { body($0.siri, $0.context) }
    }
}

/// `@unchecked Sendable`: the context reads copies only.
private struct SiriCopy: @unchecked Sendable {
    let siri: SiriState
    let context: DeviceContext

    init(_ device: Device, _ catalog: AppCatalog, at now: Instant) {
        siri = device.state.siri
        context = device.state.detachedContext(
            named: device.name, registered: Set(device.registrations.map(\.bundleID)), in: catalog, at: now)
    }
}

package import APNs
package import LiveModel
package import SiriModel
internal import Synchronization

extension DeviceSimulator {
    /// A device's calendar, and what its suggestions depend on; nil when the device does not exist.
    package func calendar(of device: String, at now: Instant) -> (table: CalendarTable, context: LiveContext)? {
        store.withLock { store in
            store.devices[device].map { ($0.state.siri.calendar, $0.state.liveContext(at: now)) }
        }
    }
}

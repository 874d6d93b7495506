internal import Synchronization

/// Some of the devices, by name.
package struct DevicePage: Sendable {
    package var devices: [DeviceSummary]
    /// The cursor to go on with; `nil` at the end.
    package var next: String?
}

/// Listing devices when there are very many.
extension DeviceSimulator {
    /// Devices in the order of their names.
    ///
    /// Only the names are copied under the lock, so a long list does not hold up pushes.
    ///
    /// - Parameters:
    ///   - cursor: A name; only those after it are listed.
    ///   - limit: How many at most, 1 or more.
    package func devicePage(after cursor: String?, limit: Int) -> DevicePage {
        var names = store.withLock { Array($0.devices.keys) }
        if let cursor { names.removeAll { $0 <= cursor } }
        names.sort()
        let shown = names.prefix(max(1, limit))
        let devices = store.withLock { store in shown.compactMap { store.devices[$0]?.summary } }
        return DevicePage(devices: devices, next: shown.count < names.count ? shown.last : nil)
    }
}

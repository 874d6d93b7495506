/// How much a simulator keeps; beyond it the oldest goes, and is counted.
package struct InboxLimits: Sendable, Hashable, Codable {
    /// Notifications in one device's inbox, 1 or more.
    package var perDevice: Int
    /// Notifications in all inboxes, 1 or more.
    package var total: Int
    /// Devices; unknown tokens make no more once there are so many.
    package var devices: Int

    /// Makes limits; numbers below 1 count as 1.
    package init(perDevice: Int = 1000, total: Int = 200_000, devices: Int = 1_000_000) {
        self.perDevice = max(1, perDevice)
        self.total = max(1, total)
        self.devices = max(1, devices)
    }
}

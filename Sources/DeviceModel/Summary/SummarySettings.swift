/// Settings > Notifications > Scheduled Summary.
package struct SummarySettings: Sendable, Hashable {
    package var isEnabled = false
    /// When it comes, in the device's time zone; 1 to 12 times.
    package var times = [WallTime(hour: 8, minute: 0), WallTime(hour: 18, minute: 0)]
    /// Whether Notification Center shows what waits for the next one.
    package var showsNext = false

    package init() {}
}

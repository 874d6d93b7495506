/// Settings > Notifications > Scheduled Summary.
public struct SummarySettings: Sendable, Hashable {
    public var isEnabled = false
    /// When it comes, in the device's time zone; 1 to 12 times.
    public var times = [WallTime(hour: 8, minute: 0), WallTime(hour: 18, minute: 0)]
    /// Whether Notification Center shows what waits for the next one.
    public var showsNext = false

    public init() {}
}

package import ExtensionWire

/// How much a notification may interrupt.
public enum UNNotificationInterruptionLevel: Int, Sendable, CaseIterable {
    case passive = 0
    case active = 1
    case timeSensitive = 2
    case critical = 3

    /// `active`.
    public static var `default`: UNNotificationInterruptionLevel { .active }
}

extension UNNotificationInterruptionLevel {
    /// Its name on the wire is the case's.
    package init?(_ json: WireValue?) {
        guard let level = Self.allCases.first(where: { "\($0)" == json?.text }) else { return nil }
        self = level
    }
}

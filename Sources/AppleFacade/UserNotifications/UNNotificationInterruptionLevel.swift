package import ExtensionWire

public enum UNNotificationInterruptionLevel: Int, Sendable, CaseIterable {
    case passive = 0
    case active = 1
    case timeSensitive = 2
    case critical = 3

    /// `active`.
    public static var `default`: UNNotificationInterruptionLevel { .active }
}

extension UNNotificationInterruptionLevel {
    /// The word on the wire, which is the payload's.
    package var word: String { self == .timeSensitive ? "time-sensitive" : "\(self)" }

    package init?(_ json: WireValue?) {
        guard let level = Self.allCases.first(where: { $0.word == json?.text }) else { return nil }
        self = level
    }
}

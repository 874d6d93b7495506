/// What a notification sounds like.
package enum NotificationSound: Sendable, Hashable {
    /// The system's sound.
    case `default`
    /// A file of the app.
    case named(String)
    /// A critical alert's sound, which ignores the silent switch given the entitlement; `volume` is 0…1.
    case critical(name: String, volume: Double)

    /// Whether it ignores the silent switch.
    package var isCritical: Bool {
        if case .critical = self { true } else { false }
    }

    /// The sound that a payload's string means.
    package init(named name: String) {
        self = name == "default" ? .default : .named(name)
    }
}

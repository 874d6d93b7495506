/// The part of a notification's content that decisions depend on: all but its texts. Separate from
/// `NotificationContent` so that a push is delivered without creating strings.
package struct ContentTraits: Sendable, Hashable {
    /// nil when absent or unknown.
    package var level: InterruptionLevel?
    package var hasAlert = false
    package var sound = SoundKind.none
    package var badge: Int?
    package var isMutable = false
    package var isContentAvailable = false
    private var rare: Boxed<RareTraits>?

    package var filterCriteria: String? {
        get { rare?.value.filterCriteria }
        set { set { $0.filterCriteria = newValue } }
    }

    /// Empty when absent.
    package var categoryIdentifier: String {
        get { rare?.value.categoryIdentifier ?? "" }
        set { set { $0.categoryIdentifier = newValue } }
    }

    package var communication: CommunicationContext? {
        get { rare?.value.communication?.value }
        set { set { $0.communication = newValue.map { Boxed($0) } } }
    }

    /// Cheaper than reading `communication`.
    package var isCommunication: Bool { rare?.value.communication != nil }

    /// Whether it is `content-available: 1` without alert, badge and sound, which a background push must not have (doc:
    /// Pushing background updates). Of other keys, no report says that the app is not woken.
    package var isBackground: Bool { isContentAvailable && !hasAlert && badge == nil && sound == .none }

    private mutating func set(_ change: (inout RareTraits) -> Void) {
        var traits = rare?.value ?? RareTraits()
        change(&traits)
        rare = traits == RareTraits() ? nil : Boxed(traits)
    }

    package init() {}

    package enum SoundKind: String, CaseIterable, Sendable { case none, ordinary, critical }
}

/// Few notifications have any of these.
private struct RareTraits: Sendable, Hashable {
    var filterCriteria: String?
    var categoryIdentifier = ""
    var communication: Boxed<CommunicationContext>?
}

/// A value stored indirectly, so that its container is cheaper to copy.
final class Boxed<Value: Sendable & Hashable>: Sendable, Hashable {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Boxed, right: Boxed) -> Bool { left === right || left.value == right.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

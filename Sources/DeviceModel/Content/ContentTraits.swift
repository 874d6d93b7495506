/// The part of a notification's content that decisions depend on: all but its texts. Separate from
/// `NotificationContent` so that a push is delivered without creating strings.
package struct ContentTraits: Sendable, Hashable {
    /// nil when absent or unknown.
    package var level: InterruptionLevel?
    package var hasAlert = false
    package var sound = SoundKind.none
    package var badge: Int?
    package var relevanceScore = 0.0
    package var isMutable = false
    package var isContentAvailable = false
    private var rare: RareTraits?

    package var filterCriteria: String? {
        get { rare?.values.filterCriteria }
        set { set { $0.filterCriteria = newValue } }
    }

    /// Empty when absent.
    package var categoryIdentifier: String {
        get { rare?.values.categoryIdentifier ?? "" }
        set { set { $0.categoryIdentifier = newValue } }
    }

    package var communication: CommunicationContext? {
        get { rare?.values.attached?.context }
        set { set { $0.attached = newValue.map { AttachedCommunication($0) } } }
    }

    /// Cheaper than reading `communication`.
    package var isCommunication: Bool { rare?.values.attached != nil }

    private mutating func set(_ change: (inout RareTraits.Values) -> Void) {
        var values = rare?.values ?? RareTraits.Values()
        change(&values)
        rare = values == RareTraits.Values() ? nil : RareTraits(values)
    }

    package init() {}

    package enum SoundKind: String, CaseIterable, Sendable {
        case none, ordinary, critical
    }
}

/// Out of line: few notifications have any of these, and the rest are cheaper to copy.
private final class RareTraits: Sendable, Hashable {
    struct Values: Sendable, Hashable {
        var filterCriteria: String?
        var categoryIdentifier = ""
        var attached: AttachedCommunication?
    }

    let values: Values

    init(_ values: Values) { self.values = values }

    static func == (left: RareTraits, right: RareTraits) -> Bool { left === right || left.values == right.values }

    func hash(into hasher: inout Hasher) { hasher.combine(values) }
}

/// Out of line: few notifications have one, and it is large.
final class AttachedCommunication: Sendable, Hashable {
    let context: CommunicationContext

    init(_ context: CommunicationContext) { self.context = context }

    static func == (left: AttachedCommunication, right: AttachedCommunication) -> Bool { left.context == right.context }

    func hash(into hasher: inout Hasher) { hasher.combine(context) }
}

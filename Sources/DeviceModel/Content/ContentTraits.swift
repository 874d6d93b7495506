/// The part of a notification's content that decisions depend on: everything but its texts.
///
/// Kept apart from `NotificationContent` so that a push can be delivered without making its strings.
public struct ContentTraits: Sendable, Hashable {
    /// `interruption-level`; nil when absent or unknown.
    public var level: InterruptionLevel?
    /// Whether there is a text to show.
    public var hasAlert = false
    public var sound = SoundKind.none
    /// `badge`; nil leaves the badge as it is.
    public var badge: Int?
    /// `relevance-score`, 0…1.
    public var relevanceScore = 0.0
    public var hasAttachment = false
    public var isMutable = false
    public var isContentAvailable = false
    public var filterCriteria: String?
    /// `category`; empty when absent.
    public var categoryIdentifier = ""
    private var attached: AttachedCommunication?

    /// What the service extension attached with `updating(from:)`.
    public var communication: CommunicationContext? {
        get { attached?.context }
        set { attached = newValue.map { AttachedCommunication($0) } }
    }

    public init() {}

    /// What kind of sound the content asks for.
    public enum SoundKind: String, CaseIterable, Sendable {
        case none, ordinary, critical
    }
}

/// Out of line, as few notifications have one and it is large.
final class AttachedCommunication: Sendable, Hashable {
    let context: CommunicationContext

    init(_ context: CommunicationContext) { self.context = context }

    static func == (left: AttachedCommunication, right: AttachedCommunication) -> Bool { left.context == right.context }

    func hash(into hasher: inout Hasher) { hasher.combine(context) }
}

public import APNs

/// An interaction that an app or its extension told the system about (`INInteraction.donate`).
public struct Donation: Sendable, Hashable, Codable {
    /// `INInteraction.identifier`.
    public var identifier: String
    /// `INInteraction.groupIdentifier`.
    public var groupIdentifier: String?
    public var direction: Direction
    /// When it took place, and how long.
    public var startedAt: Instant?
    /// Seconds.
    public var duration: Double
    /// The intent with all of its members, `class` among them.
    public var intent: JSONValue
    /// The intent's response; nil when there is none.
    public var response: JSONValue?

    public init(
        identifier: String, groupIdentifier: String? = nil, direction: Direction = .unspecified,
        startedAt: Instant? = nil, duration: Double = 0, intent: JSONValue, response: JSONValue? = nil
    ) {
        self.identifier = identifier
        self.groupIdentifier = groupIdentifier
        self.direction = direction
        self.startedAt = startedAt
        self.duration = duration
        self.intent = intent
        self.response = response
    }

    /// `INInteractionDirection`.
    public enum Direction: String, CaseIterable, Codable, Sendable {
        case unspecified, outgoing, incoming
    }
}

package import APNs
package import JSON

/// An interaction that an app or its extension told the system about (`INInteraction.donate`).
package struct Donation: Sendable, Hashable, Codable {
    /// `INInteraction.identifier`.
    package var identifier: String
    /// `INInteraction.groupIdentifier`.
    package var groupIdentifier: String?
    package var direction: Direction
    /// When it took place, and how long.
    package var startedAt: Instant?
    /// Seconds.
    package var duration: Double
    /// The intent with all of its members, `class` among them.
    package var intent: JSONValue
    /// The intent's response; nil when there is none.
    package var response: JSONValue?

    package init(
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
    package enum Direction: String, CaseIterable, Codable, Sendable {
        case unspecified, outgoing, incoming
    }
}

package import JSON

/// A push as its app sees it: the fields of `UNNotificationContent`. Texts and identifiers are empty when absent.
package struct NotificationContent: Sendable, Hashable {
    package var title = ""
    package var subtitle = ""
    /// `alert.body`, or `alert` if that is a string.
    package var body = ""
    package var titleLocalization: LocalizedText?
    package var subtitleLocalization: LocalizedText?
    package var bodyLocalization: LocalizedText?
    package var launchImageName: String?
    /// 0 clears the badge; nil leaves it unchanged.
    package var badge: Int?
    /// nil is silent.
    package var sound: NotificationSound?
    package var threadIdentifier = ""
    package var categoryIdentifier = ""
    /// nil unless the payload or the service extension set it.
    package var statedLevel: InterruptionLevel?
    package var interruptionLevel: InterruptionLevel {
        get { statedLevel ?? .active }
        set { statedLevel = newValue }
    }
    package var relevanceScore = 0.0
    package var filterCriteria: String?
    package var targetContentIdentifier: String?
    package var isMutable = false
    package var isContentAvailable = false
    package var attachments: [NotificationAttachment] = []
    /// The service extension's replacement of the payload; nil when it did not replace it.
    package var userInfo: JSONValue?
    private var attached: Boxed<CommunicationContext>?

    package var communication: CommunicationContext? {
        get { attached?.value }
        set { attached = newValue.map { Boxed($0) } }
    }

    package init() {}

    /// A localization key counts as text.
    package var hasAlert: Bool { !title.isEmpty || !subtitle.isEmpty || !body.isEmpty || hasLocalization }

    var hasLocalization: Bool { titleLocalization != nil || subtitleLocalization != nil || bodyLocalization != nil }

    /// Equal to those that `PayloadDigest` reads from the payload.
    package var traits: ContentTraits {
        var traits = ContentTraits()
        traits.level = statedLevel
        traits.hasAlert = hasAlert
        traits.sound = sound.map { $0.isCritical ? .critical : .ordinary } ?? .none
        traits.badge = badge
        traits.relevanceScore = relevanceScore
        traits.isMutable = isMutable
        traits.isContentAvailable = isContentAvailable
        traits.filterCriteria = filterCriteria
        traits.categoryIdentifier = categoryIdentifier
        traits.communication = communication
        return traits
    }

    /// Removes the texts of an earlier `alert` key; the last one counts.
    mutating func removeAlert() {
        (title, subtitle, body) = ("", "", "")
        (titleLocalization, subtitleLocalization, bodyLocalization) = (nil, nil, nil)
        launchImageName = nil
    }
}

/// How strongly a notification asks for attention, in the words of `aps.interruption-level`.
package enum InterruptionLevel: String, CaseIterable, Codable, Sendable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical
}

package enum NotificationSound: Sendable, Hashable {
    case `default`
    case named(String)
    /// A critical alert's sound: with the entitlement, it ignores the silent switch. `volume` is 0…1.
    case critical(name: String, volume: Double)

    package var isCritical: Bool { if case .critical = self { true } else { false } }

    package init(named name: String) { self = name == "default" ? .default : .named(name) }
}

/// A text that the app localizes.
package struct LocalizedText: Sendable, Hashable {
    package var key: String
    package var arguments: [String]

    package init(key: String = "", arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}

extension NotificationContent {
    /// Whether it has members that `payload` cannot express.
    package var exceedsPayload: Bool { communication != nil || !attachments.isEmpty || hasLocalization }

    /// A push payload for a local notification with this content; without `mutable-content`, as no service extension
    /// sees local notifications (C.1).
    package var payload: JSONValue {
        let texts: JSONObject = ["title": .nonEmpty(title), "subtitle": .nonEmpty(subtitle), "body": .nonEmpty(body)]
        let aps: JSONObject = [
            "alert": texts.isEmpty ? nil : .object(texts), "badge": badge.map { .integer($0) }, "sound": sound?.payload,
            "thread-id": .nonEmpty(threadIdentifier), "category": .nonEmpty(categoryIdentifier),
            "interruption-level": (statedLevel?.rawValue).map { .string($0) },
            "relevance-score": relevanceScore > 0 ? .number(relevanceScore) : nil,
            "filter-criteria": filterCriteria.map { .string($0) },
            "target-content-id": targetContentIdentifier.map { .string($0) },
        ]
        guard case .object(var members) = userInfo else { return .object(["aps": .object(aps)]) }
        members["aps"] = .object(aps)
        return .object(members)
    }
}

extension NotificationSound {
    fileprivate var payload: JSONValue {
        switch self {
        case .default: .string("default")
        case .named(let name): .string(name)
        case .critical(let name, let volume):
            ["critical": .integer(1), "name": .string(name), "volume": .number(volume)]
        }
    }
}

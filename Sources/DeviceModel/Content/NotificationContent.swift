package import JSON

/// What an app is told of a push: the fields of `UNNotificationContent` and how the payload named them.
///
/// `userInfo` is the payload itself and is not repeated here, unless the service extension replaced it.
package struct NotificationContent: Sendable, Hashable {
    /// `alert.title`; empty when absent.
    package var title = ""
    /// `alert.subtitle`; empty when absent.
    package var subtitle = ""
    /// `alert.body`, or `alert` when that is a string; empty when absent.
    package var body = ""
    /// `alert.title-loc-key` and its arguments.
    package var titleLocalization: LocalizedText?
    /// `alert.subtitle-loc-key` and its arguments.
    package var subtitleLocalization: LocalizedText?
    /// `alert.loc-key` and its arguments.
    package var bodyLocalization: LocalizedText?
    /// `alert.launch-image`.
    package var launchImageName: String?
    /// `badge`, 0 or more; 0 clears, nil leaves the badge as it is.
    package var badge: Int?
    /// `sound`; nil is silent.
    package var sound: NotificationSound?
    /// `thread-id`; empty when absent.
    package var threadIdentifier = ""
    /// `category`; empty when absent.
    package var categoryIdentifier = ""
    /// `interruption-level`; active when absent or unknown.
    package var interruptionLevel = InterruptionLevel.active {
        didSet { statesLevel = true }
    }
    /// Whether the level was set at all, by the payload or by the service extension.
    package private(set) var statesLevel = false
    /// The level if it was set at all; nil takes it back.
    package var statedLevel: InterruptionLevel? {
        get { statesLevel ? interruptionLevel : nil }
        set {
            interruptionLevel = newValue ?? .active
            statesLevel = newValue != nil
        }
    }
    /// `relevance-score`; 0 when absent.
    package var relevanceScore = 0.0
    /// `filter-criteria`, matched by a Focus filter.
    package var filterCriteria: String?
    /// `target-content-id`: the window to bring forward.
    package var targetContentIdentifier: String?
    /// `mutable-content`: the service extension may run.
    package var isMutable = false
    /// `content-available`: the app is woken in the background.
    package var isContentAvailable = false
    /// What the service extension attached; a push has none by itself.
    package var attachments: [NotificationAttachment] = []
    /// What the service extension put in the payload's place; nil while it is the payload.
    package var userInfo: JSONValue?
    private var attached: AttachedCommunication?

    /// What `updating(from:)` attached; a push has none by itself.
    package var communication: CommunicationContext? {
        get { attached?.context }
        set { attached = newValue.map { AttachedCommunication($0) } }
    }

    /// Content without anything in it.
    package init() {}

    /// Whether there is a text to show (a localization key counts).
    package var hasAlert: Bool {
        let isEmpty = title.isEmpty && subtitle.isEmpty && body.isEmpty
        return !isEmpty || titleLocalization != nil || subtitleLocalization != nil || bodyLocalization != nil
    }
    /// What decisions depend on; `PayloadScan.traits(of:)` finds the same without texts.
    package var traits: ContentTraits {
        var traits = ContentTraits()
        traits.level = statedLevel
        traits.hasAlert = hasAlert
        traits.sound = sound.map { $0.isCritical ? .critical : .ordinary } ?? .none
        traits.badge = badge
        traits.relevanceScore = relevanceScore
        traits.hasAttachment = !attachments.isEmpty
        traits.isMutable = isMutable
        traits.isContentAvailable = isContentAvailable
        traits.filterCriteria = filterCriteria
        traits.categoryIdentifier = categoryIdentifier
        traits.communication = communication
        return traits
    }

    /// Back to no texts: of two `alert` keys the last one counts.
    mutating func forgetAlert() {
        (title, subtitle, body) = ("", "", "")
        (titleLocalization, subtitleLocalization, bodyLocalization) = (nil, nil, nil)
        launchImageName = nil
    }
}

/// How strongly a notification asks for attention; the words are those of `aps.interruption-level`.
package enum InterruptionLevel: String, CaseIterable, Codable, Sendable {
    case passive, active
    case timeSensitive = "time-sensitive"
    case critical
}

package enum NotificationSound: Sendable, Hashable {
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

/// A text that the app looks up in the device's language: a key and what its placeholders take.
package struct LocalizedText: Sendable, Hashable {
    /// The key in the app's `Localizable.strings`.
    package var key: String
    /// What `%@`, `%1$@`, … stand for.
    package var arguments: [String]

    package init(key: String, arguments: [String] = []) {
        self.key = key
        self.arguments = arguments
    }
}

extension NotificationContent {
    /// The payload that says the same: what a local notification with this content would have been as a push.
    ///
    /// `mutable-content` stays away, as no service extension sees local notifications (C.1).
    package var payload: JSONValue {
        var aps: JSONObject = [:]
        let texts: JSONObject = ["title": .nonEmpty(title), "subtitle": .nonEmpty(subtitle), "body": .nonEmpty(body)]
        if !texts.isEmpty { aps["alert"] = .object(texts) }
        if let badge { aps["badge"] = .integer(badge) }
        switch sound {
        case .none: break
        case .default: aps["sound"] = .string("default")
        case .named(let name): aps["sound"] = .string(name)
        case .critical(let name, let volume):
            aps["sound"] = .object(["critical": .integer(1), "name": .string(name), "volume": .number(volume)])
        }
        if !threadIdentifier.isEmpty { aps["thread-id"] = .string(threadIdentifier) }
        if !categoryIdentifier.isEmpty { aps["category"] = .string(categoryIdentifier) }
        if let statedLevel { aps["interruption-level"] = .string(statedLevel.rawValue) }
        if relevanceScore > 0 { aps["relevance-score"] = .number(relevanceScore) }
        if let filterCriteria { aps["filter-criteria"] = .string(filterCriteria) }
        if let targetContentIdentifier { aps["target-content-id"] = .string(targetContentIdentifier) }
        guard case .object(var members) = userInfo else { return .object(["aps": .object(aps)]) }
        members["aps"] = .object(aps)
        return .object(members)
    }
}

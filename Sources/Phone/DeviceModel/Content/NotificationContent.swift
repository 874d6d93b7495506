package import Fields
package import JSON

/// A push as its app sees it: the fields of `UNNotificationContent`. Texts and identifiers are empty when absent.
package struct NotificationContent: FieldDescribed, Hashable {
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

    package static let fields: [Field<NotificationContent>] = [
        Field("title", \.title, .text, "The first line; empty when there is none."),
        Field("subtitle", \.subtitle, .text, "The second line; empty when there is none."),
        Field("body", \.body, .text, "The text; empty when there is none."),
        Field("titleLocalization", \.titleLocalization, .optional(.object), "The title's localization key."),
        Field("subtitleLocalization", \.subtitleLocalization, .optional(.object), "The subtitle's localization key."),
        Field("bodyLocalization", \.bodyLocalization, .optional(.object), "The body's localization key."),
        Field("launchImageName", \.launchImageName, .optional(.text), "The picture shown while the app starts."),
        Field("badge", \.badge, .optional(.integer(atLeast: 0)), "The number on the icon; absent if unchanged."),
        Field("sound", \.sound, .optional(.sound), "The sound; absent for silence."),
        Field("threadIdentifier", \.threadIdentifier, .text, "The group that it belongs to."),
        Field("categoryIdentifier", \.categoryIdentifier, .text, "Its category among the app's."),
        Field("interruptionLevel", \.statedLevel, .optional(.word()), "How it may interrupt; default: active."),
        Field("relevanceScore", \.relevanceScore, .share, "Its rank in the scheduled summary."),
        Field("filterCriteria", \.filterCriteria, .optional(.text), "What Focus filters compare."),
        Field("targetContentIdentifier", \.targetContentIdentifier, .optional(.text), "The window to bring forward."),
        Field("isMutable", \.isMutable, .flag, "mutable-content: the service extension may run."),
        Field("isContentAvailable", \.isContentAvailable, .flag, "content-available: wakes the app."),
        Field("attachments", \.attachments, .list(.object), "Its images, sounds and movies."),
        Field("userInfo", \.userInfo, .optional(.json), "The replaced payload; absent if it was not replaced."),
        Field("communication", \.communication, .optional(.object), "Attached by updating(from:)."),
    ]
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
package struct LocalizedText: FieldDescribed, Hashable {
    package var key = ""
    package var arguments: [String] = []

    package init() {}

    package init(key: String, arguments: [String] = []) { (self.key, self.arguments) = (key, arguments) }

    package static let fields: [Field<LocalizedText>] = [
        Field("key", \.key, .text, "The key in Localizable.strings."),
        Field("arguments", \.arguments, .list(.text), "The values of its placeholders."),
    ]
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

extension FieldFormat {
    /// `"default"`, a file name, or an object with `name` and, for a critical alert, `critical` and `volume`.
    static var sound: FieldFormat<NotificationSound> {
        custom(
            #""default", a file's name, or an object with name, critical and volume"#,
            .object("NotificationSound", SoundMembers.descriptions),
            read: { json in
                if case .string(let name) = json { return name.isEmpty ? nil : NotificationSound(named: name) }
                var members = SoundMembers()
                var problems: [FieldProblem] = []
                return members.read(json, at: FieldPath(), &problems) ? members.sound : nil
            }, write: { SoundMembers($0).json })
    }

    static var json: FieldFormat<JSONValue> { custom("any JSON", .any, read: { $0 }, write: { $0.sorted }) }
}

private struct SoundMembers: FieldDescribed {
    var name = "default"
    var critical: Bool?
    var volume: Double?

    init() {}

    init(_ sound: NotificationSound) {
        switch sound {
        case .default: break
        case .named(let name): self.name = name
        case .critical(let name, let volume): (self.name, critical, self.volume) = (name, true, volume)
        }
    }

    var sound: NotificationSound {
        critical == true ? .critical(name: name, volume: volume ?? 1) : NotificationSound(named: name)
    }

    static let fields: [Field<SoundMembers>] = [
        Field("name", \.name, .name, "A file name, or default."),
        Field("critical", \.critical, .optional(.flag), "Whether it is for a critical alert."),
        Field("volume", \.volume, .optional(.share), "The volume of a critical alert."),
    ]
}

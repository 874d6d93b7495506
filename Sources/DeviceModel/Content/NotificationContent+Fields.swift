package import Fields
internal import JSON

extension NotificationContent: FieldDescribed {
    package static let fields: [Field<NotificationContent>] = [
        Field("title", \.title, .text, "The first line; empty when there is none."),
        Field("subtitle", \.subtitle, .text, "The second line; empty when there is none."),
        Field("body", \.body, .text, "The text; empty when there is none."),
        Field("titleLocalization", \.titleLocalization, .optional(.object), "What the title is looked up by."),
        Field("subtitleLocalization", \.subtitleLocalization, .optional(.object), "What the subtitle is looked up by."),
        Field("bodyLocalization", \.bodyLocalization, .optional(.object), "What the body is looked up by."),
        Field("launchImageName", \.launchImageName, .optional(.text), "The picture shown while the app starts."),
        Field("badge", \.badge, .optional(.integer(atLeast: 0)), "The number on the icon; absent leaves it as it is."),
        Field("sound", \.sound, .optional(.sound), "What it sounds like; absent is silent."),
        Field("threadIdentifier", \.threadIdentifier, .text, "Which notifications are one group."),
        Field("categoryIdentifier", \.categoryIdentifier, .text, "Which of the app's categories it is."),
        Field(
            "interruptionLevel", \.statedLevel, .optional(.word()),
            "How much it may interrupt; active while nobody said."),
        Field("relevanceScore", \.relevanceScore, .share, "How it ranks in the scheduled summary."),
        Field("filterCriteria", \.filterCriteria, .optional(.text), "What a Focus filter asks for."),
        Field(
            "targetContentIdentifier", \.targetContentIdentifier, .optional(.text), "The window to bring forward."),
        Field("isMutable", \.isMutable, .flag, "mutable-content: the service extension may run."),
        Field("isContentAvailable", \.isContentAvailable, .flag, "content-available: the app is woken."),
        Field("attachments", \.attachments, .list(.object), "Pictures, sounds and films that go with it."),
        Field("userInfo", \.userInfo, .optional(.json), "What replaced the payload; absent while it is the payload."),
        Field(
            "communication", \.communication, .optional(.object),
            "Who it comes from; absent unless updating(from:) attached an intent."),
    ]
}

extension LocalizedText: FieldDescribed {
    package static let fields: [Field<LocalizedText>] = [
        Field("key", \.key, .text, "The key in Localizable.strings."),
        Field("arguments", \.arguments, .list(.text), "What its placeholders take."),
    ]

    package init() { self.init(key: "") }
}

extension FieldFormat {
    /// `"default"`, a file's name, or an object with `name`, and `critical` and `volume` for a critical alert.
    static var sound: FieldFormat<NotificationSound> {
        custom(
            #""default", a file's name, or an object with name, critical and volume"#,
            .object("NotificationSound", NotificationSound.members),
            read: { json in
                switch json {
                case .string(let name) where !name.isEmpty: NotificationSound(named: name)
                case .object(let members): NotificationSound(members)
                default: nil
                }
            }, write: { $0.json })
    }

    /// Anything.
    static var json: FieldFormat<JSONValue> {
        custom("any JSON", .any, read: { $0 }, write: { $0.sorted })
    }
}

extension NotificationSound {
    fileprivate static var members: [FieldDescription] {
        [
            FieldDescription(
                name: "name", accepted: "a text that is not empty", summary: "The file, or default.",
                schema: .text(.filled), isOptional: false),
            FieldDescription(
                name: "critical", accepted: "true or false", summary: "Whether it is a critical alert's.",
                schema: .flag,
                isOptional: true),
            FieldDescription(
                name: "volume", accepted: "a number from 0 to 1", summary: "How loud a critical alert's is.",
                schema: .share, isOptional: true),
        ]
    }

    fileprivate init?(_ members: JSONObject) {
        guard members.keys.allSatisfy(["name", "critical", "volume"].contains) else { return nil }
        var name = "default"
        if let given = members["name"] {
            guard case .string(let text) = given, !text.isEmpty else { return nil }
            name = text
        }
        guard members["critical"] == .bool(true) else {
            guard members["critical"] ?? .bool(false) == .bool(false) else { return nil }
            self = Self(named: name)
            return
        }
        var volume = 1.0
        switch members["volume"] {
        case nil: break
        case .integer(let number)? where 0...1 ~= number: volume = Double(number)
        case .number(let number)? where 0...1 ~= number: volume = number
        default: return nil
        }
        self = .critical(name: name, volume: volume)
    }

    fileprivate var json: JSONValue {
        switch self {
        case .default: ["name": .string("default")]
        case .named(let name): ["name": .string(name)]
        case .critical(let name, let volume):
            ["name": .string(name), "critical": .bool(true), "volume": .number(volume)]
        }
    }
}

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

    static var json: FieldFormat<JSONValue> {
        custom("any JSON", .any, read: { $0 }, write: { $0.sorted })
    }
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
        Field("name", \.name, .name, "The file, or default."),
        Field("critical", \.critical, .optional(.flag), "Whether it is a critical alert's."),
        Field("volume", \.volume, .optional(.share), "How loud a critical alert's is."),
    ]
}

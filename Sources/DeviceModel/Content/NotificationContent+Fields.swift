package import Fields
internal import JSON

extension NotificationContent: FieldDescribed {
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

extension LocalizedText: FieldDescribed {
    package static let fields: [Field<LocalizedText>] = [
        Field("key", \.key, .text, "The key in Localizable.strings."),
        Field("arguments", \.arguments, .list(.text), "The values of its placeholders."),
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

import TestSupport
import Testing

@testable import DeviceModel

@Suite("S0-30 E.2 a communication notification shows its sender and its recipients") struct CommunicationDisplayTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var what: String
        var isGroup: Bool
        var title: String
        var subtitle: String
        var japanese: String
        var edit: @Sendable (inout CommunicationContext) -> Void
        var testDescription: String { what }

        init(
            _ what: String, isGroup: Bool = false, title: String = "Neko Neko", _ subtitle: String, ja: String? = nil,
            _ edit: @escaping @Sendable (inout CommunicationContext) -> Void
        ) {
            (self.what, self.isGroup, self.title, self.subtitle) = (what, isGroup, title, subtitle)
            (japanese, self.edit) = (ja ?? subtitle, edit)
        }
    }

    static let me = Person.named("Me", isMe: true)

    /// Every message is from "Neko Neko" and has the subtitle "Own".
    static let rows = [
        Row("no recipients", "Own") { _ in },
        Row("S2-10 to the person who holds the device", "Own") { $0.recipients = [me] },
        Row("a group name alone makes no group", "Own") { $0.groupName = "Team" },
        Row("a group name and the person who holds the device make no group", "Own") {
            ($0.groupName, $0.recipients) = ("Team", [me])
        },
        Row("the sender among the recipients makes no group", "Own") {
            ($0.groupName, $0.recipients) = ("Team", [$0.sender, me])
        },
        Row("a group with a name", isGroup: true, "Team") {
            ($0.groupName, $0.recipients) = ("Team", [.named("Bob B")])
        },
        Row("one other", isGroup: true, "To you and Bob B", ja: "宛先: あなた、Bob B") { $0.recipients = [.named("Bob B")] },
        Row("isMe is dropped", isGroup: true, "To you and Bob B", ja: "宛先: あなた、Bob B") {
            $0.recipients = [me, .named("Bob B"), $0.sender]
        },
        Row("two others", isGroup: true, "To you, Bob B and Carol C", ja: "宛先: あなた、Bob B、Carol C") {
            $0.recipients = [.named("Bob B"), .named("Carol C")]
        },
        Row("three others", isGroup: true, "To you, Bob B and 2 others", ja: "宛先: あなた、Bob B、ほか2人") {
            $0.recipients = [.named("Bob B"), .named("Carol C"), .named("Dan D")]
        },
        Row("an empty group name is none", isGroup: true, "To you and Bob B", ja: "宛先: あなた、Bob B") {
            ($0.groupName, $0.recipients) = ("", [.named("Bob B")])
        },
        Row("one without a name", isGroup: true, "To you and 1 other", ja: "宛先: あなた、ほか1人") {
            $0.recipients = [Person()]
        },
        Row("a count without names", isGroup: true, "To you and 4 others", ja: "宛先: あなた、ほか4人") {
            $0.recipientCount = 5
        },
        Row("a count of two without names", isGroup: true, "To you and 1 other", ja: "宛先: あなた、ほか1人") {
            $0.recipientCount = 2
        },
        Row("a count beyond the names", isGroup: true, "To you, Bob B and 3 others", ja: "宛先: あなた、Bob B、ほか3人") {
            ($0.recipients, $0.recipientCount) = ([.named("Bob B")], 5)
        },
        Row("a count overrides the names", "Own") { ($0.recipients, $0.recipientCount) = ([.named("Bob B")], 1) },
        Row("a recipient count of 0", "Own") { $0.recipientCount = 0 },
        Row("a call", "Chat") { $0.intent = .startCall },
        Row("a missed call", "Missed call", ja: "不在着信") { ($0.intent, $0.isMissedCall) = (.startCall, true) },
        Row("a group call", "Chat") {
            ($0.intent, $0.recipients) = (.startCall, [.named("Bob B"), .named("Carol C")])
        },
        Row("a sender without a name", title: "", "Own") { $0.sender = Person() },
    ]

    @Test("S0-30 the title is the sender, the subtitle the recipients", arguments: rows) func shows(_ row: Row) {
        var context = CommunicationContext.with { $0.sender = .named("Neko Neko") }
        row.edit(&context)
        #expect(context.isGroup == row.isGroup)
        for (language, subtitle) in [(SystemLanguage.english, row.subtitle), (.japanese, row.japanese)] {
            let display = CommunicationDisplay(
                of: context, appName: "Chat", language: language, assumptions: Assumptions())
            #expect(display.title == row.title)
            #expect((display.subtitle.isEmpty ? "Own" : display.subtitle) == subtitle)
        }
    }

    @Test("S0-30 a watch shows the recipients' first names only") func watch() {
        var context = CommunicationContext()
        context.sender = .named("Neko Neko")
        context.recipients = [.named("Bob B"), .with { ($0.displayName, $0.givenName) = ("@caro", "Carol") }]
        #expect(display(context).watchSubtitle == "To you, Bob and Carol")
        #expect(display(context).title == "Neko Neko")
    }

    @Test("E.2 groupTitle: the group's name first, where it has one") func groupFirst() {
        let assumptions = Assumptions.with { $0.groupTitle = .groupFirst }
        var context = CommunicationContext()
        (context.sender, context.groupName, context.recipients) = (.named("Neko Neko"), "Team", [.named("Bob B")])
        #expect(display(context, assumptions).title == "Team")
        #expect(display(context, assumptions).subtitle == "Neko Neko")
        context.groupName = nil
        #expect(display(context, assumptions).title == "Neko Neko")
        context.recipients = []
        context.groupName = "Team"
        #expect(display(context, assumptions).title == "Neko Neko", "no group, so its name is not shown")
    }

    @Test("E.2 the avatar is the sender's image, or else the name's first letters") func avatar() {
        var context = CommunicationContext.with { $0.sender = .named("Neko Neko") }
        #expect(display(context).avatar == .monogram("NN"))
        context.sender.imageDigest = "00ff"
        #expect(display(context).avatar == .image(digest: "00ff"))
    }

    @Test(
        "E.2 the sender is recognised among the recipients by identifier, contact, handle or name",
        arguments: [
            ("custom", true), ("otherCustom", false), ("contact", true), ("handle", true), ("name", true),
            ("nameless", false),
        ])
    func senderAmongRecipients(by: String, isSame: Bool) {
        let named = Person.with { $0.displayName = "Neko" }
        var (sender, recipient) = (named, named)
        switch by {
        case "custom": (sender.customIdentifier, recipient.customIdentifier, recipient.displayName) = ("1", "1", "N.")
        case "otherCustom": (sender.customIdentifier, recipient.customIdentifier) = ("1", "2")
        case "contact":
            (sender.contactIdentifier, recipient.contactIdentifier, recipient.displayName) = ("C1", "C1", "N.")
        case "handle":
            sender.handle = .init(value: "neko@example.com", type: .emailAddress)
            recipient.handle = .init(value: "Neko@example.com", type: .emailAddress)
            recipient.displayName = "N."
        case "name": break
        default: (sender, recipient) = (Person(), Person())
        }
        let context = CommunicationContext.with { ($0.sender, $0.recipients) = (sender, [recipient]) }
        #expect(context.otherRecipients.isEmpty == isSame)
    }

    @Test(
        "System texts are Japanese for Japanese devices, otherwise English",
        arguments: [("ja_JP", true), ("ja", true), ("en_JP", false), ("jam", false), ("", false)])
    func languages(locale: String, isJapanese: Bool) {
        #expect((SystemLanguage(locale: locale) == .japanese) == isJapanese)
    }

    private func display(
        _ context: CommunicationContext, _ assumptions: Assumptions = Assumptions()
    ) -> CommunicationDisplay {
        CommunicationDisplay(of: context, appName: "Chat", language: .english, assumptions: assumptions)
    }
}

import Testing

@testable import DeviceModel

@Suite("I.2 notifications are grouped into stacks") struct InboxStackTests {
    struct Item {
        var sequence: UInt64
        var app: String
        var thread = ""
    }

    /// The newest first.
    static let items = [
        Item(sequence: 7, app: "mail"), Item(sequence: 6, app: "chat", thread: "t"), Item(sequence: 5, app: "mail"),
        Item(sequence: 4, app: "chat", thread: "u"), Item(sequence: 3, app: "chat"),
        Item(sequence: 2, app: "mail", thread: "t"), Item(sequence: 1, app: "chat", thread: "t"),
    ]

    static func stacks(_ grouping: (String) -> NotificationSettings.Grouping) -> [[UInt64]] {
        items.grouped {
            InboxStack.Key(app: $0.app, thread: $0.thread, sequence: $0.sequence, grouping: grouping($0.app))
        }.map { $0.map(\.sequence) }
    }

    @Test(
        "I.2 stacks by thread, by app or not at all, the newest first",
        arguments: [
            (.automatic, .automatic, [[7, 5], [6, 1], [4], [3], [2]]), (.byApp, .byApp, [[7, 5, 2], [6, 4, 3, 1]]),
            (.off, .off, [[7], [6], [5], [4], [3], [2], [1]]), (.byApp, .off, [[7], [6, 4, 3, 1], [5], [2]]),
            (.automatic, .byApp, [[7, 5, 2], [6, 1], [4], [3]]),
        ] as [(NotificationSettings.Grouping, NotificationSettings.Grouping, [[UInt64]])])
    func stacks(chat: NotificationSettings.Grouping, mail: NotificationSettings.Grouping, stacks: [[UInt64]]) {
        #expect(Self.stacks { $0 == "chat" ? chat : mail } == stacks)
    }

    @Test("E.2 Notification Center lists stacks with a communication notification first") func promotes() {
        let stacks = Self.stacks { _ in .automatic }
        #expect(stacks.map(\.first) == [7, 6, 4, 3, 2])
        #expect(InboxStack.promoted(stacks) { [1, 4].contains($0) }.map(\.first) == [6, 4, 7, 3, 2])
    }

    @Test("An empty inbox has no stacks") func empty() { #expect([Item]().grouped(by: \.app).isEmpty) }

    @Test(
        "I.2 the summary text counts the notifications below the top one",
        arguments: [
            (1, nil, nil, nil), (1, "%u more", nil, nil), (2, nil, "1 more notification", "ほか1件の通知"),
            (3, nil, "2 more notifications", "ほか2件の通知"), (3, "", "2 more notifications", "ほか2件の通知"),
            (3, "%u more messages", "2 more messages", "2 more messages"), (3, "あと%u件", "あと2件", "あと2件"),
        ] as [(Int, String?, String?, String?)])
    func text(count: Int, format: String?, english: String?, japanese: String?) {
        let stack = Array(repeating: format, count: count)
        #expect(InboxStack.text(of: stack, in: .english) { $0 } == english)
        #expect(InboxStack.text(of: stack, in: .japanese) { $0 } == japanese)
    }

    @Test("I.2 the top notification's format makes the summary text") func leadingFormat() {
        #expect(InboxStack.text(of: ["%u newer", "%u older"], in: .english) { $0 } == "1 newer")
    }

    @Test(
        "Placeholders of a format",
        arguments: [
            ("%u", "3"), ("%d new", "3 new"), ("%1$u new", "3 new"), ("%u of %u", "3 of 3"),
            ("100%% of %u", "100% of 3"),
            ("none", "none"), ("50%", "50%"), ("%", "%"), ("%x", "%x"), ("%%u", "%u"), ("%12u", "%12u"), ("%$u", "%$u"),
            ("%u from %@", "3 from "), ("%2$@: %1$u", ": 3"), ("", "3 more notifications"),
        ])
    func formats(format: String, text: String) {
        #expect(InboxStack.text(of: [4, 3, 2, 1], in: .english, format: { _ in format }) == text)
    }
}

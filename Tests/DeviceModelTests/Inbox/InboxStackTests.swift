import DeviceModel
import Testing

@Suite("I.2 notifications lie in stacks") struct InboxStackTests {
    static let items = [
        InboxItem(sequence: 1, app: "chat", thread: "t"), InboxItem(sequence: 2, app: "mail", thread: "t"),
        InboxItem(sequence: 3, app: "chat"), InboxItem(sequence: 4, app: "chat", thread: "u"),
        InboxItem(sequence: 5, app: "mail"), InboxItem(sequence: 6, app: "chat", thread: "t"),
        InboxItem(sequence: 7, app: "mail"),
    ]

    @Test(
        "I.2 by thread, by app or not at all; the newest leads",
        arguments: [
            (.automatic, .automatic, ["7 5", "6 1", "4", "3", "2"]), (.byApp, .byApp, ["7 5 2", "6 4 3 1"]),
            (.off, .off, ["7", "6", "5", "4", "3", "2", "1"]), (.byApp, .off, ["7", "6 4 3 1", "5", "2"]),
            (.automatic, .byApp, ["7 5 2", "6 1", "4", "3"]),
        ] as [(NotificationSettings.Grouping, NotificationSettings.Grouping, [String])])
    func stacks(chat: NotificationSettings.Grouping, mail: NotificationSettings.Grouping, stacks: [String]) {
        for items in [Self.items, Self.items.reversed()] {
            let found = InboxStack.stacks(of: items) { $0 == "chat" ? chat : mail }
            #expect(
                found.map { stack in
                    ([stack.leading] + stack.others).map { "\($0.sequence)" }.joined(separator: " ")
                } == stacks)
            for stack in found {
                let grouping = stack.leading.app == "chat" ? chat : mail
                #expect(([stack.leading] + stack.others).allSatisfy { GroupKey($0, grouping: grouping) == stack.key })
            }
        }
    }

    @Test("E.2 Notification Center has stacks with a communication notification first") func promotes() {
        var items = Self.items
        for index in items.indices where [1, 4].contains(items[index].sequence) { items[index].isCommunication = true }
        let stacks = InboxStack.stacks(of: items) { _ in .automatic }
        #expect(stacks.map(\.leading.sequence) == [7, 6, 4, 3, 2])
        #expect(InboxStack.promoted(stacks).map(\.leading.sequence) == [6, 4, 7, 3, 2])
    }

    @Test("Nothing delivered, no stacks") func empty() {
        #expect(InboxStack.stacks(of: []) { _ in .automatic }.isEmpty)
    }

    @Test(
        "I.2 the group's text counts what lies below",
        arguments: [
            (1, nil, nil, nil), (1, "%u more", nil, nil), (2, nil, "1 more notification", "ほか1件の通知"),
            (3, nil, "2 more notifications", "ほか2件の通知"), (3, "", "2 more notifications", "ほか2件の通知"),
            (3, "%u more messages", "2 more messages", "2 more messages"), (3, "あと%u件", "あと2件", "あと2件"),
        ] as [(UInt64, String?, String?, String?)])
    func text(count: UInt64, format: String?, english: String?, japanese: String?) throws {
        let items = (1...count).map { InboxItem(sequence: $0, app: "chat", summaryFormat: format) }
        let stack = try #require(InboxStack.stacks(of: items) { _ in .automatic }.first)
        #expect(stack.text(in: .english) == english)
        #expect(stack.text(in: .japanese) == japanese)
    }

    @Test("I.2 the notification on top words the group") func leadingFormat() throws {
        let items = [
            InboxItem(sequence: 1, app: "chat", summaryFormat: "%u older"),
            InboxItem(sequence: 2, app: "chat", summaryFormat: "%u newer"),
        ]
        let stack = try #require(InboxStack.stacks(of: items) { _ in .automatic }.first)
        #expect(stack.text(in: .english) == "1 newer")
    }

    @Test(
        "A format's places",
        arguments: [
            ("%u", "3"), ("%d new", "3 new"), ("%1$u new", "3 new"), ("%u of %u", "3 of 3"),
            ("100%% of %u", "100% of 3"),
            ("none", "none"), ("50%", "50%"), ("%", "%"), ("%x", "%x"), ("%%u", "%u"), ("%12u", "%12u"), ("%$u", "%$u"),
            ("%u from %@", "3 from "), ("%2$@: %1$u", ": 3"), ("", ""),
        ])
    func formats(format: String, text: String) { #expect(CountFormat(format).text(count: 3) == text) }
}

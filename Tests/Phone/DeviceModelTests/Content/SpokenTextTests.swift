import Testing

@testable import DeviceModel

@Suite("B.8 what Siri says") struct SpokenTextTests {
    struct Fixture: Sendable {
        var content = NotificationContent()
        var app = App(bundleID: "com.example.chat", displayName: "Chat")
        var device = DeviceConditions()
        var isCommunication = true

        init() {
            (content.title, content.body) = ("New message", "Lunch?")
            var context = CommunicationContext()
            context.sender = .named("Neko Neko")
            content.communication = context
        }
    }

    static let rows: [(text: String, edit: @Sendable (inout Fixture) -> Void)] = [
        ("Neko Neko: Lunch?", { _ in }),
        ("New message: Lunch?", { $0.content.communication?.sender = Person() }),
        (
            "Neko Neko to Team: Lunch?",
            {
                $0.content.communication?.recipients = [.named("Bob B")]
                $0.content.communication?.groupName = "Team"
            }
        ),
        ("Neko Neko to you and Bob B: Lunch?", { $0.content.communication?.recipients = [.named("Bob B")] }),
        ("Neko Neko: Lunch?", { $0.content.communication?.groupName = "Team" }),
        (
            "Neko NekoからTeamへ: Lunch?",
            {
                $0.content.communication?.recipients = [.named("Bob B")]
                $0.content.communication?.groupName = "Team"
                $0.device.locale = "ja_JP"
            }
        ),
        ("Notification from Chat", { $0.device.showPreviews = .never }),
        (
            "Chatからの通知",
            {
                $0.device.showPreviews = .whenAuthenticated
                $0.device.locale = "ja_JP"
            }
        ),
        ("New message: Lunch?", { $0.isCommunication = false }),
        (
            "New message, From Neko: Lunch?",
            {
                $0.isCommunication = false
                $0.content.subtitle = "From Neko"
            }
        ),
        (
            "Chat: Lunch?",
            {
                $0.isCommunication = false
                $0.content.title = ""
            }
        ),
        ("Neko Neko", { $0.content.body = "" }),
    ]

    @Test(
        "S0-31 B.8 Siri says the sender, the group, then the body; without a preview, only the app",
        arguments: rows.indices)
    func says(_ index: Int) {
        var fixture = Fixture()
        Self.rows[index].edit(&fixture)
        let spoken = fixture.content.spokenText(
            app: fixture.app, device: fixture.device, settings: NotificationSettings(),
            isCommunication: fixture.isCommunication)
        #expect(spoken == Self.rows[index].text)
    }
}

import TestSupport
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
            content.communication = .with { $0.sender = .named("Neko Neko") }
        }
    }

    typealias Row = (text: String, edit: @Sendable (inout Fixture) -> Void)

    private static func row(_ text: String, _ edit: @escaping @Sendable (inout Fixture) -> Void) -> Row { (text, edit) }

    static let rows: [Row] = [
        row("Neko Neko: Lunch?") { _ in },
        row("New message: Lunch?") { $0.content.communication?.sender = Person() },
        row("Neko Neko to Team: Lunch?") {
            $0.content.communication?.recipients = [.named("Bob B")]
            $0.content.communication?.groupName = "Team"
        },
        row("Neko Neko to you and Bob B: Lunch?") { $0.content.communication?.recipients = [.named("Bob B")] },
        row("Neko Neko: Lunch?") { $0.content.communication?.groupName = "Team" },
        row("Neko NekoからTeamへ: Lunch?") {
            $0.content.communication?.recipients = [.named("Bob B")]
            $0.content.communication?.groupName = "Team"
            $0.device.locale = "ja_JP"
        },
        row("Notification from Chat") { $0.device.showPreviews = .never },
        row("Chatからの通知") {
            $0.device.showPreviews = .whenAuthenticated
            $0.device.locale = "ja_JP"
        },
        row("New message: Lunch?") { $0.isCommunication = false },
        row("New message, From Neko: Lunch?") {
            $0.isCommunication = false
            $0.content.subtitle = "From Neko"
        },
        row("Chat: Lunch?") {
            $0.isCommunication = false
            $0.content.title = ""
        },
        row("Neko Neko") { $0.content.body = "" },
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

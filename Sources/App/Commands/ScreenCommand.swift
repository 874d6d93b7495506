internal import ArgumentParser

/// `pushcote screen`: what the person holding a device could look at.
struct ScreenCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Show a device's lock screen, Notification Center and badges, as the person sees them.",
        discussion: """
            The newest notification comes first; the number before each is the one that act and explain take.

            EXAMPLES
              pushcote screen phone
              pushcote screen phone --json | jq '.notificationCenter[].id'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.")
    var device: String

    func perform(with client: AdminClient) async throws -> CommandResult {
        let answer = try await client.send(AdminRequest(.get, ["devices", device, "screen"]))
        if admin.json { return CommandResult(answer.text) }
        let screen = try client.decode(ScreenAnswer.self, from: answer, to: "/devices/\(device)/screen")
        return CommandResult(screen.text)
    }
}

/// `GET /devices/{name}/screen`.
struct ScreenAnswer: Decodable {
    var isLocked: Bool?
    var isScreenOn: Bool?
    var focus: String?
    var foregroundApp: String?
    var lockScreen: [Item]
    var notificationCenter: [Item]
    var nextSummary: [Item]
    var apps: [String: AppOnScreen]?

    /// A notification as it is shown.
    struct Item: Decodable {
        var id: UInt64
        var topic: String
        var title: String?
        var subtitle: String?
        var body: String?
        var displayed: Text?
    }

    /// What stands on it.
    struct Text: Decodable {
        var title: String?
        var subtitle: String?
        var body: String?
    }

    /// An app's icon.
    struct AppOnScreen: Decodable {
        var badgeCount: Int?
        var prompt: String?
    }

    var text: String {
        ([state] + [list("LOCK SCREEN", lockScreen), list("NOTIFICATION CENTER", notificationCenter)]
            + (nextSummary.isEmpty ? [] : [list("NEXT SUMMARY", nextSummary)]) + [icons].filter { !$0.isEmpty })
            .joined(separator: "\n\n")
    }

    private var state: String { "" }

    private func list(_ name: String, _ items: [Item]) -> String { name }

    private var icons: String { "" }
}

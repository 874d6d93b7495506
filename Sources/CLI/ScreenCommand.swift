internal import ArgumentParser

/// `pushcote screen`: what the person holding a device could look at.
struct ScreenCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Show a device's lock screen, Notification Center and badges, as the person sees them.",
        discussion: """
            The newest notification comes first. The number before each is the one for act and explain.

            EXAMPLES
              pushcote screen phone
              pushcote screen phone --json | jq '.notificationCenter[].notifications[].title'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.")
    var device: String

    func perform(with client: AdminClient) async throws -> CommandResult {
        let answer = try await client.send(AdminRequest(.get, ["devices", device, "screen"]))
        if admin.json { return CommandResult(answer.text) }
        let screen = try client.decode(ScreenAnswer.self, from: answer, to: "/devices/\(device)/screen")
        return CommandResult(screen.text(of: device))
    }
}

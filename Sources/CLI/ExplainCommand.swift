internal import ArgumentParser

/// `pushcote explain`: why a notification was shown as it was.
struct ExplainCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell what became of a notification and why: what was shown, and every rule that was tried.",
        discussion: """
            The number is the one that pushcote inbox shows. With --json, the members trace, presentation and circumstances \
            of the notification say the same.

            EXAMPLES
              pushcote explain 17
              pushcote explain 17 --json | jq '.trace[] | select(.stage == "focus")'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The notification's number.")
    var id: UInt64

    func perform(with client: AdminClient) async throws -> CommandResult {
        let path = ["notifications", String(id)] + (admin.json ? [] : ["explanation"])
        return CommandResult(try await client.send(AdminRequest(.get, path)).text)
    }
}

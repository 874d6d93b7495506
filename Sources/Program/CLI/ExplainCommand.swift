internal import ArgumentParser

struct ExplainCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "explain", abstract: "Explain a notification: its outcome, what was shown, and every rule that was tried.",
        discussion: """
            pushcote inbox shows the number; latest is the newest notification. With --json, prints the notification, \
            which has the explanation in the members trace, presentation and circumstances.

            EXAMPLES
              pushcote explain 17
              pushcote explain latest
              pushcote explain 17 --svg 17.svg
              pushcote explain 17 --json | jq '.trace[] | select(.stage == "focus")'
            """)

    @OptionGroup var admin: AdminOptions

    @OptionGroup var picture: ScreenPictureOptions

    @Argument(help: "The notification's number, or latest.") var id: NotificationID

    func perform(with client: AdminClient) async throws -> CommandResult {
        var number = "\(id)"
        if case .latest = id { number = try await client.ask(APICall(.get, ["notifications", "latest"])).id.line }
        let picturePath = ["notifications", number, "picture.svg"]
        if let result = try await picture.result(of: picturePath, with: client, asJSON: admin.json) { return result }
        let path = ["notifications", number] + (admin.json ? [] : ["explanation"])
        return CommandResult(try await client.send(APICall(.get, path)).text)
    }
}

internal import ArgumentParser

struct ExplainCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "explain", abstract: "Explain a notification: its outcome, what was shown, and every rule that was tried.",
        discussion: """
            pushcote inbox shows the number. With --json, prints the notification, which has the explanation in the \
            members trace, presentation and circumstances.

            EXAMPLES
              pushcote explain 17
              pushcote explain 17 --svg 17.svg
              pushcote explain 17 --json | jq '.trace[] | select(.stage == "focus")'
            """)

    @OptionGroup var admin: AdminOptions

    @OptionGroup var picture: ScreenPictureOptions

    @Argument(help: "The notification's number.") var id: UInt64

    func perform(with client: AdminClient) async throws -> CommandResult {
        let picturePath = ["notifications", String(id), "picture.svg"]
        if let result = try await picture.result(of: picturePath, with: client, asJSON: admin.json) { return result }
        let path = ["notifications", String(id)] + (admin.json ? [] : ["explanation"])
        return CommandResult(try await client.send(APICall(.get, path)).text)
    }
}

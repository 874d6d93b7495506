internal import ArgumentParser

struct TokensCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "tokens", abstract: "List a device's tokens: what each is for, and whether it is valid.",
        discussion: """
            EXAMPLES
              pushcote tokens phone
              pushcote tokens phone --json | jq -r '.registrations[] | select(.kind == "app").token'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String

    static let member = "registrations"
    static let columns = [
        Column("KIND", "kind"), Column("TOPIC", "topic"), Column("ENVIRONMENT", "environment"),
        Column("STATUS", "status"),
        Column("SUBJECT", "subject"), Column("TOKEN", "token"),
    ]
    static let nothing = "The device has no tokens yet."
    var call: APICall { APICall(.get, ["devices", device, "registrations"]) }
}

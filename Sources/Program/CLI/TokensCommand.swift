internal import APNs
internal import AdminAPI
internal import ArgumentParser
internal import DeviceSimulator

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
    static let head = ["KIND", "TOPIC", "ENVIRONMENT", "STATUS", "SUBJECT", "TOKEN"]
    static let nothing = "The device has no tokens yet."
    var call: APICall { APICall(.get, ["devices", device, "registrations"]) }

    static func row(_ token: RegistrationAnswer) -> [String] {
        [
            token.kind.rawValue, token.topic.onOneLine, token.environment.rawValue, token.status.rawValue,
            token.subject?.onOneLine ?? "", token.token.hex,
        ]
    }
}

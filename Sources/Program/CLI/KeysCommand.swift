internal import AdminAPI
internal import ArgumentParser

struct KeysCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "keys", abstract: "List the keys that verify provider tokens.",
        discussion: """
            EXAMPLES
              pushcote keys
              pushcote keys --json | jq -r '.keys[].keyId'
            """)

    @OptionGroup var admin: AdminOptions
    @OptionGroup var options: ListOptions

    static let member = "keys"
    static let head = ["KEY ID", "TEAM ID", "ENVIRONMENTS", "TOPICS"]
    static let nothing = "There are no keys."
    var maximum: Int? { options.maximum }

    static func row(_ key: KeyAnswer) -> [String] {
        let topics = key.topics?.joined(separator: ", ") ?? "all"
        return [key.keyId, key.teamId, key.environments.map(\.rawValue).joined(separator: ", "), topics]
    }
}

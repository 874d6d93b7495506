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
    static let columns = [
        Column("KEY ID", "keyId"), Column("TEAM ID", "teamId"),
        Column("ENVIRONMENTS") { $0.environments.joined(", ") },
        Column("TOPICS") { $0.topics.json == nil ? "all" : $0.topics.joined(", ") },
    ]
    static let nothing = "There are no keys."
    var maximum: Int? { options.maximum }
}

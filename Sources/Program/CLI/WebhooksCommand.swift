internal import ArgumentParser

struct WebhooksCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "webhooks", abstract: "List the webhooks with their results, or show one with its latest deliveries.",
        discussion: """
            EXAMPLES
              pushcote webhooks
              pushcote webhooks tokens:com.example.app
              pushcote webhooks --json | jq '.webhooks[] | select(.failed > 0).lastError'

            To add one, use POST /api/v1/webhooks or the section webhooks of a fixture.
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The webhook's name; without it, all webhooks.") var name: String?

    static let member = "webhooks"
    static let columns = [
        Column("WEBHOOK", "name"), Column("URL", "url"), Column("PENDING", "pending"), Column("DELIVERED", "delivered"),
        Column("FAILED", "failed"), Column("DROPPED", "dropped"), Column("LAST ERROR", "lastError"),
    ]
    static let nothing = "There are no webhooks."
    var element: String? { name }
}

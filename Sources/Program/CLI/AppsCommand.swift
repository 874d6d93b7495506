internal import ArgumentParser

struct AppsCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "apps", abstract: "List the apps, or show one with its entitlements, categories and extension.",
        discussion: """
            EXAMPLES
              pushcote apps
              pushcote apps com.example.app
              pushcote apps --json | jq '.apps[].bundleId'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: ArgumentHelp("The app; without it, all apps.", valueName: "bundle id")) var app: String?

    @OptionGroup var options: ListOptions

    static let member = "apps"
    static let columns = [
        Column("APP", "bundleId"), Column("NAME", "displayName"),
        Column("ENTITLEMENTS") { $0.entitlements.elements.map { lastPart($0.line) }.joined(separator: ", ") },
        Column("CATEGORIES") { $0.categories.elements.compactMap(\.identifier.word).joined(separator: ", ") },
        Column("EXTENSION", "extension.kind"),
    ]
    static let nothing = "There are no apps yet. A push to a topic needs none: its app has the default settings."
    var maximum: Int? { options.maximum }
    var element: String? { app }

    /// `time-sensitive` for `com.apple.developer.usernotifications.time-sensitive`.
    private static func lastPart(_ entitlement: String) -> String {
        String(entitlement.split(separator: ".").last ?? "")
    }
}

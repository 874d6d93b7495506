internal import ArgumentParser
internal import JSON

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
    static let head = ["APP", "NAME", "ENTITLEMENTS", "CATEGORIES", "EXTENSION"]
    static let nothing = "There are no apps yet. A push to a topic needs none: its app has the default settings."
    var maximum: Int? { options.maximum }
    var element: String? { app }

    static func row(_ app: JSONValue) -> [String] {
        let names = app["categories"]?.elements.compactMap { $0["identifier"]?.word } ?? []
        return [
            app["bundleId"]?.word ?? "", app["displayName"]?.word.onOneLine ?? "",
            app["entitlements"]?.elements.map { Self.lastPart($0.word) }.joined(separator: ", ").onOneLine ?? "",
            names.joined(separator: ", ").onOneLine, app["extension"]?["kind"]?.word ?? "",
        ]
    }

    /// `time-sensitive` for `com.apple.developer.usernotifications.time-sensitive`.
    private static func lastPart(_ entitlement: String) -> String {
        String(entitlement.split(separator: ".").last ?? "")
    }
}

internal import ArgumentParser

struct DonationsCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "donations", abstract: "List what apps donated to Siri on a device.",
        discussion: """
            EXAMPLES
              pushcote donations phone
              pushcote donations phone --app com.example.coffee --json | jq -r '.donations[].keys[]'
            """)

    @OptionGroup var admin: AdminOptions
    @Argument(help: "The device's name.") var device: String
    @Option(help: ArgumentHelp("Only this app's.", valueName: "bundle id")) var app: String?

    static let member = "donations"
    static let columns = [
        Column("NUMBER", "number"), Column("TIME", "at"), Column("APP", "app"),
        Column("DIRECTION", "interaction.direction"), Column("KEYS") { $0.keys.joined(" ") },
    ]
    static let nothing = "No donation matches."
    var call: APICall { APICall(.get, ["devices", device, "donations"], query: [("app", app)]) }
}

struct SuggestionsCommand: ListCommand {
    static let configuration = CommandConfiguration(
        "suggestions", abstract: "List what a device suggests, by surface.",
        discussion: """
            EXAMPLES
              pushcote suggestions phone
              pushcote suggestions phone --surface lockScreen
              pushcote suggestions phone --at 2026-01-08T07:06:00Z --json | jq '.keys[] | {id, reason}'
              pushcote act phone runSuggestion --suggestion 'com.example.coffee/OrderCoffeeIntent|item=latte'
            """)

    @OptionGroup var admin: AdminOptions
    @Argument(help: "The device's name.") var device: String
    @Option(help: ArgumentHelp("Only this surface, such as lockScreen.", valueName: "surface")) var surface: String?
    @Option(help: ArgumentHelp("Show the suggestions at this time.", valueName: "time")) var at: String?

    static let member = "suggestions"
    static let columns = [
        Column("SURFACE", "surface"), Column("KIND", "kind"), Column("TITLE", "title"), Column("ID", "id"),
        Column("REASON", "reason"),
    ]
    static let nothing = "Nothing is suggested; --json has the reasons in keys."
    var call: APICall {
        APICall(.get, ["devices", device, "suggestions"], query: [("surface", surface), ("at", at)])
    }
}

struct DonateCommand: CallCommand {
    static let configuration = CommandConfiguration(
        "donate", abstract: "Donate an interaction, an activity or a list from a file, as an app does.",
        discussion: """
            The file has the body of POST /devices/{name}/donations; "-" reads standard input. docs/siri.md describes it.

            EXAMPLES
              pushcote donate phone coffee.json
              echo '{"app":"com.example.weather","interaction":{"intent":{"class":"CheckWeatherIntent"}}}' \\
                | pushcote donate phone -
            """)

    @OptionGroup var admin: AdminOptions
    @Argument(help: "The device's name.") var device: String
    @Argument(help: ArgumentHelp("The file.", valueName: "file")) var file: String

    func request() throws -> APICall {
        APICall(.post, ["devices", device, "donations"], body: try StandardStreams.read(file))
    }

    func words(_ answer: Answer) -> String {
        let keys = answer.donation.keys.joined(" ")
        let outcome = answer.donation.number.word.map { "Donated as \($0): \(keys.isEmpty ? "no key" : keys)" }
        let findings = answer.findings.elements.map { "\($0.finding) [\($0.id.line)]" }
        return ([outcome ?? "Replaced."] + findings).joined(separator: "\n")
    }
}

internal import ArgumentParser
internal import JSON

struct CalendarCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendar",
        abstract: "Show the reservations in a device's calendar, and what a person does with them.",
        discussion: """
            EXAMPLES
              pushcote calendar list phone
              pushcote calendar export phone > trip.ics
              pushcote calendar act phone 1 add
              pushcote calendar act phone 1 open
              pushcote calendar markup phone confirmation.html
            """,
        subcommands: [List.self, Export.self, Act.self, Markup.self])

    struct List: ListCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the events that Siri created.",
            discussion: "EXAMPLES\n  pushcote calendar list phone --json | jq '.events[].title'")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String

        static let member = "events"
        static let columns = [
            Column("EVENT", "event"), Column("STATE", "state"), Column("START", "start.local"),
            Column("TITLE", "title"),
            Column("SUGGESTED") { $0.suggestions.elements.map(\.kind.line).joined(separator: " ") },
        ]
        static let nothing = "There are no reservations."
        var call: APICall { APICall(.get, ["devices", device, "calendar"]) }
    }

    struct Export: AdminCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Print the events as a file that calendars import (RFC 5545).",
            discussion: "EXAMPLES\n  pushcote calendar export phone > trip.ics")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String

        func perform(with client: AdminClient) async throws -> CommandResult {
            CommandResult(try await client.send(APICall(.get, ["devices", device, "calendar.ics"])).text)
        }
    }

    struct Act: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "act", abstract: "Add an event, ignore it, open its app, or check in.",
            discussion: "EXAMPLES\n  pushcote calendar act phone 1 open --whole")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String
        @Argument(help: "The event's number.") var event: Int
        @Argument(help: "add, ignore, open or checkIn.") var act: String
        @Flag(help: "Open the whole reservation, not the item.") var whole = false

        func request() -> APICall {
            APICall(
                .post, ["devices", device, "calendar", "\(event)"],
                json: ["act": .string(act), "isWhole": .bool(whole)])
        }

        func words(_ answer: Answer) -> String { answer.launch.json?.indentedText ?? "Done." }
    }

    struct Markup: CallCommand {
        static let configuration = CommandConfiguration(
            commandName: "markup", abstract: "Let Siri find the reservations in a mail or a web page.",
            discussion: "EXAMPLES\n  pushcote calendar markup phone confirmation.html")

        @OptionGroup var admin: AdminOptions
        @Argument(help: "The device's name.") var device: String
        @Argument(help: ArgumentHelp("HTML or JSON-LD; - reads standard input.", valueName: "file")) var file: String
        @Flag(help: "Found in Safari, not in a mail.") var web = false

        func request() throws -> APICall {
            APICall(
                .post, ["devices", device, "markup"], query: [("source", web ? "web" : "mail")],
                body: try StandardStreams.read(file))
        }

        func words(_ answer: Answer) -> String {
            let events = answer.events.elements.map(\.details).compactMap { details in
                details.act.word.map { "\($0): \(details.title.line)" }
            }
            return (events + answer.findings.elements.map(\.finding)).joined(separator: "\n")
        }
    }
}

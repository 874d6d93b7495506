internal import ArgumentParser
internal import JSON

struct ActCommand: CallCommand {
    static let configuration = CommandConfiguration(
        "act", abstract: "Perform an act of the person or of an app, and print the resulting events.",
        discussion: """
            THE PERSON
              lock, unlock, wake, restart
              open [--app]; terminate --app; uninstall --app; clear [--app]
              tap --notification; dismiss --notification
              perform --notification --action-identifier [--text]
              confirmContact --notification: confirm that the sender is the suggested contact
              switchFocus [--focus]
              answer --choice --app: leaveOn, turnOff, keep or keepInSummary (while the summary is on)
              runSuggestion --suggestion; acceptSuggestion --suggestion; dismissSuggestion --suggestion

            AN APP
              setBadge --count --app
              removeDelivered --identifiers --app; removeAllDelivered --app

            EXAMPLES
              pushcote act phone unlock
              pushcote act phone switchFocus --focus work
              pushcote act phone perform --notification 17 --action-identifier REPLY --text "On my way"
              pushcote act phone setBadge --app com.example.app --count 0 --json | jq '.events[].event'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String

    @Argument(help: "The act.") var action: String

    @Option(help: ArgumentHelp("The notification.", valueName: "id")) var notification: UInt64?

    @Option(help: ArgumentHelp("The app.", valueName: "bundle id")) var app: String?

    @Option(help: ArgumentHelp("The button: an action of the category.", valueName: "id")) var actionIdentifier: String?

    @Option(help: ArgumentHelp("The text for the button's text field.", valueName: "text")) var text: String?

    @Option(help: ArgumentHelp("The Focus to turn on; without it, the Focus is turned off.", valueName: "id"))
    var focus: String?

    @Option(help: ArgumentHelp("The person's answer to the prompt.", valueName: "word")) var choice: String?

    // The gateway names the bound: with `assumptions.negativeBadgeKeepsNotifications`, -1 is valid.
    @Option(parsing: .unconditional, help: ArgumentHelp("The badge.", valueName: "number")) var count: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The identifiers of the notifications to remove.", valueName: "id"))
    var identifiers: [String] = []

    @Option(help: ArgumentHelp("The suggestion's id, from pushcote suggestions.", valueName: "id")) var suggestion:
        String?

    @Argument(help: .hidden) var others: [String] = []

    func validate() throws {
        guard let other = others.first else { return }
        let isNumber = Int64(other) != nil
        let name = action == "setBadge" && isNumber ? "count" : "notification"
        let option = isNumber ? "--\(name) \(other)" : "an option, such as --app \(other.onOneLine)"
        throw ValidationError("'\(other.onOneLine)' is one argument too many; give it as \(option)")
    }

    func request() -> APICall {
        APICall(
            .post, ["devices", device, "actions"],
            json: [
                "action": .string(action), "notification": notification.map { .integer($0) },
                "app": app.map { .string($0) }, "actionIdentifier": actionIdentifier.map { .string($0) },
                "text": text.map { .string($0) }, "focus": focus.map { .string($0) },
                "choice": choice.map { .string($0) }, "count": count.map { .integer($0) },
                "identifiers": identifiers.isEmpty ? nil : .strings(identifiers),
                "suggestion": suggestion.map { .string($0) },
            ])
    }

    func words(_ page: Answer) -> String {
        let events = page.events.elements
        return events.isEmpty ? "The act caused no events." : EventsCommand.table(events)
    }
}

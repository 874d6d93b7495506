internal import ArgumentParser
internal import DeviceModel
internal import JSON

/// `pushcote act`: lets the person or an app do something on a device.
struct ActCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "act",
        abstract: "Let the person or an app do something on a device, and print what came of it.",
        discussion: """
            THE PERSON
              lock, unlock, wake, restart
              open [--app]; terminate --app; uninstall --app; clear [--app]
              tap --notification; dismiss --notification
              perform --notification --action-identifier [--text]
              confirmContact --notification: the sender is the contact that the system suggests
              switchFocus [--focus]
              answer --choice --app: leaveOn, turnOff, keep or keepInSummary (while the summary is on)

            AN APP
              setBadge --count --app
              removeDelivered --identifiers --app; removeAllDelivered --app

            EXAMPLES
              pushcote act phone unlock
              pushcote act phone switchFocus --focus work
              pushcote act phone perform --notification 17 --action-identifier REPLY --text "On my way"
              pushcote act phone setBadge --app com.example.app --count 0 --json | jq '.events[].event'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.")
    var device: String

    @Argument(help: "What is done.")
    var action: String

    @Option(help: ArgumentHelp("The notification it is done to.", valueName: "id"))
    var notification: UInt64?

    @Option(help: ArgumentHelp("The app it is done to, or that does it.", valueName: "bundle id"))
    var app: String?

    @Option(help: ArgumentHelp("The button that is pressed: an action of the category.", valueName: "id"))
    var actionIdentifier: String?

    @Option(help: ArgumentHelp("What is written into the button's field.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("The Focus that is turned on; without it, the Focus is turned off.", valueName: "id"))
    var focus: String?

    @Option(help: ArgumentHelp("What the person answers to the system's question.", valueName: "word"))
    var choice: String?

    @Option(help: ArgumentHelp("The badge.", valueName: "number"))
    var count: Int?

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp("The identifiers of the notifications that are removed.", valueName: "id"))
    var identifiers: [String] = []

    func perform(with client: AdminClient) async throws -> CommandResult {
        let path = ["devices", device, "actions"]
        let answer = try await client.send(AdminRequest(.post, path, body: JSONText.bytes(body)))
        if admin.json { return CommandResult(answer.text) }
        let page = try client.decode(EventsAnswer.self, from: answer, to: "/devices/\(device)/actions")
        return CommandResult(page.events.isEmpty ? "Nothing came of it." : page.text)
    }

    /// What was given, under the names of the admin API.
    private var body: JSONValue {
        var members: [String: JSONValue] = ["action": .string(action)]
        members["notification"] = notification.map { .integer(Int(clamping: $0)) }
        members["app"] = app.map { .string($0) }
        members["actionIdentifier"] = actionIdentifier.map { .string($0) }
        members["text"] = text.map { .string($0) }
        members["focus"] = focus.map { .string($0) }
        members["choice"] = choice.map { .string($0) }
        members["count"] = count.map { .integer($0) }
        members["identifiers"] = identifiers.isEmpty ? nil : .array(identifiers.map { .string($0) })
        return .object(members)
    }
}

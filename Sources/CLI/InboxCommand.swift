internal import AdminAPI
internal import ArgumentParser

/// Which notifications a command is about.
struct NotificationOptions: ParsableArguments {
    @Argument(help: "The device's name; without it, all devices.")
    var device: String?

    @Option(help: ArgumentHelp("Only this topic.", valueName: "topic"))
    var topic: String?

    @Option(help: ArgumentHelp("Only this state, such as delivered, stored or discarded.", valueName: "state"))
    var state: String?

    @Option(help: ArgumentHelp("Only this timing, such as silencedByFocus.", valueName: "timing"))
    var timing: String?

    @Option(help: ArgumentHelp("Only with this text in title, subtitle or body.", valueName: "text"))
    var text: String?

    @Option(help: ArgumentHelp("Only notifications after this number.", valueName: "id"))
    var since: UInt64?

    var query: [(name: String, value: String?)] {
        [
            ("device", device), ("topic", topic), ("state", state), ("timing", timing), ("text", text),
            ("since", since.map { String($0) }),
        ]
    }
}

struct InboxCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "inbox",
        abstract: "List the notifications of one device, or of all, oldest first.",
        discussion: """
            STATE is the state of the push, with the reason if it is not delivered. TIMING is the outcome on the device, such \
            as now, silencedByFocus or deferredToSummary. pushcote explain says why.

            EXAMPLES
              pushcote inbox
              pushcote inbox phone --text "is ready"
              pushcote inbox phone --timing silencedByFocus
              pushcote inbox phone --json | jq '.notifications[].title'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions
    @OptionGroup var filter: NotificationOptions

    @Option(help: ArgumentHelp("The maximum number of notifications, 1 to 1000.", valueName: "number"))
    var limit = 100

    func perform(with client: AdminClient) async throws -> CommandResult {
        let call = APICall(.get, ["notifications"], query: filter.query + [("limit", String(limit))])
        return try await print(call, with: client) { (page: NotificationsAnswer) in
            CommandResult(page.text, remark: page.remark)
        }
    }
}

extension NotificationAnswer {
    /// The state, with what keeps it from the device.
    fileprivate var stateAndReason: String { (discardReason ?? holdReason).map { "\(state): \($0)" } ?? state }
}

extension NotificationsAnswer {
    var text: String {
        guard !notifications.isEmpty else { return "No notification matches." }
        let rows = notifications.map { notification in
            let words = [notification.sender ?? notification.title, notification.subtitle, notification.body]
                .compactMap(\.self)
            return [
                String(notification.id), notification.receivedAt, notification.device.onOneLine,
                notification.topic.onOneLine, notification.pushType ?? "-", notification.stateAndReason,
                notification.timing ?? "-",
                words.joined(separator: " | ").onOneLine,
            ]
        }
        return TextTable(["ID", "RECEIVED", "DEVICE", "TOPIC", "TYPE", "STATE", "TIMING", "TEXT"], rows).text
    }

    /// What the list does not show.
    var remark: String {
        var sentences: [String] = []
        if hasGap {
            sentences.append(
                "Some requested notifications have been evicted (\(dropped) in total); see inbox.perDevice.")
        }
        if hasMore { sentences.append("More: --since \(next)") }
        return sentences.joined(separator: "\n")
    }
}

internal import ArgumentParser
internal import DeviceModel
internal import JSON

struct NotificationOptions: ParsableArguments {
    @Argument(help: "The device's name; without it, all devices.") var device: String?

    @Option(help: ArgumentHelp("Only this topic.", valueName: "topic")) var topic: String?

    @Option(help: ArgumentHelp("Only this state, such as delivered, stored or discarded.", valueName: "state"))
    var state: String?

    @Option(help: ArgumentHelp("Only this timing, such as silencedByFocus.", valueName: "timing")) var timing: String?

    @Option(help: ArgumentHelp("Only with this text in title, subtitle or body.", valueName: "text")) var text: String?

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp("Only with this condition, such as payload.aps.badge>2; repeatable.", valueName: "condition")
    )
    var conditions: [String] = []

    @Option(help: ArgumentHelp("Only notifications after this number.", valueName: "id")) var since: UInt64?

    /// The options as conditions.
    var conditionsOfAll: [String] {
        let equal = [("topic", topic), ("state", state), ("timing", timing)].compactMap { name, value in
            value.map { "\(name)=\(JSONValue.string($0).text)" }
        }
        return equal + [text.map { "text~\(JSONValue.string($0).text)" }].compactMap(\.self) + conditions
    }
}

protocol NotificationListCommand: ListCommand {
    var filter: NotificationOptions { get }
}

extension AdminClient {
    static func noDevice(_ name: String) -> String {
        "there is no device '\(name.onOneLine)'; pushcote devices lists them"
    }

    /// - Returns: The result; if it shows nothing because the device does not exist, it says so.
    func explained(_ result: CommandResult, device: String?) async throws -> CommandResult {
        guard let device else { return result }
        do {
            _ = try await send(APICall(.get, ["devices", device]))
            return result
        } catch {
            guard case .refused(status: 404, message: _) = error else { throw error }
        }
        let remark = [result.remark, Self.noDevice(device)].filter { !$0.isEmpty }.joined(separator: "; ")
        return CommandResult(result.output, remark: remark, status: result.status == .ok ? .failed : result.status)
    }
}

extension NotificationListCommand {
    static var member: String { "notifications" }
    static var paging: Paging { .newestFirst }
    static var columns: [Column] {
        [
            Column("ID", "id"), Column("RECEIVED", "receivedAt"), Column("DEVICE", "device"), Column("TOPIC", "topic"),
            Column("TYPE", "pushType", or: "-"),
            Column("STATE") { notification in
                let reason = notification.discardReason.word ?? notification.holdReason.word
                return notification.state.line + (reason.map { ": \($0)" } ?? "")
            },
            Column("TIMING", "timing", or: "-"), Column("TEXT") { $0.notificationText },
        ]
    }
    static var nothing: String { "No notification matches." }

    var since: UInt64? { filter.since }

    var call: APICall {
        APICall(
            .get, ["notifications"],
            query: [
                ("device", filter.device), ("topic", filter.topic), ("state", filter.state),
                ("timing", filter.timing), ("text", filter.text),
            ] + filter.conditions.map { ("where", $0) })
    }
}

extension Answer {
    /// Of a notification: who or what, then the text.
    var notificationText: String {
        [self.sender.word ?? self.title.word, self.subtitle.word, self.body.word].compactMap(\.self)
            .joined(separator: " | ")
    }
}

struct InboxCommand: NotificationListCommand {
    static let configuration = CommandConfiguration(
        "inbox", abstract: "List the notifications of one device, or of all, oldest first.",
        discussion: """
            STATE is the state of the push, with the reason if it is not delivered. TIMING is the outcome on the device, such \
            as now, silencedByFocus or deferredToSummary. pushcote explain says why.

            EXAMPLES
              pushcote inbox
              pushcote inbox phone --text "is ready"
              pushcote inbox phone --timing silencedByFocus
              pushcote inbox --follow
              pushcote inbox phone --json | jq '.notifications[].title'
            """)

    @OptionGroup var admin: AdminOptions
    @OptionGroup var filter: NotificationOptions
    @OptionGroup var options: ListOptions

    @Flag(help: "Print new notifications as they arrive.") var follow = false

    var maximum: Int? { options.maximum }

    func perform(with client: AdminClient) async throws -> CommandResult {
        let result = try await list(with: client)
        return result.output == Self.nothing ? try await client.explained(result, device: filter.device) : result
    }
}

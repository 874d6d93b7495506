internal import ArgumentParser

struct ScreenCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "screen",
        abstract: "Show a device's lock screen, Notification Center and badges, as the person sees them.",
        discussion: """
            The newest notification comes first. The number before each is the one for act and explain.

            EXAMPLES
              pushcote screen phone
              pushcote screen phone --json | jq '.notificationCenter[].notifications[].title'

            \(ExitStatus.paragraph([.ok, .failed, .unreachable, .usage]))
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.")
    var device: String

    func perform(with client: AdminClient) async throws -> CommandResult {
        try await print(APICall(.get, ["devices", device, "screen"]), with: client) { (screen: ScreenAnswer) in
            CommandResult(screen.text(of: device))
        }
    }
}

/// `GET /devices/{name}/screen`.
struct ScreenAnswer: Decodable {
    private let at: String
    private let isLocked: Bool
    private let isScreenOn: Bool
    private let foregroundApp: String?
    private let focus: Focus?
    private let lockScreen: [Stack]
    private let notificationCenter: [Stack]
    private let nextSummary: Summary?
    private let badges: [String: Int]
    private let prompts: [Prompt]

    private struct Focus: Decodable {
        var id: String
        var name: String?
    }

    /// Notifications that lie on each other, the top one first.
    private struct Stack: Decodable {
        var text: String?
        var notifications: [Card]
    }

    /// What waits for the scheduled summary.
    private struct Summary: Decodable {
        var at: String?
        var count: Int
        var notifications: [Card]?
    }

    /// What the system asks about an app.
    private struct Prompt: Decodable {
        var app: String
        var prompt: String
        var choices: [String]
    }

    /// A notification as it is shown.
    private struct Card: Decodable {
        var notification: UInt64
        var at: String
        var appName: String
        var title: String
        var subtitle: String?
        var body: String?
        var label: String?
        var avatar: Avatar?
        var section: String?
        var suggestion: Suggestion?
        var buttons: [Button]?
    }

    /// A contact whom the system takes the sender for.
    private struct Suggestion: Decodable {
        var name: String
        var contact: String
    }

    /// Whose picture stands beside the text.
    private struct Avatar: Decodable {
        var image: String?
        var monogram: String?

        /// What can be shown of it in a terminal.
        var text: String { image != nil ? "(picture) " : monogram.flatMap { $0.isEmpty ? nil : "(\($0)) " } ?? "" }
    }

    private struct Button: Decodable {
        var title: String
        var takesText: Bool?
    }

    // MARK: For people

    func text(of device: String) -> String {
        var parts = ["\(device.onOneLine)  \(at)  \(state)"]
        if isLocked { parts.append(Self.section("LOCK SCREEN", lockScreen.flatMap(Self.lines))) }
        parts.append(Self.section("NOTIFICATION CENTER", notificationCenter.flatMap(Self.lines)))
        if let nextSummary, nextSummary.count > 0 {
            let lines = ["\(nextSummary.count) waiting"] + (nextSummary.notifications ?? []).flatMap(Self.lines)
            parts.append(Self.section("NEXT SUMMARY\(nextSummary.at.map { "  \($0)" } ?? "")", lines))
        }
        let icons = badges.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        if !icons.isEmpty { parts.append(Self.section("BADGES", icons)) }
        let questions = prompts.map { "\($0.app): \($0.prompt) (\($0.choices.joined(separator: ", ")))" }
        if !questions.isEmpty { parts.append(Self.section("THE SYSTEM ASKS", questions)) }
        return parts.joined(separator: "\n\n")
    }

    private var state: String {
        var words = [isLocked ? "locked" : "unlocked", isScreenOn ? "screen on" : "screen off"]
        if let focus { words.append("Focus: \((focus.name.flatMap { $0.isEmpty ? nil : $0 } ?? focus.id).onOneLine)") }
        if let foregroundApp { words.append("\(foregroundApp) in front") }
        return words.joined(separator: ", ")
    }

    private static func section(_ heading: String, _ lines: [String]) -> String {
        ([heading] + (lines.isEmpty ? ["(empty)"] : lines).map { "  \($0)" }).joined(separator: "\n")
    }

    /// The notification on top, and how many lie below it.
    private static func lines(_ stack: Stack) -> [String] {
        guard let top = stack.notifications.first else { return [] }
        let below = stack.notifications.dropFirst().map { String($0.notification) }
        guard !below.isEmpty else { return lines(top) }
        let text = (stack.text ?? "more").onOneLine
        return lines(top) + ["    \(text): \(below.joined(separator: ", "))"]
    }

    private static func lines(_ card: Card) -> [String] {
        let marks = [card.label, card.section == "whileInFocus" ? "While in Focus" : nil].compactMap(\.self)
        let head = (["\(card.notification)", card.appName.onOneLine] + marks.map { "[\($0)]" } + [card.at])
            .joined(separator: "  ")
        let title = card.title == card.appName && card.avatar == nil ? nil : (card.avatar?.text ?? "") + card.title
        var lines = [title, card.subtitle, card.body].compactMap(\.self).filter { !$0.isEmpty }.map(\.onOneLine)
        if let suggestion = card.suggestion {
            lines.append("Is this \(suggestion.name.onOneLine) of Contacts (\(suggestion.contact.onOneLine))?")
        }
        if let buttons = card.buttons, !buttons.isEmpty {
            lines.append(
                buttons.map { "(\($0.title.onOneLine)\($0.takesText == true ? "…" : ""))" }.joined(separator: " "))
        }
        return [head] + lines.map { "    \($0)" }
    }
}

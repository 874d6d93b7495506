internal import AdminAPI
internal import ArgumentParser
internal import DeviceModel
internal import DeviceSimulator
internal import JSON
internal import Time

struct ScreenCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "screen", abstract: "Show a device's lock screen, Notification Center and badges, as the person sees them.",
        discussion: """
            The newest notification comes first. The number before each is the one for act and explain.

            EXAMPLES
              pushcote screen phone
              pushcote screen phone --svg phone.svg --form lockScreen --appearance dark
              pushcote screen phone --json | jq '.notificationCenter[].notifications[].title'
            """)

    @OptionGroup var admin: AdminOptions

    @OptionGroup var picture: ScreenPictureOptions

    @Argument(help: "The device's name.") var device: String

    func perform(with client: AdminClient) async throws -> CommandResult {
        let path = ["devices", device, "screen.svg"]
        if let result = try await picture.result(of: path, with: client, asJSON: admin.json) { return result }
        return try await print(APICall(.get, ["devices", device, "screen"]), with: client) { (screen: ScreenAnswer) in
            screen.text(of: device)
        }
    }
}

extension ScreenAnswer {
    func text(of device: String) -> String {
        var parts = ["\(device.onOneLine)  \(at.text)  \(state)"]
        if isLocked { parts.append(Self.section("LOCK SCREEN", lockScreen.flatMap(Self.lines))) }
        parts.append(Self.section("NOTIFICATION CENTER", notificationCenter.flatMap(Self.lines)))
        if let nextSummary, nextSummary.count > 0 {
            let lines = ["\(nextSummary.count) waiting"] + (nextSummary.notifications ?? []).flatMap(Self.lines)
            parts.append(Self.section("NEXT SUMMARY\(nextSummary.at.map { "  \($0.text)" } ?? "")", lines))
        }
        let icons = badges.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
        if !icons.isEmpty { parts.append(Self.section("BADGES", icons)) }
        let questions = prompts.map {
            "\($0.app): \($0.prompt.rawValue) (\($0.choices.map(\.rawValue).joined(separator: ", ")))"
        }
        if !questions.isEmpty { parts.append(Self.section("THE SYSTEM ASKS", questions)) }
        return parts.joined(separator: "\n\n")
    }

    private var state: String {
        if !isPoweredOn { return "switched off" }
        var words = [isLocked ? "locked" : "unlocked", isScreenOn ? "screen on" : "screen off"]
        if let focus { words.append("Focus: \((focus.name.isEmpty ? focus.id : focus.name).onOneLine)") }
        if let foregroundApp { words.append("\(foregroundApp) in front") }
        return words.joined(separator: ", ")
    }

    private static func section(_ heading: String, _ lines: [String]) -> String {
        ([heading] + (lines.isEmpty ? ["(empty)"] : lines).map { "  \($0)" }).joined(separator: "\n")
    }

    private static func lines(_ stack: Stack) -> [String] {
        guard let top = stack.notifications.first else { return [] }
        let below = stack.notifications.dropFirst().map { String($0.notification) }
        guard !below.isEmpty else { return lines(top) }
        let text = (stack.text ?? "more").onOneLine
        return lines(top) + ["    \(text): \(below.joined(separator: ", "))"]
    }

    private static func lines(_ card: Card) -> [String] {
        let marks = [card.label, card.section == "whileInFocus" ? "While in Focus" : nil].compactMap(\.self)
        let head = (["\(card.notification)", card.appName.onOneLine] + marks.map { "[\($0)]" } + [card.at.text])
            .joined(separator: "  ")
        let title = card.title == card.appName && card.avatar == nil ? nil : picture(card.avatar) + card.title
        var lines = [title, card.subtitle, card.body].compactMap(\.self).filter { !$0.isEmpty }.map(\.onOneLine)
        if let suggestion = card.suggestion {
            lines.append("Is this \(suggestion.name.onOneLine) of Contacts (\(suggestion.contact.onOneLine))?")
        }
        if let buttons = card.buttons, !buttons.isEmpty {
            lines.append(buttons.map { "(\($0.title.onOneLine)\($0.takesText ? "…" : ""))" }.joined(separator: " "))
        }
        return [head] + lines.map { "    \($0)" }
    }

    private static func picture(_ avatar: DisplayedTextAnswer.Avatar?) -> String {
        if avatar?.image != nil { return "(picture) " }
        return avatar?.monogram?.ifAny.map { "(\($0)) " } ?? ""
    }
}

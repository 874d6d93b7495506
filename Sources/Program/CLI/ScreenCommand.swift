internal import ArgumentParser
internal import JSON

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
        return try await print(APICall(.get, ["devices", device, "screen"]), with: client) { $0.screen(of: device) }
    }
}

extension Answer {
    fileprivate func screen(of device: String) -> String {
        var parts = ["\(device.onOneLine)  \(self.at.line)  \(deviceState)"]
        for (heading, voice) in [("A CALL RINGS", self.call), ("PUSH TO TALK", self.speaker)] where voice.json != nil {
            parts.append(Self.section(heading, ["\(voice.name.word ?? "(no name)")  \(voice.appName.line)"]))
        }
        let banners = (self.banner.json.map { _ in self.banner.cardLines } ?? []) + self.activities.banner.activityLines
        if !banners.isEmpty { parts.append(Self.section("BANNER", banners)) }
        let island = self.activities.island
        if island.isExpanded.isTrue { parts.append(Self.section("DYNAMIC ISLAND", island.expanded.activityLines)) }
        let activities = self.activities.lockScreen.elements.flatMap(\.activityLines)
        if self.isLocked.isTrue {
            parts.append(Self.section("LOCK SCREEN", activities + self.lockScreen.elements.flatMap(\.stackLines)))
        }
        parts.append(
            Self.section(
                "NOTIFICATION CENTER", activities + self.notificationCenter.elements.flatMap(\.stackLines)))
        let next = self.nextSummary
        if let count = next.count.int, count > 0 {
            let lines = ["\(count) waiting"] + next.notifications.elements.flatMap(\.cardLines)
            parts.append(Self.section("NEXT SUMMARY\(next.at.word.map { "  \($0)" } ?? "")", lines))
        }
        let icons = (self.badges.json?.sorted.leaves ?? []).filter { !$0.path.isEmpty }.map {
            "\($0.path): \($0.value)"
        }
        if !icons.isEmpty { parts.append(Self.section("BADGES", icons)) }
        var questions = self.prompts.elements.map { "\($0.app.line): \($0.prompt.line) (\($0.choices.joined(", ")))" }
        let asked = self.activities.question
        if asked.json != nil {
            questions.append("\(asked.app.line): \(asked["text"].line) (\(asked.choices.joined(", ")))")
        }
        if !questions.isEmpty { parts.append(Self.section("THE SYSTEM ASKS", questions)) }
        return parts.joined(separator: "\n\n")
    }

    private var deviceState: String {
        if !self.isPoweredOn.isTrue { return "switched off" }
        var words = [self.isLocked.isTrue ? "locked" : "unlocked", self.isScreenOn.isTrue ? "screen on" : "screen off"]
        if let id = self.focus.id.word { words.append("Focus: \(self.focus.name.line.ifAny ?? id)") }
        if let app = self.foregroundApp.word { words.append("\(app) in front") }
        return words.joined(separator: ", ")
    }

    private static func section(_ heading: String, _ lines: [String]) -> String {
        ([heading] + (lines.isEmpty ? ["(empty)"] : lines).map { "  \($0)" }).joined(separator: "\n")
    }

    private var stackLines: [String] {
        guard let top = self.notifications.elements.first else { return [] }
        let below = self.notifications.elements.dropFirst().map(\.notification.line)
        guard !below.isEmpty else { return top.cardLines }
        return top.cardLines + ["    \(self["text"].word ?? "more"): \(below.joined(separator: ", "))"]
    }

    private var cardLines: [String] {
        let marks = [self.label.word, self.section.word == "whileInFocus" ? "While in Focus" : nil].compactMap(\.self)
        let head = ([self.notification.line, self.appName.line] + marks.map { "[\($0)]" } + [self.at.line])
            .joined(separator: "  ")
        let isApp = self.title.text == self.appName.text && self.avatar.json == nil
        let title = isApp ? "" : self.avatar.picture + self.title.line
        var lines = [title, self.subtitle.line, self.body.line].filter { !$0.isEmpty }
        if let name = self.suggestion.name.word {
            lines.append("Is this \(name) of Contacts (\(self.suggestion.contact.line))?")
        }
        let buttons = self.buttons.elements.map { "(\($0.title.line)\($0.takesText.isTrue ? "…" : ""))" }
        if !buttons.isEmpty { lines.append(buttons.joined(separator: " ")) }
        return [head] + lines.map { "    \($0)" }
    }

    private var activityLines: [String] {
        guard self.json != nil else { return [] }
        let lines = [self.title.line] + self.lines.elements.map(\.line)
        return ["Live Activity  \(self.appName.line)\(self.isGreyed.isTrue ? "  [hidden until unlocked]" : "")"]
            + lines.filter { !$0.isEmpty }.map { "    \($0)" }
    }

    private var picture: String {
        self.image.json == nil ? self.monogram.line.ifAny.map { "(\($0)) " } ?? "" : "(picture) "
    }
}

internal import ArgumentParser
internal import DeviceModel
internal import JSON
package import PushcoteConfiguration

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where a command takes its configuration from.
package struct ConfigurationOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The configuration file. (default: $PUSHCOTE_CONFIG, else pushcote.yaml or config.yaml if there is one)",
            valueName: "path"))
    var config: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Set one key, such as auth.mode=strict; repeatable. Overrides environment and file.",
            valueName: "section.key=value"))
    var overrides: [String] = []

    /// Makes options; the parser fills them.
    package init() {}

    /// What the options, the environment and the file say together.
    package var sources: ConfigurationSources {
        ConfigurationSources(path: config, environment: ProcessInfo.processInfo.environment, overrides: overrides)
    }

    /// Reads everything.
    /// - Throws: `CommandFailure` with every problem found.
    package func load() throws(CommandFailure) -> EffectiveConfiguration {
        do {
            return try sources.load()
        } catch {
            throw CommandFailure(.badConfiguration, "invalid configuration\n\(error)")
        }
    }
}

/// `pushcote config`: prints every setting.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print every setting with its value and origin.",
        discussion: """
            Flags override the environment, the environment overrides the file, the file overrides the profile. Unknown keys \
            and invalid values are reported with file and line.

            EXAMPLES
              pushcote config
              pushcote config --set profile=strict
              PUSHCOTE_AUTH_MODE=off pushcote config --json

            \(ExitStatus.paragraph([.ok, .badConfiguration, .usage]))
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print as JSON.")
    var json = false

    func run() async throws {
        let effective = try options.load()
        StandardStreams.writeError(effective.warning ?? "")
        StandardStreams.write(json ? effective.json : effective.table)
    }
}

extension EffectiveConfiguration {
    /// One line for each setting: name, value, origin.
    package var table: String {
        let rows = entries.map { entry in
            [entry.setting.name, entry.shown.yaml, "\(entry.origin)"]
        }
        let contents = configuration.contents
        let counts = "\(contents.keys.count) keys, \(contents.apps.count) apps and \(contents.devices.count) devices"
        return TextTable(["SETTING", "VALUE", "FROM"], rows).text + "\nContents: \(counts)."
    }

    /// The settings as one JSON object.
    package var json: String {
        let settings = entries.map { entry in
            JSONValue.object([
                "name": .string(entry.setting.name), "value": entry.json, "from": .string("\(entry.origin)"),
                "environmentVariable": .string(entry.setting.environmentName),
                "accepted": .string(entry.setting.accepted), "unit": entry.setting.unit.map { .string($0) } ?? .null,
            ])
        }
        let contents = configuration.contents
        return JSONText.text([
            "settings": .array(settings), "keyCount": .integer(contents.keys.count),
            "appCount": .integer(contents.apps.count), "deviceCount": .integer(contents.devices.count),
        ])
    }
}

extension EffectiveConfiguration.Entry {
    var shown: SettingText { setting.isSecret && value != .absent ? .scalar("(not shown)") : value }

    var json: JSONValue {
        switch shown {
        case .absent: .null
        case .list(let elements): .array(elements.map { .string($0) })
        case .scalar("true") where setting.isLiteral: .bool(true)
        case .scalar("false") where setting.isLiteral: .bool(false)
        case .scalar(let text): setting.isLiteral ? Int(text).map { .integer($0) } ?? .string(text) : .string(text)
        }
    }
}

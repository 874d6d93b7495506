internal import ArgumentParser
internal import FoundationEssentials
internal import JSON
package import PushcoteConfiguration

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

    package init() {}

    package var sources: ConfigurationSources {
        ConfigurationSources(path: config, environment: ProcessInfo.processInfo.environment, overrides: overrides)
    }

    /// - Parameter other: Instead of `sources`.
    /// - Throws: `CommandFailure` with every problem found.
    package func load(_ other: ConfigurationSources? = nil) throws(CommandFailure) -> EffectiveConfiguration {
        do {
            return try (other ?? sources).load()
        } catch {
            throw CommandFailure(.badConfiguration, "invalid configuration\n\(error)")
        }
    }
}

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "config", abstract: "Print every setting with its value and origin.",
        exits: [.ok, .badConfiguration, .usage],
        discussion: """
            Flags override the environment, the environment overrides the file, the file overrides the profile. Unknown keys \
            and invalid values are reported with file and line.

            EXAMPLES
              pushcote config
              pushcote config --set profile=strict
              PUSHCOTE_AUTH_MODE=off pushcote config --json
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print as JSON.") var json = false

    func run() async throws {
        let effective = try options.load()
        for warning in effective.warnings { StandardStreams.writeError(warning) }
        StandardStreams.write(json ? effective.json : effective.table)
    }
}

extension EffectiveConfiguration {
    /// One line per setting: name, value, origin.
    package var table: String {
        let rows = entries.map { entry in [entry.setting.name, entry.shown.yaml, "\(entry.origin)"] }
        let contents = configuration.contents
        let counts = "\(contents.keys.count) keys, \(contents.apps.count) apps and \(contents.devices.count) devices"
        return TextTable(["SETTING", "VALUE", "FROM"], rows).text + "\nContents: \(counts)."
    }

    package var json: String {
        let settings = entries.map { entry in
            JSONValue.object([
                "name": .string(entry.setting.name), "value": entry.shown, "from": .string("\(entry.origin)"),
                "environmentVariable": .string(entry.setting.environmentName),
                "accepted": .string(entry.setting.accepted), "unit": entry.setting.unit.map { .string($0) } ?? .null,
            ])
        }
        let contents = configuration.contents
        return JSONValue.object([
            "settings": .array(settings), "keyCount": .integer(contents.keys.count),
            "appCount": .integer(contents.apps.count), "deviceCount": .integer(contents.devices.count),
        ]).indentedText
    }
}

extension EffectiveConfiguration.Entry {
    var shown: JSONValue { setting.isSecret && value != .null ? .string("(not shown)") : value }
}

internal import Fields
package import JSON

/// A configuration and where each of its values came from.
package struct EffectiveConfiguration: Sendable {
    /// What holds.
    package var configuration: Configuration
    /// By the setting's name; a setting without one has the default.
    private(set) var origins: [String: Origin] = [:]

    /// A file of the default's name that is not read, as nothing in it is for us.
    package internal(set) var foreignFile: String?

    /// What is said of it.
    package var warning: String? {
        foreignFile.map {
            "\($0) has no Pushcote key and is ignored; put settings into pushcote.yaml, or name a file with --config"
        }
    }

    /// Where a value came from.
    package enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// The default of `Profile.faithful`.
        case builtIn
        /// Another profile's default.
        case profile(Profile)
        /// The configuration file.
        case file(SourcePosition)
        /// The variable's name.
        case environment(String)
        /// `--set`.
        case flag

        /// For people: `config.yaml:3`.
        package var description: String {
            switch self {
            case .builtIn: "default"
            case .profile(let profile): "profile \(profile.rawValue)"
            case .file(let position): "\(position.file):\(position.line)"
            case .environment(let name): name
            case .flag: "--set"
            }
        }
    }

    /// A setting's value as `pushcote config` shows it.
    package struct Entry: Sendable {
        package var setting: Setting
        package var value: JSONValue
        package var origin: Origin
    }

    package init(profile: Profile) {
        configuration = Configuration(profile: profile)
    }

    /// Puts a value in its place.
    mutating func apply(_ json: JSONValue, to setting: Setting, from origin: Origin) {
        if setting.apply(json, to: &configuration).isEmpty { origins[setting.name] = origin }
    }

    /// Every setting in the order of `config.yaml`.
    package var entries: [Entry] {
        let builtIn = Configuration()
        let defaults = Configuration(profile: configuration.profile)
        return Setting.all.map { setting in
            let isOfProfile = setting.name != "profile" && setting.value(in: defaults) != setting.value(in: builtIn)
            return Entry(
                setting: setting, value: setting.value(in: configuration),
                origin: origins[setting.name] ?? (isOfProfile ? .profile(configuration.profile) : .builtIn))
        }
    }

    /// Where the value of a setting came from; `nil` when there is no setting of the name.
    package func origin(of name: String) -> Origin? { entries.first { $0.setting.name == name }?.origin }
}

extension JSONValue {
    /// The value as YAML has it on one line.
    package var yaml: String {
        switch self {
        case .string(let text):
            // Quotes for what YAML would read as something else.
            let isPlain =
                text.first.map { $0.isLetter || $0.isNumber } == true
                && !text.contains { ":#,[]{}\"'\\".contains($0) }
            return isPlain ? text : "\"\(text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined())\""
        case .array(let elements): return "[\(elements.map(\.yaml).joined(separator: ", "))]"
        case .null, .bool, .integer, .number, .object, .verbatim: return words
        }
    }
}

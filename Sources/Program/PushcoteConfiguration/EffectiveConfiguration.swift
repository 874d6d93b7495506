internal import APNs
internal import Fields
internal import Gateway
package import JSON

package struct EffectiveConfiguration: Sendable {
    package var configuration: Configuration
    private var origins: [String: Origin] = [:]

    /// A file with the default name, ignored because no key belongs to Pushcote.
    package internal(set) var foreignFile: String?

    /// Likely mistakes that do not prevent the start.
    package var warnings: [String] {
        var warnings: [String] = []
        if let foreignFile {
            warnings.append(
                "\(foreignFile) has no Pushcote key and is ignored; put settings into pushcote.yaml, or name a file with "
                    + "--config")
        }
        for entry in configuration.contents.keys {
            for (name, id) in [("keyId", entry.key.keyID), ("teamId", entry.key.teamID)] where id.utf8.count != 10 {
                warnings.append("\(entry.position): \(name) \"\(id)\" does not have 10 characters, as Apple's IDs do")
            }
        }
        return warnings
    }

    package enum Origin: Hashable, Sendable, CustomStringConvertible {
        /// The default of `Profile.faithful`.
        case builtIn
        /// Another profile's default.
        case profile(Profile)
        case file(SourcePosition)
        case environment(String)
        case flag

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

    /// A line of `pushcote config`.
    package struct Entry: Sendable {
        package var setting: Setting
        package var value: JSONValue
        package var origin: Origin
    }

    package init(profile: Profile) { configuration = Configuration(profile: profile) }

    mutating func apply(_ json: JSONValue, to setting: Setting, from origin: Origin) {
        if setting.apply(json, to: &configuration).isEmpty { origins[setting.name] = origin }
    }

    /// For showing a recorded run: uses its settings, overridden by flags only, and no others.
    package mutating func apply(recorded settings: JSONObject) {
        // A profile that a flag names decides what it sets.
        let ofProfile = origins["profile"] == .flag ? namesOfProfile : []
        for (name, value) in settings {
            guard let setting = Setting.byName[name], setting.isDecisive, origins[name] != .flag,
                !ofProfile.contains(name)
            else { continue }
            _ = setting.apply(value, to: &configuration)
        }
        configuration.journal = .memory
        configuration.contents = Fixtures()
        configuration.relay = RelaySettings()
    }

    /// The settings whose defaults the profile changes.
    private var namesOfProfile: Set<String> {
        let (builtIn, defaults) = (Configuration(), Configuration(profile: configuration.profile))
        let changed = Setting.all.filter { $0.name != "profile" && $0.value(in: defaults) != $0.value(in: builtIn) }
        return Set(changed.map(\.name))
    }

    /// In the order of `config.yaml`.
    package var entries: [Entry] {
        let ofProfile = namesOfProfile
        return Setting.all.map { setting in
            let origin = ofProfile.contains(setting.name) ? Origin.profile(configuration.profile) : .builtIn
            return Entry(
                setting: setting, value: setting.value(in: configuration), origin: origins[setting.name] ?? origin)
        }
    }

    package func origin(of name: String) -> Origin? { entries.first { $0.setting.name == name }?.origin }

    /// Sets port 0 on IPv4 loopback for every listener with a default address.
    package mutating func listenOnFreePorts() {
        for (setting, addresses) in Configuration.Listen.lists where origin(of: setting) == .builtIn {
            configuration.listen[keyPath: addresses] = [HostPort(host: "127.0.0.1", port: 0)]
        }
    }
}

extension JSONValue {
    package var yaml: String {
        switch self {
        case .string(let text):
            // Quotes text that YAML would read as another type.
            let isPlain =
                text.first.map { $0.isLetter || $0.isNumber } == true
                && !text.contains { ":#,[]{}\"'\\".contains($0) }
            return isPlain ? text : "\"\(text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }.joined())\""
        case .array(let elements): return "[\(elements.map(\.yaml).joined(separator: ", "))]"
        case .null, .bool, .integer, .number, .object, .verbatim: return words
        }
    }
}

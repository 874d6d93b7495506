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
        package var value: SettingText
        package var origin: Origin
    }

    package init(profile: Profile) {
        configuration = Configuration(profile: profile)
    }

    /// Puts a value in its place; false when the text is none.
    package mutating func apply(_ text: SettingText, to setting: Setting, in folder: String = "", from origin: Origin)
        -> Bool
    {
        guard setting.apply(&configuration, text, folder) else { return false }
        origins[setting.name] = origin
        return true
    }

    /// Every setting in the order of `config.yaml`.
    package var entries: [Entry] {
        let builtIn = Configuration()
        let defaults = Configuration(profile: configuration.profile)
        return Setting.all.map { setting in
            let isOfProfile = setting.name != "profile" && setting.show(defaults) != setting.show(builtIn)
            return Entry(
                setting: setting, value: setting.show(configuration),
                origin: origins[setting.name] ?? (isOfProfile ? .profile(configuration.profile) : .builtIn))
        }
    }

    /// Where the value of a setting came from; `nil` when there is no setting of the name.
    package func origin(of name: String) -> Origin? { entries.first { $0.setting.name == name }?.origin }
}

internal import Credentials
internal import DeviceModel
internal import Fields
internal import Yams

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Where a configuration is read from. Flags win over the environment, the environment over the file, the file over the
/// profile's defaults.
package struct ConfigurationSources: Sendable {
    /// The configuration file; `nil` reads the first of `defaultPaths` in the working folder that there is.
    package var path: String?
    /// Environment variables; those that do not begin with `PUSHCOTE_` are left alone.
    package var environment: [String: String]
    /// `section.key=value`, as the flag `--set` takes them; a later one wins.
    package var overrides: [String]

    /// The files that are looked for when none is named, the first one first.
    package static let defaultPaths = ["pushcote.yaml", sharedPath]
    /// A name that other programs use, too: without a key of ours the file is somebody else's.
    package static let sharedPath = "config.yaml"

    package init(path: String? = nil, environment: [String: String] = [:], overrides: [String] = []) {
        self.path = path
        self.environment = environment
        self.overrides = overrides
    }

    /// Reads everything, the fixtures' folder too.
    /// - Throws: `ConfigurationError` with every problem found.
    package func load() throws(ConfigurationError) -> EffectiveConfiguration {
        let (file, foreign) = file()
        do throws(ConfigurationError) {
            var effective = try load(file: file)
            effective.foreignFile = foreign
            return effective
        } catch {
            // Only for the default file, which may be another program's.
            guard let file, path == nil, file.name == Self.sharedPath, environment["PUSHCOTE_CONFIG"] ?? "" == "",
                error.problems.contains(where: { $0.place.hasPrefix(file.name) })
            else { throw error }
            throw ConfigurationError(
                problems: error.problems + [
                    ConfigurationProblem(
                        place: file.name,
                        message:
                            "if this is another program's file, create a pushcote.yaml next to it, even an empty one; "
                            + "it takes precedence")
                ])
        }
    }

    /// The settings that can be read, for commands that only want to know where the gateway is. What is wrong with others
    /// keeps the gateway from starting, and is reported there.
    package var readableSettings: Configuration {
        var loader = ConfigurationLoader()
        if let file = file().file { loader.read(file) }
        loader.read(environment: environment)
        loader.read(overrides: overrides)
        return loader.settings().configuration
    }

    /// The configuration file, or the name of one that is left alone.
    private func file() -> (file: SourceFile?, foreign: String?) {
        let named = path ?? environment["PUSHCOTE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if let named { return (SourceFile(path: named), nil) }
        guard let path = Self.defaultPaths.first(where: FileManager.default.fileExists) else { return (nil, nil) }
        let file = SourceFile(path: path)
        return path == Self.sharedPath && file.isForeign ? (nil, path) : (file, nil)
    }

    /// Reads everything, with a text in the place of the configuration file.
    package func load(text: String, name: String = sharedPath) throws(ConfigurationError) -> EffectiveConfiguration {
        try load(file: SourceFile(name: name, text: text))
    }

    private func load(file: SourceFile?) throws(ConfigurationError) -> EffectiveConfiguration {
        var loader = ConfigurationLoader()
        if let file { loader.read(file) }
        loader.read(environment: environment)
        loader.read(overrides: overrides)
        return try loader.finish()
    }
}

/// Collects values and problems from one source after the other.
struct ConfigurationLoader {
    /// A value that was found for a setting.
    private struct Found {
        var setting: Setting
        var text: SettingText
        var folder = ""
        var origin: EffectiveConfiguration.Origin
        /// For messages.
        var place: String
    }

    /// Environment variables that are no settings, but commands'.
    static let otherVariables: Set<String> = ["PUSHCOTE_CONFIG", "PUSHCOTE_ADMIN", "PUSHCOTE_KIT"]
    /// Beginnings of variables that others set: container orchestrators describe a service called "pushcote" so, and
    /// `pushcote exec` tells its command by the last.
    static let otherPrefixes = ["PUSHCOTE_SERVICE_", "PUSHCOTE_PORT", "PUSHCOTE_RUN_"]

    private var found: [Found] = []
    private var contents = Fixtures()
    private var problems: [ConfigurationProblem] = []

    // MARK: The file

    mutating func read(_ file: SourceFile) {
        var reader = FixtureReader(file: file)
        if let root = file.root, !root.isAbsent {
            if let mapping = root.mapping {
                read(mapping, in: "", with: &reader)
            } else {
                reader.file.report("the file is \(root.words); accepted: sections such as auth:", at: root)
            }
        }
        contents = reader.fixtures
        problems += reader.file.problems
    }

    private mutating func read(_ mapping: Node.Mapping, in section: String, with reader: inout FixtureReader) {
        for (key, value) in mapping {
            guard let word = key.scalar?.string else {
                reader.file.report("a key is \(key.words); accepted: a name", at: key)
                continue
            }
            let name = section.isEmpty ? word : "\(section).\(word)"
            if let setting = Setting.all.first(where: { $0.name == name }) {
                add(value, to: setting, at: key, in: &reader.file)
            } else if FixtureReader.sections.contains(name) {
                reader.read(section: name, value)
            } else if Setting.sections.contains(name) {
                if let inner = value.mapping {
                    read(inner, in: name, with: &reader)
                } else if !value.isAbsent {
                    reader.file.report(
                        "\(name) is \(value.words); accepted: a section with the keys \(Setting.keys(of: name))",
                        at: value)
                }
            } else {
                reader.file.report(Setting.unknown(name), at: key)
            }
        }
    }

    private mutating func add(_ value: Node, to setting: Setting, at key: Node, in file: inout SourceFile) {
        guard let text = value.settingText else {
            file.report(setting.rejection(of: value.words), at: value)
            return
        }
        let node = value.isAbsent ? key : value
        guard setting.accepts(text) else {
            file.report(setting.rejection(of: value.words), at: node)
            return
        }
        found.append(
            Found(
                setting: setting, text: text, folder: file.folder, origin: .file(file.position(of: key)),
                place: file.position(of: node).description))
    }

    // MARK: Environment and flags

    mutating func read(environment: [String: String]) {
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("PUSHCOTE_") {
            let isOther = Self.otherPrefixes.contains { name.hasPrefix($0) } || Self.otherVariables.contains(name)
            // An empty variable is how compose files and shells spell "not set".
            guard !isOther, !text.isEmpty else { continue }
            guard let setting = Setting.all.first(where: { $0.environmentName == name }) else {
                let hint = NearestName.of(name, among: Setting.all.map(\.environmentName))
                let remedy = hint.map { "did you mean \($0)?" } ?? "`pushcote config` lists them"
                problems.append(ConfigurationProblem(place: name, message: "unknown setting; \(remedy)"))
                continue
            }
            add(text, to: setting, from: .environment(name), place: name)
        }
    }

    mutating func read(overrides: [String]) {
        for override in overrides {
            let place = "--set \(override)"
            guard let equals = override.firstIndex(of: "=") else {
                problems.append(ConfigurationProblem(place: place, message: "accepted: section.key=value"))
                continue
            }
            let name = String(override[..<equals])
            guard let setting = Setting.all.first(where: { $0.name == name }) else {
                problems.append(ConfigurationProblem(place: "--set \(name)", message: Setting.unknown(name)))
                continue
            }
            let text = String(override[override.index(after: equals)...])
            add(text, to: setting, from: .flag, place: "--set \(name)")
        }
    }

    private mutating func add(
        _ text: String, to setting: Setting, from origin: EffectiveConfiguration.Origin, place: String
    ) {
        let value = SettingText(text, isList: setting.isList)
        if setting.accepts(value) {
            found.append(Found(setting: setting, text: value, origin: origin, place: place))
        } else {
            let words = text.isEmpty ? "empty" : "\"\(text)\""
            problems.append(ConfigurationProblem(place: place, message: setting.rejection(of: words)))
        }
    }

    // MARK: The whole

    /// Applies what was found: the profile's defaults first, then everything in the order of reading.
    func settings() -> EffectiveConfiguration {
        var scratch = EffectiveConfiguration(profile: .faithful)
        for value in found where value.setting.name == "profile" {
            _ = scratch.apply(value.text, to: value.setting, from: value.origin)
        }
        var effective = EffectiveConfiguration(profile: scratch.configuration.profile)
        for value in found {
            _ = effective.apply(value.text, to: value.setting, in: value.folder, from: value.origin)
        }
        return effective
    }

    /// Checks what several sources say together.
    mutating func finish() throws(ConfigurationError) -> EffectiveConfiguration {
        var effective = settings()
        checkCertificates(effective)
        if let folder = effective.configuration.fixtures {
            let place = found.last { $0.setting.name == "fixtures" }?.place ?? folder
            contents.add(folder: folder, namedAt: place, problems: &problems)
        }
        contents.checkNames(problems: &problems)
        contents.resolveSettings()
        effective.configuration.contents = contents
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return effective
    }

    /// A certificate is of no use without its key, and the other way round.
    private mutating func checkCertificates(_ effective: EffectiveConfiguration) {
        let certificates = effective.configuration.certificates
        guard (certificates.chain == nil) != (certificates.key == nil) else { return }
        let (given, missing) =
            certificates.chain == nil
            ? ("certificates.key", "certificates.chain") : ("certificates.chain", "certificates.key")
        let place = found.last { $0.setting.name == given }?.place ?? given
        problems.append(ConfigurationProblem(place: place, message: "\(given) needs \(missing) beside it"))
    }
}

extension SourceFile {
    /// Whether nothing in the file is meant for us: no key at the outermost level is ours, and not all are misspelt ones.
    fileprivate var isForeign: Bool {
        let known = Setting.sections.union(FixtureReader.sections).union(Setting.all.map(\.name))
        guard let root else {
            // Not YAML, such as a template: its lines tell.
            guard !problems.isEmpty, let text = try? FileStore.text(name) else { return false }
            return !text.split(whereSeparator: \.isNewline).contains { known.contains(String($0.prefix { $0 != ":" })) }
        }
        guard let mapping = root.mapping else { return !root.isAbsent }
        let keys = mapping.keys.map { $0.scalar?.string ?? "" }
        let outermost = known.filter { !$0.contains(".") }.sorted()
        return !keys.contains { known.contains($0) } && keys.contains { NearestName.of($0, among: outermost) == nil }
    }
}

extension Setting {
    /// The names of all sections, `auth.leniency` too.
    static let sections = Set(all.flatMap(\.sections))

    /// The keys right inside a section, for messages.
    package static func keys(of section: String) -> String {
        let prefix = section + "."
        var keys: [String] = []
        for setting in all where setting.name.hasPrefix(prefix) {
            let key = String(setting.name.dropFirst(prefix.count).prefix { $0 != "." })
            if !keys.contains(key) { keys.append(key) }
        }
        return keys.joined(separator: ", ")
    }

    /// What is said to a key that there is not.
    package static func unknown(_ name: String) -> String {
        let names = all.map(\.name) + FixtureReader.sections + sections.sorted()
        if let nearest = NearestName.of(name, among: names) { return "unknown key \(name); did you mean \(nearest)?" }
        let section = name.lastIndex(of: ".").map { String(name[..<$0]) }
        if let section, sections.contains(section) {
            return "unknown key \(name); the keys of \(section) are \(keys(of: section))"
        }
        let outermost = names.filter { !$0.contains(".") }
        return "unknown key \(name); known are \(outermost.joined(separator: ", "))"
    }
}

internal import Fields
internal import Files
internal import FoundationEssentials
internal import JSON
internal import Yams

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
    private func file() -> (file: ConfigurationFile?, foreign: String?) {
        let named = path ?? environment["PUSHCOTE_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
        if let named { return (ConfigurationFile(path: named), nil) }
        guard let path = Self.defaultPaths.first(where: FileManager.default.fileExists) else { return (nil, nil) }
        let file = ConfigurationFile(path: path)
        return path == Self.sharedPath && file.isForeign ? (nil, path) : (file, nil)
    }

    /// Reads everything, with a text in the place of the configuration file.
    package func load(text: String, name: String = sharedPath) throws(ConfigurationError) -> EffectiveConfiguration {
        try load(file: ConfigurationFile(name: name, text: text))
    }

    private func load(file: ConfigurationFile?) throws(ConfigurationError) -> EffectiveConfiguration {
        var loader = ConfigurationLoader()
        if let file { loader.read(file) }
        loader.read(environment: environment)
        loader.read(overrides: overrides)
        return try loader.finish()
    }
}

/// Collects values and problems from one source after the other.
private struct ConfigurationLoader {
    /// A value that was found for a setting.
    private struct Found {
        var setting: Setting
        var value: JSONValue
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

    mutating func read(_ file: ConfigurationFile) {
        var file = file
        var wrong: [FieldProblem] = []
        switch file.json(as: Setting.schema) {
        case .null: break
        case .object(let members): read(members, in: nil, at: FieldPath(), of: file, &wrong)
        case let json:
            wrong.append(FieldProblem(FieldPath(), "the file is \(json.words)", "accepted: sections such as auth:"))
        }
        file.report(wrong)
        problems += file.problems
    }

    private mutating func read(
        _ members: JSONObject, in section: String?, at path: FieldPath, of file: ConfigurationFile,
        _ wrong: inout [FieldProblem]
    ) {
        for (key, json) in members {
            let name = section.map { "\($0).\(key)" } ?? key
            let place = path.member(key)
            if let setting = Setting.byName[name] {
                let value = file.position(of: place)
                let problems = add(json, to: setting, .file(file.position(of: place, isName: true)), value.description)
                wrong += problems
            } else if Fixtures.sections.contains(where: { $0.name == name }) {
                contents.read(section: name, json, of: file, &wrong)
            } else if !Setting.sections.contains(name) {
                wrong.append(Setting.unknown(name, at: place))
            } else if case .object(let inner) = json {
                read(inner, in: name, at: place, of: file, &wrong)
            } else if json != .null {
                let keys = Setting.keys(of: name).joined(separator: ", ")
                wrong.append(.wrong(json, at: place, accepted: "a section with the keys \(keys)"))
            }
        }
    }

    /// - Returns: What is wrong with a value; then it does not count.
    private mutating func add(
        _ json: JSONValue, to setting: Setting, _ origin: EffectiveConfiguration.Origin, _ place: String
    ) -> [FieldProblem] {
        var scratch = Configuration()
        let problems = setting.apply(json, to: &scratch)
        if problems.isEmpty {
            found.append(Found(setting: setting, value: json, origin: origin, place: place))
        }
        return problems
    }

    // MARK: Environment and flags

    mutating func read(environment: [String: String]) {
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("PUSHCOTE_") {
            let isOther = Self.otherPrefixes.contains { name.hasPrefix($0) } || Self.otherVariables.contains(name)
            let setting = Setting.all.first { $0.environmentName == name }
            // An empty variable is how compose files and shells spell "not set"; an empty secret is a mistake.
            guard !isOther, !text.isEmpty || setting?.isSecret == true else { continue }
            guard let setting else {
                let hint = NearestName.of(name, among: Setting.all.map(\.environmentName))
                let remedy = hint.map { "did you mean \($0)?" } ?? "`pushcote config` lists them"
                problems.append(ConfigurationProblem(place: name, message: "unknown setting; \(remedy)"))
                continue
            }
            add(text, to: setting, .environment(name), place: name)
        }
    }

    mutating func read(overrides: [String]) {
        for override in overrides {
            guard let equals = override.firstIndex(of: "=") else {
                problems.append(
                    ConfigurationProblem(place: "--set \(override)", message: "accepted: section.key=value"))
                continue
            }
            let name = String(override[..<equals])
            let place = "--set \(name)"
            if let setting = Setting.byName[name] {
                add(String(override[override.index(after: equals)...]), to: setting, .flag, place: place)
            } else {
                let problem = Setting.unknown(name, at: FieldPath())
                problems.append(ConfigurationProblem(place: place, message: "unknown key \(name); \(problem.remedy)"))
            }
        }
    }

    private mutating func add(
        _ text: String, to setting: Setting, _ origin: EffectiveConfiguration.Origin, place: String
    ) {
        let wrong = add(setting.json(of: text), to: setting, origin, place)
        problems += wrong.map { ConfigurationProblem(place: place, message: $0.description) }
    }

    // MARK: The whole

    /// Applies what was found: the profile's defaults first, then everything in the order of reading.
    func settings() -> EffectiveConfiguration {
        var scratch = EffectiveConfiguration(profile: .faithful)
        for value in found where value.setting.name == "profile" {
            scratch.apply(value.value, to: value.setting, from: value.origin)
        }
        var effective = EffectiveConfiguration(profile: scratch.configuration.profile)
        for value in found {
            effective.apply(value.value, to: value.setting, from: value.origin)
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

extension ConfigurationFile {
    /// Whether nothing in the file is meant for us: no key at the outermost level is ours, and not all are misspelt ones.
    fileprivate var isForeign: Bool {
        let outermost = Setting.keys(of: nil) + Fixtures.sections.map(\.name)
        switch json(as: Setting.schema) {
        case .object(let members):
            return !members.keys.contains { outermost.contains($0) || Setting.byName[$0] != nil }
                && members.keys.contains { NearestName.of($0, among: outermost) == nil }
        case .null:
            // Not YAML, such as a template: its lines tell.
            guard !problems.isEmpty, let text = try? FileStore.text(name) else { return false }
            return !text.split(whereSeparator: \.isNewline).contains {
                outermost.contains(String($0.prefix { $0 != ":" }))
            }
        case .bool, .integer, .number, .string, .array, .verbatim: return true
        }
    }
}

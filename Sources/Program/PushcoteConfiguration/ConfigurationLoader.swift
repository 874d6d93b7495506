internal import ExtensionHost
internal import Fields
internal import Files
internal import FoundationEssentials
internal import JSON

/// Where a configuration is read from. Precedence: flags, environment, file, profile.
package struct ConfigurationSources: Sendable {
    /// `nil` reads the first of `defaultPaths` that exists.
    package var path: String?
    package var environment: [String: String]
    /// `section.key=value` from `--set`; later ones win.
    package var overrides: [String]

    package static let defaultPaths = ["pushcote.yaml", sharedPath]
    /// Other programs use this name, too; a file without a Pushcote key is ignored.
    package static let sharedPath = "config.yaml"

    package init(path: String? = nil, environment: [String: String] = [:], overrides: [String] = []) {
        self.path = path
        self.environment = environment
        self.overrides = overrides
    }

    /// For commands that start no gateway: an empty variable means none, of a secret, too.
    package var ofClient: ConfigurationSources {
        var sources = self
        sources.environment = environment.filter { !$0.value.isEmpty }
        return sources
    }

    package func load() throws(ConfigurationError) -> EffectiveConfiguration {
        let (file, foreign) = file()
        do throws(ConfigurationError) {
            var effective = try load(file: file)
            effective.foreignFile = foreign
            return effective
        } catch {
            // The default file may belong to another program.
            guard let file, path == nil, file.name == Self.sharedPath, environment["PUSHCOTE_CONFIG"] ?? "" == "",
                error.problems.contains(where: { $0.place.hasPrefix(file.name) })
            else { throw error }
            let advice = ConfigurationProblem(
                file.name,
                "if this is another program's file, create a pushcote.yaml next to it, even an empty one; it takes "
                    + "precedence")
            throw ConfigurationError(problems: error.problems + [advice])
        }
    }

    /// For commands that only need the gateway's address. Omits invalid settings, which the gateway reports at start.
    package var readableSettings: Configuration { loader(file().file).settings().configuration }

    private func file() -> (file: ConfigurationFile?, foreign: String?) {
        if let path { return (ConfigurationFile(path: path, namedBy: "--config"), nil) }
        if let path = environment["PUSHCOTE_CONFIG"], !path.isEmpty {
            return (ConfigurationFile(path: path, namedBy: "PUSHCOTE_CONFIG"), nil)
        }
        guard let path = Self.defaultPaths.first(where: FileManager.default.fileExists) else { return (nil, nil) }
        let file = ConfigurationFile(path: path)
        return path == Self.sharedPath && file.isForeign ? (nil, path) : (file, nil)
    }

    package func load(text: String, name: String = sharedPath) throws(ConfigurationError) -> EffectiveConfiguration {
        try load(file: ConfigurationFile(name: name, text: text))
    }

    private func load(file: ConfigurationFile?) throws(ConfigurationError) -> EffectiveConfiguration {
        var loader = loader(file)
        return try loader.finish()
    }

    private func loader(_ file: ConfigurationFile?) -> ConfigurationLoader {
        var loader = ConfigurationLoader()
        if let file { loader.read(file) }
        loader.read(environment: environment)
        loader.read(overrides: overrides)
        return loader
    }
}

/// Collects values and problems from each source in turn.
private struct ConfigurationLoader {
    private struct Found {
        var setting: Setting
        var value: JSONValue
        var origin: EffectiveConfiguration.Origin
        var place: String
    }

    /// Read by commands; not settings.
    static let otherVariables: Set<String> = ["PUSHCOTE_CONFIG", "PUSHCOTE_ADMIN", "PUSHCOTE_KIT"]
    /// Set by `pushcote exec`.
    static let otherPrefix = "PUSHCOTE_RUN_"

    /// Whether it is a service link, which Kubernetes sets for every service of the namespace, such as
    /// `PUSHCOTE_POSTGRES_SERVICE_HOST` and `PUSHCOTE_PORT_2197_TCP_ADDR`, and Docker for its links.
    private static func isServiceLink(_ name: String, _ text: String) -> Bool {
        name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT") || name.contains("_SERVICE_PORT_")
            || name.hasSuffix("_PORT") && text.contains("://")
            || name.contains(/_PORT_[0-9]+_(TCP|UDP|SCTP)(_PROTO|_PORT|_ADDR)?$/)
    }

    private var found: [Found] = []
    private var contents = Fixtures()
    private var problems: [ConfigurationProblem] = []

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
                let origin = EffectiveConfiguration.Origin.file(file.position(of: place, isName: true))
                wrong += add(json, to: setting, origin, file.position(of: place).description)
            } else if let section = Fixtures.Section(rawValue: name) {
                var reader = FixtureReader(file, after: contents)
                reader.read(section, json)
                contents = reader.fixtures
                wrong += reader.problems
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

    /// - Returns: The problems for which the value is ignored.
    private mutating func add(
        _ json: JSONValue, to setting: Setting, _ origin: EffectiveConfiguration.Origin, _ place: String
    ) -> [FieldProblem] {
        var scratch = Configuration()
        let problems = setting.apply(json, to: &scratch)
        if problems.isEmpty { found.append(Found(setting: setting, value: json, origin: origin, place: place)) }
        return problems
    }

    mutating func read(environment: [String: String]) {
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("PUSHCOTE_") {
            let isOther =
                name.hasPrefix(Self.otherPrefix) || Self.otherVariables.contains(name) || Self.isServiceLink(name, text)
            let setting = Setting.all.first { $0.environmentName == name }
            // In Compose files and shells, an empty variable means "not set"; for a secret it is a mistake.
            guard !isOther, !text.isEmpty || setting?.isSecret == true else { continue }
            guard let setting else {
                let hint = NearestName.of(name, among: Setting.all.map(\.environmentName))
                let remedy = hint.map { "did you mean \($0)?" } ?? "`pushcote config` lists them"
                problems.append(ConfigurationProblem(name, "unknown setting; \(remedy)"))
                continue
            }
            add(text, to: setting, .environment(name), place: name)
        }
    }

    mutating func read(overrides: [String]) {
        for override in overrides {
            guard let equals = override.firstIndex(of: "=") else {
                problems.append(ConfigurationProblem("--set \(override)", "accepted: section.key=value"))
                continue
            }
            let name = String(override[..<equals])
            let place = "--set \(name)"
            if let setting = Setting.byName[name] {
                add(String(override[override.index(after: equals)...]), to: setting, .flag, place: place)
            } else {
                let problem = Setting.unknown(name, at: FieldPath())
                problems.append(ConfigurationProblem(place, "unknown key \(name); \(problem.remedy)"))
            }
        }
    }

    private mutating func add(
        _ text: String, to setting: Setting, _ origin: EffectiveConfiguration.Origin, place: String
    ) {
        let wrong = add(setting.json(of: text), to: setting, origin, place)
        problems += wrong.map { ConfigurationProblem(place, $0.description) }
    }

    func settings() -> EffectiveConfiguration {
        var scratch = EffectiveConfiguration(profile: .faithful)
        for value in found where value.setting.name == "profile" {
            scratch.apply(value.value, to: value.setting, from: value.origin)
        }
        var effective = EffectiveConfiguration(profile: scratch.configuration.profile)
        for value in found { effective.apply(value.value, to: value.setting, from: value.origin) }
        return effective
    }

    mutating func finish() throws(ConfigurationError) -> EffectiveConfiguration {
        var effective = settings()
        checkCertificates(effective)
        checkTimes(effective.configuration.extensions)
        if let folder = effective.configuration.fixtures {
            contents.add(folder: folder, namedAt: place(of: "fixtures"), problems: &problems)
        }
        contents.checkNames(problems: &problems)
        contents.resolveSettings()
        effective.configuration.contents = contents
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
        return effective
    }

    private mutating func checkCertificates(_ effective: EffectiveConfiguration) {
        let certificates = effective.configuration.certificates
        guard (certificates.chain == nil) != (certificates.key == nil) else { return }
        let (given, missing) =
            certificates.chain == nil
            ? ("certificates.key", "certificates.chain") : ("certificates.chain", "certificates.key")
        problems.append(ConfigurationProblem(place(of: given), "\(given) also needs \(missing)"))
    }

    /// A warning after the kill would never be delivered.
    private mutating func checkTimes(_ extensions: ExtensionSettings) {
        let (expireAfter, killAfter) = (extensions.expireAfter, extensions.killAfter)
        guard expireAfter > killAfter else { return }
        let last = found.last { ["extensions.expireAfter", "extensions.killAfter"].contains($0.setting.name) }
        problems.append(
            ConfigurationProblem(
                last?.place ?? "extensions.expireAfter",
                "extensions.expireAfter is \(DurationText.text(expireAfter)), later than extensions.killAfter, "
                    + "\(DurationText.text(killAfter)); accepted: expireAfter up to killAfter"))
    }

    private func place(of name: String) -> String { found.last { $0.setting.name == name }?.place ?? name }
}

extension ConfigurationFile {
    /// Whether no top-level key belongs to Pushcote, not even a misspelt one.
    fileprivate var isForeign: Bool {
        let lists = Fixtures.sections.map(\.name)
        let outermost = Setting.keys(of: nil) + lists
        switch json(as: Setting.schema) {
        case .object(let members):
            return !members.contains { key, value in
                if outermost.contains(key) || Setting.byName[key] != nil { return true }
                guard let meant = NearestName.of(key, among: outermost) else { return false }
                // Another program's `app:` is no misspelt `apps:`; a misspelt key has the value of its neighbor.
                switch value {
                case .object(let inner): return inner.keys.contains(where: Setting.keys(of: meant).contains)
                case .array: return lists.contains(meant)
                default: return Setting.byName[meant] != nil
                }
            }
        case .null:
            // The file is not YAML, such as a template, so this checks its lines.
            guard !problems.isEmpty else { return false }
            guard let bytes = try? FileStore.read(name) else { return FileStore.isFolder(name) }
            return !bytes.split(separator: 0x0a).contains { line in
                outermost.contains(String(decoding: line.prefix { $0 != 0x3a }, as: UTF8.self))
            }
        case .bool, .integer, .number, .string, .array, .verbatim: return true
        }
    }
}

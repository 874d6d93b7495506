internal import Fields
package import JSON

/// One key of the configuration, as used by the loader, `pushcote config`, `config.yaml` and messages.
package struct Setting: Sendable {
    /// Includes the sections: `auth.leniency.derSignature`.
    package let name: String
    /// For a number written without its unit.
    package let unit: String?
    package let isSecret: Bool
    let field: Field<Configuration>

    init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ format: FieldFormat<Value>,
        unit: String? = nil, isSecret: Bool = false, _ summary: String
    ) {
        let field = Field<Configuration>(Self.parts(name).last ?? "", path, format, summary) { _ in Configuration() }
        self.init(name, field, unit: unit, isSecret: isSecret)
    }

    init(_ name: String, _ field: Field<Configuration>, unit: String? = nil, isSecret: Bool = false) {
        self.name = name
        self.field = field
        self.unit = unit
        self.isSecret = isSecret
    }

    package var summary: String { field.description.summary }
    package var accepted: String {
        field.description.accepted + (field.description.isOptional ? ", or null for none" : "")
    }

    package func value(in configuration: Configuration) -> JSONValue { field.write(configuration) ?? .null }

    /// Reads a variable or a flag; commas separate a list, and `[]` is empty.
    func json(of text: String) -> JSONValue {
        guard let element = field.description.schema.element else {
            return text == "null" ? .null : field.description.schema.json(of: text)
        }
        let texts = text == "[]" ? [] : text.split(separator: ",")
        return .array(
            texts.map { element.json(of: String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())) })
    }

    /// - Returns: The problems for which nothing was changed.
    func apply(_ json: JSONValue, to configuration: inout Configuration) -> [FieldProblem] {
        let parts = Self.parts(name)
        let section = FieldPath(parts.dropLast().map { .member($0) })
        var problems: [FieldProblem] = []
        if json == .null, !field.description.isOptional {
            problems.append(FieldProblem(section.member(field.name), "is empty", "accepted: \(accepted)"))
        } else {
            field.read(json, &configuration, section, &problems)
        }
        // A problem inside the value has a remedy of its own.
        let remedy = "accepted: \(field.description.accepted)"
        for index in problems.indices where problems[index].remedy == remedy {
            problems[index].remedy = "accepted: \(accepted)"
        }
        if isSecret, json != .string("") {
            for index in problems.indices { problems[index].found = "has another value, which is not shown" }
        }
        return problems
    }

    /// Such as `PUSHCOTE_AUTH_LENIENCY_DER_SIGNATURE`.
    package var environmentName: String {
        var words = "PUSHCOTE_"
        var previous: Character = "."
        for character in name {
            if character.isUppercase, previous.isLowercase || previous.isNumber { words.append("_") }
            words.append(character == "." ? "_" : Character(character.uppercased()))
            previous = character
        }
        return words
    }

    /// Sections and settings that affect answers and what devices show. Recordings contain them; none is a path or a secret.
    private static let decisive = [
        "profile", "seed", "environment", "streams", "auth", "reasons", "strict", "tokens", "inbox", "requests",
        "assumptions", "lint",
    ]

    var isDecisive: Bool { Self.decisive.contains { name == $0 || name.hasPrefix($0 + ".") } }

    /// Sections and settings that SIGHUP does not reload.
    package static let notReloaded = [
        "seed", "page", "log", "listen", "certificates.folder", "certificates.names", "proxy", "http2", "shutdown",
        "limits",
        "journal", "sqlite", "postgres", "inbox", "requests", "admin", "lint", "extensions.folder", "relay",
    ]

    package var needsRestart: Bool { Self.notReloaded.contains { name == $0 || name.hasPrefix($0 + ".") } }

    private static func parts(_ name: String) -> [String] { name.split(separator: ".").map(String.init) }
}

extension Setting {
    /// Outermost first: `auth`, `auth.leniency`.
    var sections: [String] {
        let parts = Self.parts(name)
        return (1..<max(1, parts.count)).map { parts[..<$0].joined(separator: ".") }
    }

    static let sections = Set(all.flatMap(\.sections))

    static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Includes `keys`, `apps`, `devices`, `faults` and `webhooks`.
    static let schema = FieldSchema.object("Configuration", schema(of: nil) + Fixtures.sections)

    private static func schema(of section: String?) -> [FieldDescription] {
        keys(of: section).map { key in
            let name = section.map { "\($0).\(key)" } ?? key
            if let setting = byName[name] { return setting.field.description }
            return FieldDescription(
                name: key, accepted: "a section", summary: "", schema: .object(name, schema(of: name)),
                isOptional: true)
        }
    }

    /// Keys directly in a section; nil for the top level.
    package static func keys(of section: String?) -> [String] {
        let prefix = section.map { $0 + "." } ?? ""
        return all.filter { $0.name.hasPrefix(prefix) }.reduce(into: []) { keys, setting in
            let key = String(setting.name.dropFirst(prefix.count).prefix { $0 != "." })
            if !keys.contains(key) { keys.append(key) }
        }
    }

    static func unknown(_ name: String, at path: FieldPath) -> FieldProblem {
        let names = all.map(\.name) + Fixtures.sections.map(\.name) + sections.sorted()
        let section = name.lastIndex(of: ".").map { String(name[..<$0]) }
        let remedy =
            if sections.contains(name) {
                "\(name) is a section with the keys \(keys(of: name).joined(separator: ", "))"
            } else if let nearest = NearestName.of(name, among: names) {
                "did you mean \(nearest)?"
            } else if let section, sections.contains(section) {
                "the keys of \(section) are \(keys(of: section).joined(separator: ", "))"
            } else {
                "known are \(names.filter { !$0.contains(".") }.joined(separator: ", "))"
            }
        return FieldProblem(path, "is unknown", remedy, subject: .unknownName)
    }
}

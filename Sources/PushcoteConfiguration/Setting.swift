internal import APNs

/// One key of the configuration: how it is called, written, explained and kept.
///
/// Reading, `pushcote config`, `config.yaml` and every message about a key come from these.
package struct Setting: Sendable {
    /// The key with its sections: `auth.leniency.derSignature`.
    package let name: String
    /// What may be written, for people.
    package let accepted: String
    /// Of the number, when it has one that the value does not name itself.
    package let unit: String?
    /// A sentence or two for `config.yaml` and `--help`.
    package let summary: String
    let isList: Bool
    /// Whether JSON writes the value without quotes.
    package let isLiteral: Bool
    /// Whether the value must not be shown.
    package let isSecret: Bool
    /// Puts a value in its place; false when the text is none. The third argument is the folder of relative paths.
    package let apply: @Sendable (inout Configuration, SettingText, String) -> Bool
    package let show: @Sendable (Configuration) -> SettingText

    package init<Value: Sendable>(
        _ name: String, _ path: any WritableKeyPath<Configuration, Value> & Sendable, _ format: SettingFormat<Value>,
        unit: String? = nil, isSecret: Bool = false, _ summary: String
    ) {
        self.name = name
        self.unit = unit
        self.summary = summary
        self.isSecret = isSecret
        accepted = format.accepted
        isList = format.isList
        isLiteral = format.isLiteral
        apply = { configuration, text, base in
            guard let value = format.read(text, base) else { return false }
            configuration[keyPath: path] = value
            return true
        }
        show = { format.show($0[keyPath: path]) }
    }

    /// The environment variable: `PUSHCOTE_AUTH_LENIENCY_DER_SIGNATURE`.
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

    /// Sections, and settings alone, that hold from start to end: SIGHUP changes all others.
    package static let fixed = [
        "seed", "log", "listen", "certificates.folder", "certificates.names", "proxy", "http2", "shutdown", "limits",
        "journal", "sqlite", "inbox", "requests", "admin", "lint", "extensions.folder",
    ]

    /// Whether only a start takes the value.
    package var needsRestart: Bool { Self.fixed.contains { name == $0 || name.hasPrefix($0 + ".") } }

    /// The sections that the key stands in, outermost first: `auth`, `auth.leniency`.
    var sections: [String] {
        let parts = name.split(separator: ".")
        return (1..<max(1, parts.count)).map { parts[..<$0].joined(separator: ".") }
    }

    /// Whether a text is a value.
    package func accepts(_ text: SettingText) -> Bool {
        var scratch = Configuration()
        return apply(&scratch, text, "")
    }

    /// What is said to a value that cannot be read.
    package func rejection(of text: String) -> String {
        "\(name) \(isSecret && text != "\"\"" ? "has another value, which is not shown" : "is \(text)"); accepted: \(accepted)"
    }
}

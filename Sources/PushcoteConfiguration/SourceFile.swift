internal import Yams

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A YAML or JSON file and what is wrong with it.
struct SourceFile {
    /// As it was given; every message begins with it.
    let name: String
    /// The file's only document; `nil` when it is empty or cannot be read.
    private(set) var root: Node?
    private(set) var problems: [ConfigurationProblem] = []

    /// The folder that relative paths in the file start from; empty for the working folder.
    var folder: String {
        guard let slash = name.lastIndex(of: "/") else { return "" }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    /// Parses a text.
    init(name: String, text: String) {
        self.name = name
        do {
            root = try Parser(yaml: name.hasSuffix(".json") ? Self.joiningSurrogates(in: text) : text).singleRoot()
        } catch {
            problems = [Self.problem(error, in: name)]
        }
    }

    /// Reads and parses a file.
    init(path: String) {
        let bytes = FileManager.default.contents(atPath: path)
        if let text = bytes.flatMap({ String(validating: $0, as: UTF8.self) }) {
            self.init(name: path, text: text)
        } else {
            let isThere = FileManager.default.fileExists(atPath: path)
            self.init(
                name: path,
                problem: bytes != nil ? "is not UTF-8 text" : isThere ? "cannot be read" : "there is no such file")
        }
    }

    private init(name: String, problem: String) {
        self.name = name
        problems = [ConfigurationProblem(place: name, message: problem)]
    }

    /// Where a node begins.
    func position(of node: Node) -> SourcePosition {
        SourcePosition(file: name, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1)
    }

    mutating func report(_ message: String, at node: Node) {
        problems.append(ConfigurationProblem(place: position(of: node).description, message: message))
    }

    /// JSON is YAML but for this: JSON escapes a character beyond U+FFFF as two surrogates (RFC 8259 §7), YAML as one
    /// `\U` with eight digits.
    private static func joiningSurrogates(in text: String) -> String {
        text.replacing(/\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/) { match in
            guard let high = UInt32(match.1, radix: 16), let low = UInt32(match.2, radix: 16) else {
                return String(match.0)
            }
            let digits = String(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16)
            return "\\U" + String(repeating: "0", count: 8 - digits.count) + digits
        }
    }

    /// What usually is behind a problem of the parser's.
    private static func hint(_ problem: String) -> String {
        switch problem {
        case "found character that cannot start any token": " (is it a tab? YAML is indented with spaces)"
        case "did not find expected node content": " (does a text begin with a colon or a comma? Quote it)"
        default: ""
        }
    }

    /// What the parser found wrong, in the words of our other messages.
    private static func problem(_ error: any Error, in file: String) -> ConfigurationProblem {
        func at(_ line: Int, _ column: Int, _ message: String) -> ConfigurationProblem {
            let position = SourcePosition(file: file, line: line, column: column)
            return ConfigurationProblem(place: position.description, message: message)
        }
        return switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            at(mark.line, mark.column, "not YAML: \(problem)\(hint(problem))")
        case .duplicatedKeysInMapping(let names, let context):
            at(
                context.mark.line, context.mark.column,
                "duplicate key \(names.map { "\"\($0)\"" }.joined(separator: ", "))")
        case .reader(let problem, let offset, _, let text):
            at(text.prefix(offset ?? 0).count { $0.isNewline } + 1, 1, "not YAML: \(problem)")
        default: ConfigurationProblem(place: file, message: "not YAML: \(error)")
        }
    }
}

extension Node {
    /// Whether there is nothing: no text, `~` or `null`.
    var isAbsent: Bool {
        guard case .scalar(let scalar) = self, scalar.style == .plain || scalar.style == .any else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }

    /// The node as a setting's value; `nil` when it is a mapping or a list of more than scalars.
    var settingText: SettingText? {
        if isAbsent { return .absent }
        switch self {
        case .scalar(let scalar): return .scalar(scalar.string)
        case .sequence(let sequence):
            let texts = sequence.compactMap { $0.isAbsent ? nil : $0.scalar?.string }
            return texts.count == sequence.count ? .list(texts) : nil
        case .mapping, .alias: return nil
        }
    }

    /// The node in a message: its text, or what it is.
    package var words: String {
        switch self {
        case .scalar: isAbsent ? "empty" : settingText?.yaml ?? "a text"
        case .sequence: settingText?.yaml ?? "a list"
        case .mapping: "a section"
        case .alias: "an alias"
        }
    }
}

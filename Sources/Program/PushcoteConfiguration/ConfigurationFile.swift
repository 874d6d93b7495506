internal import Fields
internal import Files
internal import FoundationEssentials
internal import JSON
internal import Time
internal import Yams

/// A YAML or JSON file as JSON, with the line and column of each value for messages.
struct ConfigurationFile {
    let name: String
    private var root: Node?
    private(set) var problems: [ConfigurationProblem] = []

    /// The base of the file's relative paths; empty for the working folder.
    var folder: String {
        guard let slash = name.lastIndex(of: "/") else { return "" }
        return slash == name.startIndex ? "/" : String(name[..<slash])
    }

    init(name: String, text: String) {
        self.name = name
        let yaml = name.hasSuffix(".json") ? Self.joiningSurrogates(in: text) : text
        do {
            root = try Parser(yaml: yaml).singleRoot()
        } catch {
            problems = ParserProblems.problems(error, in: yaml, of: name)
        }
    }

    init(path: String, namedBy setting: String? = nil) {
        let bytes = FileManager.default.contents(atPath: path)
        let text = bytes.flatMap { String(validating: $0, as: UTF8.self) }
        self.init(name: path, text: text ?? "")
        guard text == nil else { return }
        let message =
            if bytes != nil {
                "is not UTF-8 text"
            } else if FileStore.isFolder(path) {
                "is a folder; accepted: a file"
            } else {
                FileStore.exists(path) ? "cannot be read" : "there is no such file"
            }
        problems = [ConfigurationProblem(setting.map { "\($0) \(path)" } ?? path, message)]
    }

    // MARK: Values

    /// null when the document is empty or unreadable.
    /// - Parameter schema: Determines the types of scalars.
    func json(as schema: FieldSchema) -> JSONValue { root.map { json($0, as: schema) } ?? .null }

    /// - Parameter isFixture: Whether a list must be one, as in the API; a setting with one value needs no brackets.
    private func json(_ node: Node, as schema: FieldSchema?, isFixture: Bool = false) -> JSONValue {
        if node.isAbsent { return .null }
        return switch node {
        case .scalar(let scalar):
            switch schema {
            case nil, .any?: Self.untyped(scalar)
            case .list? where isFixture: .string(scalar.string)
            case let schema?: schema.json(of: scalar.string, in: folder)
            }
        case .sequence(let sequence): .array(sequence.map { json($0, as: schema?.element, isFixture: isFixture) })
        case .mapping(let mapping):
            .object(
                JSONObject(
                    mapping.map { key, value in
                        let name = Self.name(of: key)
                        let isFixture = isFixture || node == root && Fixtures.Section(rawValue: name) != nil
                        return (name, json(value, as: schema?.member(name), isFixture: isFixture))
                    }))
        case .alias: .string("an alias")
        }
    }

    /// Where the schema leaves the type open, a word without quotes may be a number, true or false.
    private static func untyped(_ scalar: Node.Scalar) -> JSONValue {
        let bytes = Array(scalar.string.utf8)
        switch scalar.isPlain ? JSONValue(bytes.span.bytes) : nil {
        case .bool(let isTrue)?: return .bool(isTrue)
        case let value? where value.double != nil: return value
        default: return .string(scalar.string)
        }
    }

    static func name(of key: Node) -> String { key.scalar?.string ?? "a key that is not text" }

    // MARK: Places

    /// The position of a value; for a missing one, of the innermost value around it.
    /// - Parameter isName: Returns the position of the last member's name instead.
    func position(of path: FieldPath, isName: Bool = false) -> SourcePosition {
        var node = root
        var key: Node?
        for part in path.parts {
            switch part {
            case .member(let name):
                guard let (found, value) = node?.mapping?.first(where: { Self.name(of: $0.key) == name }) else {
                    return position(of: node)
                }
                (key, node) = (found, value)
            case .element(let index):
                guard let sequence = node?.sequence, sequence.indices.contains(index) else { return position(of: node) }
                (key, node) = (nil, sequence[index])
            }
        }
        // An empty value has no position.
        return position(of: isName || node?.isAbsent == true ? key ?? node : node)
    }

    private func position(of node: Node?) -> SourcePosition {
        SourcePosition(file: name, line: node?.mark?.line ?? 1, column: node?.mark?.column ?? 1)
    }

    mutating func report(_ found: [FieldProblem]) {
        let places = found.map { position(of: $0.path, isName: $0.subject != .value) }
        problems += zip(places, found).sorted { $0.0 < $1.0 }.map { place, problem in
            let isUnknown = problem.subject == .unknownName
            return ConfigurationProblem(
                place, isUnknown ? "unknown key \(problem.path); \(problem.remedy)" : problem.description)
        }
    }

    // MARK: Parsing

    /// JSON is YAML with one exception: JSON escapes a character beyond U+FFFF as two surrogates (RFC 8259 §7), YAML as
    /// one `\U` with eight digits.
    private static func joiningSurrogates(in text: String) -> String {
        text.replacing(/\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/) { match in
            guard let high = UInt32(match.1, radix: 16), let low = UInt32(match.2, radix: 16) else {
                return String(match.0)
            }
            return "\\U" + (0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)).padded(to: 8, radix: 16)
        }
    }
}

extension Node {
    /// Whether it is empty, `~` or `null`.
    fileprivate var isAbsent: Bool {
        guard case .scalar(let scalar) = self, scalar.isPlain else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.string)
    }
}

extension Node.Scalar {
    /// Whether it has no quotes.
    fileprivate var isPlain: Bool { style == .plain || style == .any }
}

/// A line and column, counted from 1, in a file; as text, `config.yaml:3:5`.
package struct SourcePosition: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var file: String
    package var line: Int
    package var column: Int

    package var description: String { "\(file):\(line):\(column)" }

    package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

package struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
    /// `config.yaml:3:5`, `PUSHCOTE_AUTH_MODE` or `--set auth.mode`.
    package var place: String
    /// States the error and the remedy.
    package var message: String

    package init(_ place: some CustomStringConvertible, _ message: String) {
        self.place = place.description
        self.message = message
    }

    package var description: String { "\(place): \(message)" }
}

/// All problems of an invalid configuration, in the order of reading.
package struct ConfigurationError: Error, Equatable, CustomStringConvertible {
    package var problems: [ConfigurationProblem]

    package init(problems: [ConfigurationProblem]) { self.problems = problems }

    package var description: String { problems.map(\.description).joined(separator: "\n") }
}

enum ParserProblems {
    /// - Parameter error: From the YAML parser, which also reads JSON.
    static func problems(_ error: any Error, in text: String, of file: String) -> [ConfigurationProblem] {
        func at(_ line: Int, _ column: Int, _ message: String) -> [ConfigurationProblem] {
            [ConfigurationProblem(SourcePosition(file: file, line: line, column: column), message)]
        }
        if case .duplicatedKeysInMapping(let names, let context) = error as? YamlError {
            let keys = duplicateKeys(in: text, first: context.mark)
                .sorted { ($0.marks[0].line, $0.marks[0].column) < ($1.marks[0].line, $1.marks[0].column) }
            let problems = keys.flatMap { path, marks in
                at(marks[0].line, marks[0].column, "duplicate key \(path) (\(lines(of: marks)))")
            }
            let fallback = "duplicate key \(names.joined(separator: ", "))"
            return problems.isEmpty ? at(context.mark.line, context.mark.column, fallback) : problems
        }
        if file.hasSuffix(".json"), let problem = jsonProblem(in: text) {
            let found = "not JSON: found \(problem.found): \(problem.hint)"
            return at(problem.line, problem.column, found.replacing("payload", with: "file"))
        }
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return at(mark.line, mark.column, "not YAML: \(problem)\(hint(problem))")
        case .reader(let problem, let offset, _, let text):
            return at(text.prefix(offset ?? 0).count { $0.isNewline } + 1, 1, "not YAML: \(problem)")
        default: return [ConfigurationProblem(file, "not YAML: \(error)")]
        }
    }

    private static func hint(_ problem: String) -> String {
        switch problem {
        case "found character that cannot start any token": " (is it a tab? YAML is indented with spaces)"
        case "did not find expected node content": " (does a text begin with a colon or a comma? Quote it)"
        default: ""
        }
    }

    private static func jsonProblem(in text: String) -> JSONProblem? {
        Array(text.utf8).withUnsafeBytes { bytes in
            var validator = JSONValidator(bytes)
            return validator.document { json, _ in json.value(depth: 1) }
                ? nil : JSONProblem(validator.failure, in: bytes)
        }
    }

    /// Makes a key unique; a private-use character that no key contains.
    private static let tag = "\u{E000}"
    /// The parser runs once per duplicate.
    private static let maximumDuplicateCount = 20

    /// The duplicate keys with the positions of their occurrences; empty when there are too many.
    /// The parser reports only the first occurrence of one key and returns no tree, so this renames each reported
    /// occurrence until the text parses.
    private static func duplicateKeys(in text: String, first mark: Mark) -> [(path: FieldPath, marks: [Mark])] {
        var lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        var mark = mark
        for count in 1...maximumDuplicateCount {
            guard lines.indices.contains(mark.line - 1) else { return [] }
            var line = Array(lines[mark.line - 1].unicodeScalars)
            var column = mark.column - 1
            guard line.indices.contains(column) else { return [] }
            if ["\"", "'"].contains(line[column]) { column += 1 }
            line.insert(contentsOf: String(repeating: tag, count: count).unicodeScalars, at: column)
            lines[mark.line - 1] = String(String.UnicodeScalarView(line))
            do {
                guard let root = try Parser(yaml: lines.joined(separator: "\n")).singleRoot() else { return [] }
                return renamedKeys(in: root, at: FieldPath())
            } catch YamlError.duplicatedKeysInMapping(_, let context) {
                mark = context.mark
            } catch {
                return []
            }
        }
        return []
    }

    private static func renamedKeys(in node: Node, at path: FieldPath) -> [(path: FieldPath, marks: [Mark])] {
        switch node {
        case .mapping(let mapping):
            let keys = mapping.map { ($0.value, name(of: $0.key), $0.key.mark) }
            let own = Dictionary(grouping: keys, by: \.1).filter { $0.value.count > 1 }.map { name, keys in
                (path.member(name), keys.compactMap(\.2))
            }
            return own + keys.flatMap { value, name, _ in renamedKeys(in: value, at: path.member(name)) }
        case .sequence(let sequence):
            return sequence.enumerated().flatMap { renamedKeys(in: $0.element, at: path.element($0.offset)) }
        case .scalar, .alias: return []
        }
    }

    private static func name(of key: Node) -> String { ConfigurationFile.name(of: key).replacing(tag, with: "") }

    private static func lines(of marks: [Mark]) -> String {
        let lines = Set(marks.map(\.line)).sorted().map(String.init)
        if lines.count == 1 { return "line \(lines[0])" }
        return "lines \(lines.dropLast().joined(separator: ", ")) and \(lines.last ?? "")"
    }
}

internal import Fields
internal import JSON
internal import Yams

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

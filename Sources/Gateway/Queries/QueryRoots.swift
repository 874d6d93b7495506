package import Fields
internal import JSON
internal import Time

/// The names that a path may begin with, and what the values at some paths can be.
package struct QueryRoots: Sendable {
    package var names: [String]
    /// By path without indices, such as `extension.state`. Any value elsewhere.
    package var values: [String: Values]
    /// What is below a name, and the values there. A name without a schema and `values` has any members.
    package var schemas: [String: FieldSchema] = [:]
    /// Those that are computed when a condition names their path.
    package var computed: [String: @Sendable () -> Values] = [:]

    /// The values of a member; a condition that no value or every value meets is an error.
    package enum Values: Sendable {
        case words([String])
        /// A list of words.
        case wordList([String])
        case number, flag, time, text
        /// A text of one form, such as a UUID, which completes "is always"; upper and lower case are equal.
        case identifier(String, isValid: @Sendable (String) -> Bool)
        /// Numbers in any of these ranges.
        case numbers([ClosedRange<Int>])

        init?(_ schema: FieldSchema) {
            switch schema {
            case .flag: self = .flag
            case .text, .path: self = .text
            case .word(let words): self = .words(words)
            case .integer, .share, .number: self = .number
            case .list(.word(let words), _): self = .wordList(words)
            case .any, .list, .map, .object: return nil
            }
        }
    }

    /// - Parameter paths: Each name, in the order of messages, and each path below one whose values are known; nil for any.
    package init(_ paths: KeyValuePairs<String, Values?>, schemas: [String: FieldSchema] = [:]) {
        names = paths.map(\.key).filter { !$0.contains(".") }
        values = paths.reduce(into: [:]) { $0[$1.key] = $1.value }
        self.schemas = schemas
    }

    /// Why a condition compares with something that its member never is, without a full stop; nil if it may hold.
    func problem(_ condition: Condition) -> String? {
        let path = condition.path.names.filter { Int($0) == nil }.joined(separator: ".")
        let schema = try? schema(at: condition.path).get()
        if case .compares(_, let operand) = condition.test, let schema,
            let wrong = unknownName(operand.value, schema, path)
        {
            return wrong
        }
        guard let values = values[path] ?? computed[path]?() ?? schema.flatMap({ Values($0) }) else {
            return nil
        }
        switch condition.test {
        case .exists, .absent: return nil
        case .compares(let comparison, let operand): return problem(path, values, comparison, operand)
        case .oneOf(let operands):
            return operands.lazy.compactMap { problem(path, values, .equals, $0) }.first
        case .matches(let pattern):
            switch values {
            case .words(let words) where !words.contains(where: pattern.matches):
                return "no value of '\(path)' is like that; accepted: \(words.joined(separator: ", "))"
            case .words, .time, .text, .identifier: return nil
            case .wordList, .number, .numbers, .flag:
                return "a regular expression matches texts, and '\(path)' is never one"
            }
        }
    }

    /// Compares identifiers without regard to case.
    func prepared(_ condition: Condition) -> Condition {
        guard case .identifier = values[condition.path.text] else { return condition }
        return switch condition.test {
        case .compares(let comparison, let operand):
            Condition(condition.path, .compares(comparison, operand.ignoringCase))
        case .oneOf(let operands): Condition(condition.path, .oneOf(operands.map(\.ignoringCase)))
        case .exists, .absent, .matches: condition
        }
    }

    private func problem(
        _ path: String, _ values: Values, _ comparison: Comparison, _ operand: Operand
    ) -> String? {
        switch values {
        case .words(let words):
            guard comparison != .contains else {
                let part = operand.word ?? operand.value.string ?? ""
                return words.contains { $0.contains(part) } ? nil : unknown(operand, at: path, among: words)
            }
            return words.contains { operand.equals(.string($0)) } ? nil : unknown(operand, at: path, among: words)
        case .wordList(let words):
            guard words.contains(where: { operand.equals(.string($0)) }) else {
                // A whole list is compared as it is.
                if case .array = operand.value { return nil }
                return unknown(operand, at: path, among: words)
            }
            return comparison == .contains ? nil : "'\(path)' is a list; write \(path)~\(operand.text)"
        case .number: return operand.value.double == nil ? "'\(path)' is always a number" : nil
        case .numbers(let ranges):
            guard let number = operand.value.double else { return "'\(path)' is always a number" }
            let isMet = ranges.contains { range in
                switch comparison {
                case .less, .atMost, .greater, .atLeast:
                    [range.lowerBound, range.upperBound].contains { comparison.holds(.integer($0), operand) }
                case .equals, .differs, .contains:
                    Double(range.lowerBound) <= number && number <= Double(range.upperBound)
                        && number == number.rounded()
                }
            }
            let accepted = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound) to \($0.upperBound)" }
            return isMet
                ? nil
                : "'\(path)' is never \(comparison.sign)\(operand.text); accepted: \(accepted.joined(separator: ", "))"
        case .flag:
            if case .bool = operand.value { return nil }
            return "'\(path)' is always true or false"
        case .time:
            let text = operand.value.string ?? operand.word
            return comparison == .contains || text.flatMap { Instant(text: $0) } != nil
                ? nil : "'\(path)' is always a time such as 2026-11-23T10:00:00Z"
        case .identifier(let form, let isValid):
            guard let text = operand.word ?? operand.value.string else { return "'\(path)' is always \(form)" }
            return comparison == .contains || isValid(text) ? nil : "'\(path)' is always \(form)"
        case .text: return (operand.word ?? operand.value.string) == nil ? "'\(path)' is always a text" : nil
        }
    }

    private func unknown(_ operand: Operand, at path: String, among words: [String]) -> String {
        let wrong = "'\(path)' is never \(operand.text)"
        let others = self.values.filter { _, values in
            switch values {
            case .words(let words), .wordList(let words): words.contains(operand.text)
            case .number, .numbers, .flag, .time, .text, .identifier: false
            }
        }
        if let other = others.keys.min(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) {
            return "\(wrong), but '\(other)' can be; did you mean '\(other)'?"
        }
        if let nearest = NearestName.of(operand.text, among: words) { return "\(wrong); did you mean '\(nearest)'?" }
        return "\(wrong); accepted: \(words.joined(separator: ", "))"
    }
}

// MARK: Members

extension QueryRoots {
    /// A name of a path that no document has.
    struct UnknownName: Error {
        /// The index of the name in the path.
        var index: Int
        /// Without a full stop.
        var message: String
    }

    /// - Returns: What is at a path; nil for anything.
    func schema(at path: QueryPath) -> Result<FieldSchema?, UnknownName> {
        guard var schema = schemas[path.root] ?? scalar(path.root) else { return .success(nil) }
        for (index, name) in path.names.enumerated().dropFirst() {
            let parent = QueryPath(Array(path.names[..<index])).text
            while Int(name) == nil, let element = schema.element { schema = element }
            switch schema {
            case .any: return .success(nil)
            case .map(let value):
                if path.root == QueryPath.headers, name != name.lowercased() {
                    return .failure(
                        .init(index: index, message: "names of headers are in lower case; write \(name.lowercased())"))
                }
                schema = value
            case .list(let element, _): schema = element
            case .object(_, let fields):
                guard let field = fields.first(where: { $0.name == name }) else {
                    return .failure(.init(index: index, message: Self.unknown(name, in: parent, fields)))
                }
                schema = field.schema
            case .flag, .text, .path, .word, .integer, .share, .number:
                return .failure(.init(index: index, message: "'\(parent)' has no members"))
            }
        }
        return .success(schema)
    }

    private func scalar(_ root: String) -> FieldSchema? {
        switch values[root] {
        case .wordList: .list(.text(.any))
        case .words, .number, .numbers, .flag, .time, .text, .identifier: .text(.any)
        case nil: computed[root] == nil ? nil : .text(.any)
        }
    }

    private static func unknown(_ name: String, in parent: String, _ fields: [FieldDescription]) -> String {
        let names = fields.map(\.name)
        let nearest = NearestName.of(name, among: names).map { "did you mean '\(parent).\($0)'?" }
        return "there is no '\(parent).\(name)'; \(nearest ?? "accepted: \(names.joined(separator: ", "))")"
    }

    /// Of a name in an object that is compared.
    private func unknownName(_ value: JSONValue, _ schema: FieldSchema, _ path: String) -> String? {
        switch (value, schema) {
        case (.object(let members), .object(_, let fields)):
            return members.lazy.compactMap { name, value in
                guard let field = fields.first(where: { $0.name == name }) else {
                    return Self.unknown(name, in: path, fields)
                }
                return unknownName(value, field.schema, "\(path).\(name)")
            }.first
        case (.array(let elements), .list(let element, _)):
            return elements.lazy.compactMap { unknownName($0, element, path) }.first
        case (.object, .list(let element, _)): return unknownName(value, element, path)
        default: return nil
        }
    }
}

extension Comparison {
    /// For messages: nothing if it means equal.
    fileprivate var sign: String {
        switch self {
        case .equals, .differs, .contains: ""
        case .less, .atMost, .greater, .atLeast: rawValue + " "
        }
    }
}

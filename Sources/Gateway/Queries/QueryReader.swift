internal import Fields
internal import JSON

/// Why a query cannot be read.
package struct QueryError: Error, Hashable, Sendable {
    /// The condition as given.
    package let text: String
    /// The position of the mistake, counted from 1 in characters; nil if the query was JSON.
    package let column: Int?
    /// The error and the accepted forms, without a full stop.
    package let message: String

    package var description: String {
        column.map { "column \($0) of '\(text.prefix(200))': \(message)" } ?? message
    }
}

extension Condition {
    package static let maximumCharacterCount = TextPattern.maximumCharacterCount

    /// The short form of a condition, such as `payload.aps.badge>2`, `title~Hello` or `!collapseId`.
    ///
    /// - Parameter roots: The names that a path may begin with; nil for any.
    package init(_ text: String, roots: QueryRoots?) throws(QueryError) {
        var reader = try ConditionReader(text)
        let isAbsent = reader.take("!")
        let path = try reader.path(roots)
        guard !reader.isAtEnd else {
            self.init(path, isAbsent ? .absent : .exists)
            return
        }
        guard !isAbsent else {
            throw reader.error("'!' before a path means that it is absent; nothing may follow the path")
        }
        let place = reader.place
        self.init(path, try reader.test(roots?.names ?? []))
        guard let roots else { return }
        if let problem = roots.problem(self) { throw reader.error(problem, at: place) }
        self = roots.prepared(self)
    }
}

private struct ConditionReader {
    private let text: String
    private let characters: [Character]
    private(set) var place = 0

    init(_ text: String) throws(QueryError) {
        self.text = text
        characters = Array(text)
        guard characters.count <= Condition.maximumCharacterCount else {
            throw error("a condition has at most \(Condition.maximumCharacterCount) characters")
        }
    }

    var isAtEnd: Bool { place == characters.count }

    func error(_ message: String, at place: Int? = nil) -> QueryError {
        QueryError(text: text, column: (place ?? self.place) + 1, message: message)
    }

    mutating func take(_ sign: String) -> Bool {
        guard characters[place...].starts(with: sign) else { return false }
        place += sign.count
        return true
    }

    // MARK: Path

    mutating func path(_ roots: QueryRoots?) throws(QueryError) -> QueryPath {
        var names: [String] = []
        var starts: [Int] = []
        repeat {
            let start = place
            starts.append(start)
            names.append(try name())
            if names.count == 1, let roots = roots?.names, !roots.contains(names[0]) {
                let nearest = NearestName.of(names[0], among: roots).map { "did you mean '\($0)'?" }
                throw error(
                    "there is no '\(names[0])'; \(nearest ?? "accepted: \(roots.joined(separator: ", "))")", at: start)
            }
            guard names.count <= QueryPath.maximumDepth else {
                throw error("a path has at most \(QueryPath.maximumDepth) names", at: start)
            }
        } while take(".")
        let path = QueryPath(names)
        if case .failure(let unknown)? = roots?.schema(at: path) {
            throw error(unknown.message, at: starts[unknown.index])
        }
        return path
    }

    private mutating func name() throws(QueryError) -> String {
        if take("\"") {
            let start = place
            while place < characters.count, characters[place] != "\"" { place += 1 }
            let name = String(characters[start..<place])
            guard take("\"") else { throw error("the quoted name has no end; close it with \"", at: start - 1) }
            return name
        }
        let start = place
        while place < characters.count, !QueryPath.delimiters.contains(characters[place]) { place += 1 }
        guard place > start else { throw error("a name is missing, such as topic or payload.aps.badge") }
        return String(characters[start..<place])
    }

    // MARK: Test

    /// Longer signs first.
    private static let signs: [(sign: String, comparison: Comparison?)] =
        [("=~", nil)] + Comparison.allCases.sorted { $0.rawValue.count > $1.rawValue.count }.map { ($0.rawValue, $0) }

    /// - Parameter names: That another condition in the same text would begin with.
    mutating func test(_ names: [String]) throws(QueryError) -> Condition.Test {
        let start = place
        for (sign, comparison) in Self.signs where take(sign) {
            guard !isAtEnd else {
                throw error("a value is missing after '\(sign)'; write two double quotes for an empty text")
            }
            guard let comparison else { return .matches(try pattern()) }
            try refuseMore(names)
            return try compare(comparison)
        }
        let names = Self.signs.map(\.sign).joined(separator: " ")
        throw error("'\(characters[start])' is not an operator; accepted: \(names)")
    }

    /// An unquoted value has the rest of the text, so it would contain what is meant to be another condition.
    private func refuseMore(_ names: [String]) throws(QueryError) {
        let value = characters[place...]
        if value.count > 1, value.first == "'", value.last == "'" {
            throw error("single quotes would be part of the text; use double quotes")
        }
        guard !Operand.jsonBeginnings.contains(value.first ?? "\"") else { return }
        let words = String(value).split(separator: " ", omittingEmptySubsequences: false)
        for (word, next) in zip(words, words.dropFirst()) where ["and", "or", "&&", "||"].contains(word.lowercased()) {
            let name = next.prefix { !QueryPath.delimiters.contains($0) }
            guard name.count < next.count, names.contains(String(name)) else { continue }
            throw error(
                "'\(word) \(next)' would be part of the text; give each condition by itself, or put the text in double quotes"
            )
        }
    }

    private mutating func pattern() throws(QueryError) -> TextPattern {
        let start = place
        let source = String(characters[place...])
        do throws(TextPattern.Problem) {
            return try TextPattern(source)
        } catch {
            throw self.error(error.message, at: start + error.place)
        }
    }

    private mutating func compare(_ comparison: Comparison) throws(QueryError) -> Condition.Test {
        guard comparison == .equals || comparison == .differs else {
            return .compares(comparison, try operand(endsAtBar: false))
        }
        let first = try operand(endsAtBar: true)
        guard !isAtEnd else { return .compares(comparison, first) }
        guard comparison == .equals else {
            throw error("'!=' takes one value; put it in double quotes, or give one condition for each value")
        }
        var operands = [first]
        while take("|") { operands.append(try operand(endsAtBar: true)) }
        return .oneOf(operands)
    }

    /// - Parameter endsAtBar: Whether the value is one of a list; else it has the rest of the text.
    private mutating func operand(endsAtBar: Bool) throws(QueryError) -> Operand {
        let start = place
        guard let first = isAtEnd ? nil : characters[place], Operand.jsonBeginnings.contains(first) else {
            if !isAtEnd, Operand.signs.contains(characters[place]) {
                throw error("a value that begins with '\(characters[place])' must be in double quotes")
            }
            while !isAtEnd, !(endsAtBar && characters[place] == "|") { place += 1 }
            return Operand(word: String(characters[start..<place]))
        }
        if endsAtBar { skipJSON() } else { place = characters.count }
        guard let value = JSONValue(Array(String(characters[start..<place]).utf8).span.bytes) else {
            throw error("the value begins like JSON, but is not valid JSON; put all of it in double quotes", at: start)
        }
        return Operand(value)
    }

    /// Up to the next bar outside texts, lists and objects.
    private mutating func skipJSON() {
        var depth = 0
        var isInText = false
        while !isAtEnd {
            switch characters[place] {
            case "\\" where isInText: place += 1
            case "\"": isInText.toggle()
            case "{" where !isInText, "[" where !isInText: depth += 1
            case "}" where !isInText, "]" where !isInText: depth -= 1
            case "|" where !isInText && depth <= 0: return
            default: break
            }
            place = min(place + 1, characters.count)
        }
    }
}

extension Operand {
    /// A word that may be a number, true or false.
    init(word: String) {
        let value = JSONValue(Array(word.utf8).span.bytes)
        switch value {
        case .bool, .integer, .number: self.init(value ?? .null, word: word)
        default: self.init(.string(word), word: word)
        }
    }
}

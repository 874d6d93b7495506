internal import HeapModule
package import JSON

/// `focus.modes[1].schedule[0].from`, for example.
package struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    package typealias Part = JSONKey

    /// Outermost first; empty for the document root.
    package var parts: [Part]

    package init(_ parts: [Part] = []) { self.parts = parts }

    package init(codingPath keys: [any CodingKey]) {
        self.init(keys.map { $0.intValue.map { .element($0) } ?? .member($0.stringValue) })
    }

    package func member(_ name: String) -> Self { Self(parts + [.member(name)]) }

    package func element(_ index: Int) -> Self { Self(parts + [.element(index)]) }

    package var description: String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

extension JSONReader {
    /// The places of keys that occur more than once in their object, at any depth, such as `aps.alert[0].title`; each once.
    package mutating func repeatedKeys() -> [String] {
        var found: [String] = []
        var path = FieldPath()
        addRepeatedKeys(to: &found, at: &path)
        return found
    }

    private mutating func addRepeatedKeys(to found: inout [String], at path: inout FieldPath) {
        switch kind() {
        case .object:
            var counts: [String: Int] = [:]
            enter()
            while let key = nextKey() {
                counts[key, default: 0] += 1
                path.parts.append(.member(key))
                if counts[key] == 2 { found.append("\(path)") }
                addRepeatedKeys(to: &found, at: &path)
                path.parts.removeLast()
            }
        case .array:
            enter()
            var index = 0
            while nextElement() {
                path.parts.append(.element(index))
                addRepeatedKeys(to: &found, at: &path)
                path.parts.removeLast()
                index += 1
            }
        case .string, .bool, .number, .null: skip()
        }
    }
}

package struct FieldProblem: Sendable, Hashable, CustomStringConvertible {
    package var path: FieldPath
    /// Completes a sentence that starts with the path: `is "loud"`.
    package var found: String
    /// `accepted: ring or silent`
    package var remedy: String
    package var subject = Subject.value

    package enum Subject: Sendable { case value, name, unknownName }

    package init(_ path: FieldPath, _ found: String, _ remedy: String, subject: Subject = .value) {
        self.path = path
        self.found = found
        self.remedy = remedy
        self.subject = subject
    }

    package var message: String { "\(found); \(remedy)" }

    package var description: String { path.parts.isEmpty ? message : "\(path) \(message)" }

    /// An object may have any number of unknown members, and each is compared with the known ones.
    private static let maximumUnknownCount = 20

    /// The problems of an object's unknown members; above 20, one counts the others.
    package static func unknown(_ names: some Collection<String>, at path: FieldPath, known: [String]) -> [Self] {
        let first = names.smallest(maximumUnknownCount)
        let others = names.count - first.count
        return first.map { unknown($0, at: path, known: known) }
            + (others > 0 ? [Self(path, "has \(others) more unknown members", "remove them", subject: .name)] : [])
    }

    package static func unknown(_ name: String, at path: FieldPath, known: [String]) -> Self {
        let remedy =
            NearestName.of(name, among: known).map { "did you mean \($0)?" }
            ?? (known.isEmpty ? "no member is known here" : "known are \(known.joined(separator: ", "))")
        return Self(path.member(String(name.prefix(60))), "is unknown", remedy, subject: .unknownName)
    }

    package static func missing(_ name: String, at path: FieldPath, accepted: String) -> Self {
        Self(path.member(name), "is missing", "accepted: \(accepted)")
    }

    package static func wrong(_ json: JSONValue, at path: FieldPath, accepted: String) -> Self {
        Self(path, "is \(json.words)", "accepted: \(accepted)")
    }
}

/// In table order.
package struct FieldError: Error, Hashable, CustomStringConvertible {
    /// At least one.
    package var problems: [FieldProblem]

    package init(problems: [FieldProblem]) { self.problems = problems }

    private static let describedCount = 50

    package var description: String {
        let others = problems.count - Self.describedCount
        return
            (problems.prefix(Self.describedCount).map(\.description)
            + (others > 0 ? ["\(others) more problems are not listed"] : [])).joined(separator: "\n")
    }
}

extension JSONValue {
    /// For messages.
    package var words: String {
        switch self {
        case .null, .bool, .integer: text
        case .number(let value): String(value)
        case .string(let text): "\"\(text.prefix(60))\""
        case .array: "a list"
        case .object: "an object"
        case .verbatim: "JSON"
        }
    }
}

extension Collection<String> {
    /// The first in alphabetical order; sorting all of them would take most of the time.
    package func smallest(_ limit: Int) -> [String] {
        guard count > limit else { return sorted() }
        var smallest = Heap(prefix(limit))
        for name in dropFirst(limit) where smallest.max.map({ name < $0 }) ?? false { smallest.replaceMax(with: name) }
        return smallest.unordered.sorted()
    }
}

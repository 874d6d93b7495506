internal import Fields
internal import JSON

/// A Swift type, as far as its Codable form goes: `String`, `Int?`, `[Date]`, `enum(a|b)` or `{eta: Date, step: Int}`.
package indirect enum SwiftType: Sendable, Hashable {
    case string, int, double, bool, date, data, url, uuid
    /// `ClosedRange<Date>`, coded as two dates.
    case dateRange
    /// Not checked.
    case any
    case optional(SwiftType)
    case list(SwiftType)
    /// A raw-value enumeration; Int if all values are numbers.
    case choice([String])
    case structure([Member])

    package struct Member: Sendable, Hashable {
        package var name: String
        package var type: SwiftType
    }

    package static let forms =
        "String, Int, Double, Bool, Date, Data, URL, UUID, ClosedRange<Date>, any, T?, [T], enum(a|b) or {name: T, …}"

    fileprivate static let named: [String: SwiftType] = [
        "String": .string, "Int": .int, "Double": .double, "Bool": .bool, "Date": .date, "Data": .data, "URL": .url,
        "UUID": .uuid, "ClosedRange<Date>": .dateRange, "any": .any,
    ]

    /// As declarations spell it.
    package var text: String {
        switch self {
        case .string, .int, .double, .bool, .date, .data, .url, .uuid, .dateRange, .any:
            Self.named.first { $0.value == self }?.key ?? ""
        case .optional(let type): type.text + "?"
        case .list(let type): "[\(type.text)]"
        case .choice(let values): "enum(\(values.joined(separator: "|")))"
        case .structure(let members): "{\(members.map { "\($0.name): \($0.type.text)" }.joined(separator: ", "))}"
        }
    }

    package var members: [Member] { if case .structure(let members) = self { members } else { [] } }

    package var isOptional: Bool { if case .optional = self { true } else { false } }

    /// Without `?`.
    package var wrapped: SwiftType { if case .optional(let type) = self { type } else { self } }

    package func member(_ name: String) -> SwiftType? { wrapped.members.first { $0.name == name }?.type }
}

// MARK: Declarations

extension SwiftType {
    fileprivate static let maximumDepth = 8
    fileprivate static let maximumMemberCount = 64

    /// Reads a declaration: a text, an object for a structure, or a list of one type.
    fileprivate init?(_ json: JSONValue, at path: FieldPath, depth: Int = 0, _ problems: inout [FieldProblem]) {
        guard depth <= Self.maximumDepth else {
            problems.append(FieldProblem(path, "is nested too deeply", "accepted: \(Self.maximumDepth) levels"))
            return nil
        }
        switch json {
        case .string(let text):
            var parser = SwiftTypeParser(rest: text[...])
            guard let type = parser.whole() else {
                problems.append(FieldProblem(path, "is \(json.words)", parser.remedy))
                return nil
            }
            self = type
        case .array(let elements) where elements.count == 1:
            guard let type = Self(elements[0], at: path.element(0), depth: depth + 1, &problems) else { return nil }
            self = .list(type)
        case .object(let members):
            guard members.count <= Self.maximumMemberCount else {
                let remedy = "accepted: at most \(Self.maximumMemberCount)"
                problems.append(FieldProblem(path, "has \(members.count) members", remedy))
                return nil
            }
            let types = members.compactMap { name, json in
                Self(json, at: path.member(name), depth: depth + 1, &problems).map { Member(name: name, type: $0) }
            }
            guard types.count == members.count else { return nil }
            self = .structure(types)
        case .null, .bool, .integer, .number, .array, .verbatim:
            problems.append(.wrong(json, at: path, accepted: Self.forms))
            return nil
        }
    }

    var declaration: JSONValue {
        guard case .structure(let members) = self else { return .string(text) }
        return .object(JSONObject(members.map { ($0.name, $0.type.declaration) }))
    }
}

extension FieldFormat {
    /// A structure's members with their types.
    static var structure: FieldFormat<SwiftType> {
        FieldFormat<SwiftType>(
            accepted: "an object of types by member name, such as {\"eta\": \"Date\", \"note\": \"String?\"}",
            schema: .map(.any),
            read: { json, _, path, problems in
                guard case .object = json else {
                    problems.append(.wrong(json, at: path, accepted: "an object of types by member name"))
                    return nil
                }
                return SwiftType(json, at: path, &problems)
            }, write: { $0.declaration })
    }
}

/// Parses a type's text.
private struct SwiftTypeParser {
    var rest: Substring
    var depth = 0
    /// What is not a type.
    var unknown: Substring?

    var remedy: String {
        let hint = unknown.flatMap { NearestName.of(String($0), among: Array(SwiftType.named.keys).sorted()) }
        let place = unknown.map { $0.isEmpty ? "a type is missing; " : "\"\($0)\" is not a type; " } ?? ""
        return place + (hint.map { "did you mean \($0)?" } ?? "accepted: \(SwiftType.forms)")
    }

    mutating func whole() -> SwiftType? {
        guard let type = type() else { return nil }
        skipSpace()
        guard rest.isEmpty else {
            unknown = rest.prefix(60)
            return nil
        }
        return type
    }

    private mutating func skipSpace() { rest = rest.drop { $0 == " " } }

    private mutating func takes(_ character: Character) -> Bool {
        skipSpace()
        guard rest.first == character else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func type() -> SwiftType? {
        depth += 1
        defer { depth -= 1 }
        skipSpace()
        unknown = rest.prefix { $0 != "?" && $0 != "]" && $0 != "," && $0 != "}" && $0 != " " }.prefix(60)
        guard depth <= SwiftType.maximumDepth, var type = takes("[") ? list() : takes("{") ? structure() : word() else {
            return nil
        }
        while takes("?") { if !type.isOptional { type = .optional(type) } }
        return type
    }

    private mutating func list() -> SwiftType? {
        guard let element = type() else { return nil }
        guard takes("]") else {
            unknown = nil
            return nil
        }
        return .list(element)
    }

    private mutating func structure() -> SwiftType? {
        var members: [SwiftType.Member] = []
        while !takes("}") {
            guard members.isEmpty || takes(","), members.count < SwiftType.maximumMemberCount else { return nil }
            skipSpace()
            let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            rest = rest.dropFirst(name.count)
            guard !name.isEmpty, takes(":"), let type = type() else { return nil }
            members.append(SwiftType.Member(name: String(name), type: type))
        }
        return .structure(members)
    }

    private mutating func word() -> SwiftType? {
        if rest.hasPrefix("enum("), let end = rest.firstIndex(of: ")") {
            let values = rest[..<end].dropFirst(5).split(separator: "|", omittingEmptySubsequences: false).map(
                String.init)
            rest = rest[rest.index(after: end)...]
            return values.contains("") || Set(values).count < values.count ? nil : .choice(values)
        }
        let word = rest.prefix { $0.isLetter || $0 == "<" || $0 == ">" }
        rest = rest.dropFirst(word.count)
        return SwiftType.named[String(word)]
    }
}

package import JSON
internal import Time

package enum Comparison: String, CaseIterable, Sendable {
    case equals = "="
    case differs = "!="
    case less = "<"
    case atMost = "<="
    case greater = ">"
    case atLeast = ">="
    /// A text contains a text, an array an element, an object at least the given members.
    case contains = "~"

    func holds(_ value: JSONValue, _ operand: Operand) -> Bool {
        switch self {
        case .equals: operand.equals(value)
        case .differs: !operand.equals(value)
        case .less: operand.order(of: value).map { $0 < 0 } ?? false
        case .atMost: operand.order(of: value).map { $0 <= 0 } ?? false
        case .greater: operand.order(of: value).map { $0 > 0 } ?? false
        case .atLeast: operand.order(of: value).map { $0 >= 0 } ?? false
        case .contains: operand.isContained(in: value)
        }
    }
}

/// The right-hand side of a comparison.
package struct Operand: Hashable, Sendable {
    package let value: JSONValue
    /// An unquoted word; equal to a text even if it looks like a number.
    package let word: String?
    private var ignoresCase = false

    package init(_ value: JSONValue, word: String? = nil) {
        self.value = value
        self.word = word
    }

    var ignoringCase: Operand {
        var operand = self
        operand.ignoresCase = true
        return operand
    }

    /// Integers and fractions of the same value are equal.
    func equals(_ other: JSONValue) -> Bool {
        if case (.integer(let first), .integer(let second)) = (value, other) { return first == second }
        if let first = value.double, let second = other.double { return first == second }
        if case .string(let text) = other {
            if text == word { return true }
            if ignoresCase { return text.lowercased() == (word ?? value.string)?.lowercased() }
        }
        return value == other
    }

    /// Negative if the other value is less; nil unless both are numbers, times or texts.
    func order(of other: JSONValue) -> Int? {
        // Not as `Double`, which tells large ones apart no more.
        if case (.integer(let first), .integer(let second)) = (other, value) { return Self.order(first, second) }
        if let first = other.double, let second = value.double { return Self.order(first, second) }
        guard case .string(let first) = other, case .string(let second) = value else { return nil }
        if let first = Instant(text: first), let second = Instant(text: second) {
            return Self.order(first, second)
        }
        return Self.order(first, second)
    }

    private static func order<Value: Comparable>(_ first: Value, _ second: Value) -> Int {
        first < second ? -1 : first > second ? 1 : 0
    }

    func isContained(in other: JSONValue) -> Bool {
        switch other {
        case .string(let text):
            if let part = value.string ?? word {
                ignoresCase ? text.lowercased().contains(part.lowercased()) : text.contains(part)
            } else {
                false
            }
        case .array(let elements): elements.contains { equals($0) || isContained(in: $0) }
        case .object(let members):
            if case .object(let wanted) = value {
                wanted.allSatisfy { name, value in members[name].map { Operand(value).isMet(by: $0) } ?? false }
            } else {
                false
            }
        default: equals(other)
        }
    }

    /// Inside an object, a text must be equal, and an object needs only the given members.
    private func isMet(by other: JSONValue) -> Bool {
        if case .object = value { isContained(in: other) } else { equals(other) }
    }

    /// A value that starts with one of these is JSON.
    static let jsonBeginnings: Set<Character> = ["\"", "{", "["]

    /// A value that starts with one must be quoted; otherwise it is probably part of a misspelt operator.
    static let signs: Set<Character> = ["=", "!", "<", ">", "~"]

    /// As a person writes it: without quotes where they are not needed.
    package var text: String {
        if let word { return word }
        if case .string(let text) = value, Operand(word: text).value == value, !text.contains("|"),
            let first = text.first, !Self.jsonBeginnings.contains(first), !Self.signs.contains(first)
        {
            return text
        }
        return String(decoding: value.bytes, as: UTF8.self)
    }
}

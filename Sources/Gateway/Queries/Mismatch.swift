internal import Fields
package import JSON

/// A condition that a document does not meet.
package struct Mismatch: Hashable, Sendable {
    package let path: String
    /// Such as `= com.example.app` or `exists`.
    package let expected: String
    /// nil when the document has nothing at the path.
    package let got: JSONValue?
    /// 0 for nearly equal to 1 for nothing in common.
    package let distance: Double

    init(_ condition: Condition, _ values: [JSONValue]) {
        path = condition.path.text
        expected = condition.test.text
        got = values.count > 1 ? .array(values) : values.first
        distance = values.map { condition.test.distance(to: $0) }.min() ?? 1
    }

    /// Such as `title: expected = Hello, got "Hallo"`.
    package var sentence: String {
        "\(path): expected \(expected), got \(got.map { String(decoding: $0.bytes, as: UTF8.self) } ?? "nothing")"
    }
}

extension Condition {
    /// As in the short form.
    package var text: String {
        switch test {
        case .exists: path.text
        case .absent: "!\(path.text)"
        case .compares(let comparison, let operand): path.text + comparison.rawValue + operand.text
        case .oneOf(let operands): "\(path.text)=\(operands.map(\.text).joined(separator: "|"))"
        case .matches(let pattern): "\(path.text)=~\(pattern.source)"
        }
    }
}

extension Condition.Test {
    fileprivate var text: String {
        switch self {
        case .exists: "anything"
        case .absent: "nothing"
        case .compares(.equals, let operand): operand.text
        case .compares(.differs, let operand): "anything but \(operand.text)"
        case .compares(.contains, let operand): "something that contains \(operand.text)"
        case .compares(let comparison, let operand): "\(comparison.rawValue) \(operand.text)"
        case .oneOf(let operands): "one of \(operands.map(\.text).joined(separator: ", "))"
        case .matches(let pattern): "a text like \(pattern.source)"
        }
    }

    fileprivate func distance(to value: JSONValue) -> Double {
        switch self {
        case .compares(let comparison, let operand) where comparison != .differs: operand.distance(to: value)
        case .oneOf(let operands): operands.map { $0.distance(to: value) }.min() ?? 1
        default: 0.5
        }
    }
}

extension Operand {
    /// Texts by edit distance, numbers by their ratio.
    fileprivate func distance(to other: JSONValue) -> Double {
        if let first = value.double, let second = other.double {
            let greatest = max(abs(first), abs(second))
            return greatest > 0 ? min(1, abs(first - second) / greatest) : 0
        }
        guard case .string(let first) = other, case .string(let second) = value else { return 0.9 }
        // Long texts are compared by their beginnings, which is enough to rank them.
        let (one, other) = (first.prefix(80), second.prefix(80))
        let greatest = max(one.count, other.count)
        return greatest > 0 ? Double(NearestName.distance(one, other)) / Double(greatest) : 0
    }
}

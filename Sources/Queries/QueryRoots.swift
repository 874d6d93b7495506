internal import APNs
internal import Fields
internal import JSON

/// The names that a path may begin with, and what the values at some paths can be.
package struct QueryRoots: Sendable, ExpressibleByArrayLiteral {
    package var names: [String]
    /// By path without indices, such as `extension.state`. Any value elsewhere.
    package var values: [String: Values]
    /// Those that are computed when a condition names their path.
    package var computed: [String: @Sendable () -> Values] = [:]

    /// The values of a member; a condition that no value or every value meets is an error.
    package enum Values: Sendable {
        case words([String])
        /// A list of words.
        case wordList([String])
        case number, flag, time, text
    }

    package init(_ names: [String], values: [String: Values] = [:]) { (self.names, self.values) = (names, values) }

    package init(arrayLiteral names: String...) { self.init(names) }

    /// Why a condition compares with something that its member never is, without a full stop; nil if it may hold.
    func problem(_ condition: Condition) -> String? {
        let path = condition.path.names.filter { Int($0) == nil }.joined(separator: ".")
        guard let values = values[path] ?? computed[path]?() else { return nil }
        switch condition.test {
        case .exists, .absent: return nil
        case .compares(let comparison, let operand): return problem(path, values, comparison, operand)
        case .oneOf(let operands):
            return operands.lazy.compactMap { problem(path, values, .equals, $0) }.first
        case .matches(let pattern):
            switch values {
            case .words(let words) where !words.contains(where: pattern.matches):
                return "no value of '\(path)' is like that; accepted: \(words.joined(separator: ", "))"
            case .words, .time, .text: return nil
            case .wordList, .number, .flag: return "a regular expression matches texts, and '\(path)' is never one"
            }
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
        case .flag:
            if case .bool = operand.value { return nil }
            return "'\(path)' is always true or false"
        case .time:
            let text = operand.value.string ?? operand.word
            return comparison == .contains || text.flatMap { Instant(text: $0) } != nil
                ? nil : "'\(path)' is always a time such as 2026-11-23T10:00:00Z"
        case .text: return (operand.word ?? operand.value.string) == nil ? "'\(path)' is always a text" : nil
        }
    }

    private func unknown(_ operand: Operand, at path: String, among words: [String]) -> String {
        let wrong = "'\(path)' is never \(operand.text)"
        let others = self.values.filter { _, values in
            switch values {
            case .words(let words), .wordList(let words): words.contains(operand.text)
            case .number, .flag, .time, .text: false
            }
        }
        if let other = others.keys.min(by: { ($0.utf8.count, $0) < ($1.utf8.count, $1) }) {
            return "\(wrong), but '\(other)' can be; did you mean '\(other)'?"
        }
        if let nearest = NearestName.of(operand.text, among: words) { return "\(wrong); did you mean '\(nearest)'?" }
        return "\(wrong); accepted: \(words.joined(separator: ", "))"
    }
}

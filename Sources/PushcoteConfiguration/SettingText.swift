/// A setting's value as it is written, before it has a meaning.
package enum SettingText: Sendable, Equatable {
    /// No value: the key alone, or `null`.
    case absent
    case scalar(String)
    case list([String])

    /// Reads an environment variable or a flag; a list's elements are separated by commas, and `[]` is an empty one.
    package init(_ text: String, isList: Bool) {
        guard isList else {
            self = text.isEmpty ? .absent : .scalar(text)
            return
        }
        let elements =
            text == "[]"
            ? []
            : text.split(separator: ",").map { element in
                String(element.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
        self = .list(elements)
    }

    /// The value as YAML has it on one line.
    package var yaml: String {
        switch self {
        case .absent: "null"
        case .scalar(let text): Self.quoted(text)
        case .list(let elements): "[\(elements.map(Self.quoted).joined(separator: ", "))]"
        }
    }

    /// Quotes what YAML would read as something else.
    private static func quoted(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isLetter || $0.isNumber } == true && !text.contains { ":#,[]{}\"'\\".contains($0) }
        guard !isPlain else { return text }
        let escaped = text.map { "\"\\".contains($0) ? "\\\($0)" : String($0) }
        return "\"\(escaped.joined())\""
    }
}

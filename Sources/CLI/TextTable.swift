internal import DeviceModel
internal import FoundationEssentials
internal import JSON

/// Columns for people, two spaces apart.
struct TextTable {
    private let rows: [[String]]

    init(_ head: [String], _ rows: [[String]]) {
        self.rows = [head] + rows
    }

    /// The lines; nothing stands behind the last column.
    var text: String {
        var widths = [Int](repeating: 0, count: rows[0].count)
        for row in rows {
            for (column, cell) in row.enumerated() { widths[column] = max(widths[column], cell.count) }
        }
        return rows.map { row in
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell
                guard row[(column + 1)...].contains(where: { !$0.isEmpty }) else { break }
                line += String(repeating: " ", count: widths[column] - cell.count + 2)
            }
            return line
        }.joined(separator: "\n")
    }
}

extension String {
    /// The text on one line, safe for a terminal: whitespace becomes a space, and control characters a question mark.
    var onOneLine: String {
        String(
            map { character in
                if character.isNewline || character == "\t" { return " " }
                let isControl = character.unicodeScalars.contains { $0.properties.generalCategory == .control }
                return isControl ? "?" : character
            })
    }
}

extension JSONValue {
    /// For a column of a table: the members as `name=value`, texts without quotes.
    var cell: String {
        guard case .object(let members) = sorted else { return word }
        return members.map { "\($0.key)=\($0.value.word)" }.joined(separator: " ")
    }

    /// The places below an object, each with its value: `focus.active`, `work`. Lists and empty objects are values.
    var leaves: [(path: String, value: String)] {
        guard case .object(let members) = self, !members.isEmpty else { return [("", word)] }
        return members.flatMap { name, value in
            value.leaves.map { leaf in (leaf.path.isEmpty ? name : "\(name).\(leaf.path)", leaf.value) }
        }
    }

    /// A text without quotes, other values as JSON.
    var word: String {
        if case .string(let text) = self { text } else { self.text }
    }
}

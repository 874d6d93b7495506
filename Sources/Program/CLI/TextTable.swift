internal import JSON
internal import Time

package struct TextTable {
    package private(set) var text = ""
    private var widths: [Int] = []

    init() {}

    package init(_ head: [String], _ rows: [[String]]) { text = add([head] + rows) }

    var isEmpty: Bool { widths.isEmpty }

    /// Formats more rows, at least as wide as those before, without trailing spaces.
    mutating func add(_ rows: [[String]]) -> String {
        for row in rows {
            widths += [Int](repeating: 0, count: max(0, row.count - widths.count))
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

extension BinaryInteger {
    /// `1 device`, `2 devices`.
    package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
    /// The text on one line, safe for a terminal.
    package var onOneLine: String { String(map { $0.isNewline || $0 == "\t" ? " " : $0 }).printable }

    /// Safe for a terminal: a control character that is no tab and ends no line becomes its escape in JSON, such as `\u001b`.
    var printable: String {
        func isControl(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
        }
        guard unicodeScalars.contains(where: isControl) else { return self }
        return reduce(into: "") { text, character in
            guard character != "\r\n" else { return text.append(character) }
            for scalar in character.unicodeScalars {
                guard isControl(scalar) else { text.unicodeScalars.append(scalar); continue }
                text += "\\u" + scalar.value.padded(to: 4, radix: 16)
            }
        }
    }
}

extension JSONValue {
    /// For a table's column: members as `name=value`, strings without quotes.
    var cell: String {
        guard case .object(let members) = sorted else { return word }
        return members.map { "\($0.key)=\($0.value.word)" }.joined(separator: " ")
    }

    /// A table of an object's leaves; a list of objects has a row per element.
    var outline: String {
        let rows = leaves.flatMap { path, value -> [[String]] in
            let elements = self.value(at: path)?.elements ?? []
            guard case .object? = elements.first else { return [[path, value.onOneLine]] }
            return elements.enumerated().map { [$0.offset == 0 ? path : "", $0.element.cell.onOneLine] }
        }
        var table = TextTable()
        return table.add(rows)
    }

    func value(at path: String) -> JSONValue? { path.split(separator: ".").reduce(self) { $0?[String($1)] } }

    /// The paths below an object, such as `focus.active`, with their values. Lists and empty objects are leaves.
    var leaves: [(path: String, value: String)] {
        guard case .object(let members) = self, !members.isEmpty else { return [("", word)] }
        return members.flatMap { name, value in
            value.leaves.map { leaf in (leaf.path.isEmpty ? name : "\(name).\(leaf.path)", leaf.value) }
        }
    }

    /// Strings without quotes, other values as JSON.
    var word: String { if case .string(let text) = self { text } else { self.text } }
}

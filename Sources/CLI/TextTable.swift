internal import DeviceModel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

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

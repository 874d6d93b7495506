internal import CDocuments
internal import Foundation

/// The setup of each client library, from `docs/clients.md`; `pushcote setup` and `GET /snippets` fill it in.
package enum ClientGuide {
    /// A client library, or a way to reach the gateway that needs none.
    package struct Section: Sendable {
        package let name: String
        package let blocks: [Block]
        /// The cells of the client's row, such as `Java`, `host`, the trust and `run`; `nil` for a way.
        package let row: (language: String, way: String, trust: String, checked: String)?

        /// As the anchor of its heading.
        package var id: String { ClientGuide.anchor(name) }
    }

    package struct Block: Sendable {
        /// The language of a code block, `nil` for a paragraph.
        package let code: String?
        package let text: String
    }

    private static let text = String(cString: documents_clients())
    /// What is common to all clients, and the clients.
    private static let halves = text.split(separator: "\n---\n").map { $0.split(separator: "\n## ") }

    /// The last section covers errors of all clients.
    package static let clients = (halves.last?.dropLast() ?? []).map { Section($0) }
    /// An introduction comes before them, and a table of trust after them.
    package static let ways = (halves.first?.dropFirst().dropLast() ?? []).map { Section($0) }

    /// The table of clients, head first, with Markdown.
    fileprivate static let cells = text.split(separator: "\n").filter { $0.hasPrefix("| ") }.map { line in
        line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }.filter { $0.count == 5 }  // Only the table of clients has five columns.

    package static var table: [[String]] { cells.map { row in row.map(\.withoutMarkup) } }

    /// The fragment of a heading's address, as GitHub makes it.
    fileprivate static func anchor(_ heading: String) -> String {
        heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == " " }.replacing(" ", with: "-")
    }
}

extension ClientGuide.Section {
    fileprivate init(_ part: Substring) {
        name = part.prefix { $0 != "\n" }.drop { $0 == "#" || $0.isWhitespace }.description
        let anchor = "(#\(ClientGuide.anchor(name)))"
        row = ClientGuide.cells.first { $0[0].contains(anchor) }.map { cells in
            let cells = cells.map(\.withoutMarkup)
            return (cells[1], cells[2], cells[3], cells[4])
        }
        // Odd parts are fenced code; their first line is the language.
        let parts = part.drop { $0 != "\n" }.split(separator: "```", omittingEmptySubsequences: false)
        blocks = parts.enumerated().flatMap { index, part in
            guard index.isMultiple(of: 2) else {
                let language = part.prefix { $0 != "\n" }
                let code = part.drop { $0 != "\n" }.trimmingCharacters(in: .newlines)
                return [ClientGuide.Block(code: language.isEmpty ? "text" : String(language), text: code)]
            }
            let paragraphs = part.split(separator: "\n\n").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
            return paragraphs.filter { !$0.isEmpty }.map { ClientGuide.Block(code: nil, text: $0) }
        }
    }
}

extension String {
    /// Removes the Markdown marks of links and code.
    package var withoutMarkup: String {
        replacing(/\[([^\]]*)\]\([^)]*\)/) { $0.1 }.replacing("`", with: "").replacing("**", with: "")
    }
}

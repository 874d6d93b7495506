package import JSON

/// An answer of the admin API, or a part of one. Words are printed as they are: a newer gateway may have others.
@dynamicMemberLookup
package struct Answer {
    /// nil for a missing member.
    package let json: JSONValue?

    init(_ json: JSONValue?) { self.json = json }

    /// - Parameter path: Such as `tls.version`.
    subscript(_ path: String) -> Answer { Answer(json?.value(at: path)) }

    package subscript(dynamicMember name: String) -> Answer { self[name] }

    /// On one line; nil for a missing member.
    var word: String? { json?.word.onOneLine }

    /// On one line; empty for a missing member.
    var line: String { word ?? "" }

    /// With its line feeds; empty for a missing member.
    var text: String { json?.word ?? "" }

    var int: Int? { if case .integer(let number) = json { number } else { nil } }

    var isTrue: Bool { json == .bool(true) }

    var elements: [Answer] { json?.elements.map { Answer($0) } ?? [] }

    /// Of a finding: its severity and message.
    var finding: String { "\(self.severity.line): \(self.message.line)" }

    /// Of how many were removed: `1 device`.
    func counted(_ noun: String) -> String { (int ?? 0).counted(noun) }

    func joined(_ separator: String) -> String { elements.map(\.line).joined(separator: separator) }
}

/// A column of a table, and its cell for an element.
struct Column: Sendable {
    let head: String
    let cell: @Sendable (Answer) -> String?

    init(_ head: String, _ cell: @escaping @Sendable (Answer) -> String?) { (self.head, self.cell) = (head, cell) }

    /// Shows the first of the paths that the element has.
    init(_ head: String, _ paths: String..., or absent: String = "") {
        self.init(head) { element in paths.lazy.compactMap { element[$0].word }.first ?? absent }
    }
}

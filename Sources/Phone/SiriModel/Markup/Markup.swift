package import DeviceModel
internal import Fields
internal import JSON

/// The reservations that Siri reads from a mail or a web page: JSON-LD or Microdata in schema.org's types (G.8).
package struct Markup: Sendable {
    /// Of a document; not a limit of iOS.
    package static let byteLimit = 1 << 20

    package private(set) var reservations: [Reservation] = []
    package private(set) var findings: [Finding] = []
    private var count = 0

    /// - Parameter document: HTML, or JSON-LD alone.
    package init(_ document: [UInt8]) {
        let first = document.first { $0 > ASCII.space }
        if first == ASCII.leftBrace || first == ASCII.leftBracket {
            read(document[...])
        } else {
            var scanner = HTMLScanner(document)
            var microdata = Microdata()
            while let token = scanner.next() {
                if case .script("application/ld+json", let content) = token { read(content) }
                microdata.take(token)
            }
            microdata.finish()
            for item in microdata.items { take(item) }
        }
        if count == 0, findings.isEmpty { note("markup.none") }
    }

    private mutating func read(_ script: ArraySlice<UInt8>) {
        guard let json = JSONValue(Array(script).span.bytes) else { return note("markup.json") }
        switch json {
        case .array(let elements): elements.forEach { take($0) }
        case .object(let members):
            guard case .array(let graph)? = members["@graph"] else { return take(json) }
            graph.forEach { take($0) }
        case .null, .bool, .integer, .number, .string, .verbatim: note("markup.json")
        }
    }

    private mutating func take(_ item: JSONValue) {
        let node = MarkupNode(item)
        guard node.type.hasSuffix("Reservation") else { return }
        let path = "reservations[\(count)]"
        count += 1
        guard let type = ReservationType.all.first(where: { $0.markup == node.type }) else {
            return note("markup.type.unknown", at: path, node.type)
        }
        guard reservations.count < ReservationDonation.limit else { return note("markup.tooMany", at: path) }
        var reader = MarkupReader(node, type)
        let reservation = reader.reservation
        findings += reader.notes.map { FindingRule.reservation($0.id).finding(at: path, $0.detail) }
        do throws(FieldError) {
            reservations.append(try Reservation(json: reservation.json))
        } catch {
            note("reservation.invalid", at: path, error.problems[0].description)
        }
    }

    private mutating func note(_ id: String, at path: String = "", _ detail: String = "") {
        findings.append(FindingRule.reservation(id).finding(at: path, detail))
    }
}

/// A node of JSON-LD.
struct MarkupNode {
    let json: JSONValue

    init(_ json: JSONValue) { self.json = json.first }

    /// Without the address of the vocabulary.
    var type: String { self[text: "@type"]?.name ?? "" }

    /// The first existing member.
    subscript(names: String...) -> MarkupNode? {
        names.lazy.compactMap { json[$0] }.first { $0 != .null }.map { MarkupNode($0) }
    }

    /// A text, a number, or the name of an object.
    subscript(text names: String...) -> String? {
        for name in names {
            guard let value = json[name]?.first else { continue }
            switch value {
            case .string(let text) where !text.isEmpty: return text
            case .integer(let number): return "\(number)"
            case .number(let number): return "\(number)"
            case .object: if let name = MarkupNode(value)[text: "name"] { return name }
            case .null, .bool, .string, .array, .verbatim: continue
            }
        }
        return nil
    }

    subscript(number name: String) -> Double? {
        self[text: name].flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
}

extension JSONValue {
    /// Of a list, the first element counts.
    fileprivate var first: JSONValue { if case .array(let elements) = self { elements.first ?? .null } else { self } }
}

extension String {
    /// `ReservationConfirmed` of `http://schema.org/ReservationConfirmed`.
    var name: String { split(whereSeparator: { "/#:".contains($0) }).last.map(String.init) ?? "" }
}

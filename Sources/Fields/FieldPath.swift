/// A place in a JSON document, such as `focus.modes[1].schedule[0].from`.
package struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    /// One step from the outside inwards.
    package enum Part: Sendable, Hashable {
        case member(String)
        /// Counted from 0.
        case element(Int)
    }

    /// From the outside inwards; empty for the document itself.
    package var parts: [Part]

    package init(_ parts: [Part] = []) { self.parts = parts }

    /// The place of a member of the object here.
    package func member(_ name: String) -> Self { Self(parts + [.member(name)]) }

    /// The place of an element of the array here.
    package func element(_ index: Int) -> Self { Self(parts + [.element(index)]) }

    /// Members after points, elements in brackets.
    package var description: String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

extension FieldPath.Part: CodingKey {
    package init(stringValue: String) { self = .member(stringValue) }
    package init(intValue: Int) { self = .element(intValue) }

    package var stringValue: String {
        switch self {
        case .member(let name): name
        case .element(let index): String(index)
        }
    }

    package var intValue: Int? {
        if case .element(let index) = self { index } else { nil }
    }
}

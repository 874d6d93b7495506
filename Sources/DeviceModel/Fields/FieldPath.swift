/// A place in a JSON document, such as `focus.modes[1].schedule[0].from`.
public struct FieldPath: Sendable, Hashable, CustomStringConvertible {
    /// One step from the outside inwards.
    public enum Part: Sendable, Hashable {
        case member(String)
        /// Counted from 0.
        case element(Int)
    }

    /// From the outside inwards; empty for the document itself.
    public var parts: [Part]

    /// Makes a path.
    public init(_ parts: [Part] = []) { self.parts = parts }

    /// The place of a member of the object here.
    public func member(_ name: String) -> Self { Self(parts + [.member(name)]) }

    /// The place of an element of the array here.
    public func element(_ index: Int) -> Self { Self(parts + [.element(index)]) }

    /// Members after points, elements in brackets.
    public var description: String {
        parts.reduce(into: "") { text, part in
            switch part {
            case .member(let name): text += text.isEmpty ? name : "." + name
            case .element(let index): text += "[\(index)]"
            }
        }
    }
}

extension FieldPath.Part: CodingKey {
    public init(stringValue: String) { self = .member(stringValue) }
    public init(intValue: Int) { self = .element(intValue) }

    public var stringValue: String {
        switch self {
        case .member(let name): name
        case .element(let index): String(index)
        }
    }

    public var intValue: Int? {
        if case .element(let index) = self { index } else { nil }
    }
}

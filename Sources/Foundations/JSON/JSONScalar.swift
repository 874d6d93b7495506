/// A value in valid JSON text, by its first byte.
struct JSONScalar {
    let reader: JSONReader
    let kind: JSONReader.Kind

    init(_ reader: inout JSONReader) {
        kind = reader.kind()
        self.reader = reader
    }

    func bool() -> Bool? {
        var reader = reader
        return kind == .bool ? reader.bool() : nil
    }

    func string() -> String? {
        var reader = reader
        return kind == .string ? reader.string() : nil
    }

    /// Accepts `3.0` and `3e0`.
    func integer<Number: FixedWidthInteger>() -> Number? {
        var reader = reader
        guard kind == .number else { return nil }
        if let small = reader.smallNumber() { return Number(exactly: small) }
        let text = reader.number()
        return Number(text) ?? Double(text).flatMap { Number(exactly: $0) }
    }

    /// JSON has no infinities; in our own text they are strings.
    func real(_ trust: JSONTextDecoder.Trust) -> Double? {
        var reader = reader
        switch kind {
        case .number:
            guard let number = Double(reader.number()), number.isFinite else { return nil }
            return number
        case .string where trust == .own:
            let text = reader.string()
            return ["inf", "-inf", "nan"].contains(text) ? Double(text) : nil
        default: return nil
        }
    }
}

/// A part of a path in a document.
package enum JSONKey: CodingKey, Sendable, Hashable {
    case member(String)
    case element(Int)

    package init(stringValue: String) { self = .member(stringValue) }
    package init(intValue: Int) { self = .element(intValue) }

    package var stringValue: String {
        switch self {
        case .member(let name): name
        case .element(let index): String(index)
        }
    }

    package var intValue: Int? { if case .element(let index) = self { index } else { nil } }
}

/// A member that its type does not read.
package struct UnknownMember: Error {
    /// Of its object.
    package var path: [any CodingKey]
    package var name: String
    package var known: [String]
}

/// A member that occurs more than once in its object.
package struct RepeatedMember: Error {
    package var path: [any CodingKey]
}

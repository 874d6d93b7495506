internal import OrderedCollections

/// Keeps insertion order; equality ignores it.
package struct JSONObject: Sendable {
    private var members: OrderedDictionary<String, JSONValue> = [:]

    /// A repeated name keeps its first position and its last value.
    package init(_ members: some Sequence<(String, JSONValue)> = []) {
        for (name, value) in members { self.members[name] = value }
    }

    /// - Parameter members: With different names.
    package init(unique members: [(name: String, value: JSONValue)]) {
        self.members = OrderedDictionary(
            uncheckedUniqueKeys: members.lazy.map(\.name), values: members.lazy.map(\.value))
    }

    package subscript(_ name: String) -> JSONValue? {
        get { members[name] }
        set { members[name] = newValue }
    }

    package var keys: [String] { members.keys.elements }

    package func filter(_ isIncluded: (Element) -> Bool) -> JSONObject {
        JSONObject(lazy.filter(isIncluded).map { ($0.key, $0.value) })
    }
}

extension JSONObject: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { members.count }
    package subscript(_ place: Int) -> (key: String, value: JSONValue) { members.elements[place] }
}

extension JSONObject: Hashable {
    package static func == (first: JSONObject, second: JSONObject) -> Bool {
        first.count == second.count && first.allSatisfy { second[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) {
        for name in keys.sorted() {
            hasher.combine(name)
            hasher.combine(members[name])
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Omits members whose value is nil.
    package init(dictionaryLiteral elements: (String, JSONValue?)...) {
        members.reserveCapacity(elements.count)
        for (name, value) in elements { if let value { members[name] = value } }
    }
}

extension JSONObject: Codable {
    private struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package init(from decoder: any Decoder) throws {
        if let decoder = decoder as? JSONTextDecoder {
            guard case .object(let object) = try decoder.json() else { throw decoder.mismatch(as: JSONObject.self) }
            self = object
            return
        }
        // A decoder's keys are unordered.
        let container = try decoder.container(keyedBy: Name.self)
        for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
            members[key.stringValue] = try container.decode(JSONValue.self, forKey: key)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

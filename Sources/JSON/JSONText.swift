#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// JSON as commands write it.
package enum JSONText {
    /// For people and programs: indented, keys in order.
    package static func text(_ members: [String: JSONValue]) -> String {
        String(
            decoding: bytes(JSONValue.object(members), [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]),
            as: UTF8.self)
    }

    /// For the admin API: on one line, keys in order.
    package static func bytes(_ value: JSONValue) -> [UInt8] { bytes(value, [.sortedKeys, .withoutEscapingSlashes]) }

    /// For a column of a table: the members as `name=value`, texts without quotes.
    package static func cell(_ value: JSONValue) -> String {
        guard case .object(let members) = value else { return word(value) }
        return members.sorted { $0.key < $1.key }.map { "\($0.key)=\(word($0.value))" }.joined(separator: " ")
    }

    private static func word(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { String(decoding: bytes(value), as: UTF8.self) }
    }

    /// A value without members.
    fileprivate static func scalar(_ value: OrderedJSON) -> String {
        String(decoding: bytes(value, .withoutEscapingSlashes), as: UTF8.self)
    }

    private static func bytes(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        return (try? encoder.encode(value)).map { Array($0) } ?? []
    }
}

extension OrderedJSON {
    /// The places below an object, each with its value: `focus.active`, `work`. Lists and empty objects are values.
    package var leaves: [(path: String, value: String)] {
        guard case .object(let members) = self, !members.isEmpty else { return [("", word)] }
        return members.flatMap { member in
            member.value.leaves.map { leaf in
                (leaf.path.isEmpty ? member.name : "\(member.name).\(leaf.path)", leaf.value)
            }
        }
    }

    private var word: String {
        if case .string(let text) = self { text } else { compact }
    }

    /// On one line, members in their order, which an encoder would not keep.
    private var compact: String {
        switch self {
        case .null, .bool, .integer, .number, .string: JSONText.scalar(self)
        case .array(let elements): "[\(elements.map(\.compact).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\(JSONText.scalar(.string($0.name))):\($0.value.compact)" }.joined(separator: ","))}"
        }
    }
}

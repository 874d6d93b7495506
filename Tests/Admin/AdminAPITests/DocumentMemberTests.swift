import Fields
import Queries
import Testing
import Yams

@testable import AdminAPI

/// Conditions name the members that the description has.
@Suite struct DocumentMemberTests {
    @Test(arguments: ["Notification", "Request"]) func areThoseOfTheDescription(_ name: String) throws {
        let root = try #require(try Yams.compose(yaml: OpenAPIDocument.text))
        let roots: QueryRoots = name == "Notification" ? .notifications : .requests
        let described = try Self.members(of: try #require(root["components"]?["schemas"]?[name]), root)
        var compared = 0
        for (member, schema) in roots.schemas where member != QueryPath.headers {
            try Self.compare(schema, try #require(described[member]), member, root, &compared)
        }
        #expect(compared > (name == "Notification" ? 200 : 15))
        // Objects have a schema, or any typo below them would pass.
        for (member, node) in described where roots.schemas[member] == nil && member != QueryPath.headers {
            #expect(try Self.members(of: node, root).isEmpty, "\(member)")
        }
    }

    private static func compare(
        _ schema: FieldSchema, _ node: Node, _ path: String, _ root: Node, _ compared: inout Int
    ) throws {
        let members = try members(of: node, root)
        switch schema {
        case .list(let element, _): try compare(element, node, path, root, &compared)
        case .object(_, let fields):
            #expect(Set(fields.map(\.name)) == Set(members.keys), "\(path)")
            for field in fields {
                compared += 1
                guard let node = members[field.name] else { continue }
                try compare(field.schema, node, "\(path).\(field.name)", root, &compared)
            }
        case .any, .map: break
        case .flag, .text, .path, .word, .integer, .share, .number: #expect(members.isEmpty, "\(path)")
        }
    }

    /// The properties of an object, or of a list's elements, in any of its forms.
    private static func members(of node: Node, _ root: Node) throws -> [String: Node] {
        if let path = node["$ref"]?.string {
            let target = path.split(separator: "/").dropFirst().reduce(root) { $0?[String($1)] }
            return try members(of: try #require(target), root)
        }
        var found: [String: Node] = [:]
        for (name, value) in node["properties"]?.mapping ?? [:] { found[name.string ?? ""] = value }
        let parts =
            ["allOf", "anyOf", "oneOf"].flatMap { node[$0]?.array() ?? [] } + [node["items"]].compactMap(\.self)
        for part in parts { found.merge(try members(of: part, root)) { first, _ in first } }
        return found
    }
}

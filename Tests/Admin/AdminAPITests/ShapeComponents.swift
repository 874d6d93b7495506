import APNs
import JSON
import Time

@testable import AdminAPI

/// Schemas of the types of answers, from their members and `Shape`.
struct ShapeComponents {
    private(set) var lines: [String] = []
    /// Those that a table or the hand-written part has, too.
    private var names: Set<String>

    init(besides names: Set<String>) { self.names = names }

    static func name(of type: any Decodable.Type) -> String {
        let parts = String(reflecting: type).split(separator: ".").dropFirst()
        return (type as? any APIShape.Type)?.shape.name
            ?? parts.map { $0.hasSuffix("Answer") ? String($0.dropLast(6)) : String($0) }.joined()
    }

    mutating func add(_ type: any Decodable.Type) throws {
        let name = Self.name(of: type)
        precondition(!name.contains("<"), "\(type) needs a name")
        guard names.insert(name).inserted else { return }
        let shape = (type as? any APIShape.Type)?.shape ?? Shape()
        let members = try Self.members(of: type)
        precondition(Set(shape.members.keys).isSubset(of: members.map(\.name)), "\(type) lacks described members")
        let described = try members.map { member in
            let own = shape.members[member.name]
            let type = try own?.type ?? self.type(of: member.type)
            if own?.type != nil { try addParts(of: member.type) }
            return FieldComponents.Member(
                name: member.name, type: [type, own?.limits].compactMap(\.self).joined(separator: ", "),
                summary: own?.about ?? "", isRequired: member.isRequired || own?.isRequired == true)
        }
        lines += FieldComponents.object(name, shape.about, described)
    }

    private static func members(
        of type: any Decodable.Type
    ) throws -> [(name: String, type: Any.Type, isRequired: Bool)] {
        switch type {
        case let table as any AnswerTable.Type: rows(of: table)
        case let joined as any JoinedShapes.Type: try joined.parts.flatMap { try members(of: $0) }
        default: try MemberProbe(of: type).members
        }
    }

    private static func rows<Table: AnswerTable>(
        of _: Table.Type
    ) -> [(name: String, type: Any.Type, isRequired: Bool)] {
        Table.rows.map { ($0.name, $0.type, $0.isRequired) }
    }

    private mutating func type(of type: Any.Type) throws -> String {
        switch type {
        case is Bool.Type: return "type: boolean"
        case is Int.Type, is UInt32.Type, is UInt64.Type: return "type: integer, minimum: 0"
        case is Double.Type: return "type: number"
        case is String.Type: return "type: string"
        case is Instant.Type: return Shape.Member.reference(to: "Time")
        case is DeviceToken.Type: return Shape.Member.reference(to: "DeviceToken")
        case let words as any CaseIterable.Type: return RecordedSchemas.type(of: words)
        case is JSONValue.Type: return ""
        case is JSONObject.Type: return "type: object"
        case let list as any List.Type: return "type: array, items: {\(try self.type(of: list.element))}"
        case let object as any Decodable.Type:
            try add(object)
            return Shape.Member.reference(to: Self.name(of: object))
        default: preconditionFailure("\(type) has no schema")
        }
    }

    /// Of a member whose schema `Shape` has.
    private mutating func addParts(of type: Any.Type) throws {
        if let list = type as? any List.Type { try addParts(of: list.element) }
        if let shape = type as? any APIShape.Type, !(shape is JSONValue.Type) { try add(shape) }
    }
}

private protocol JoinedShapes { static var parts: [any APIShape.Type] { get } }

extension Joined: JoinedShapes { fileprivate static var parts: [any APIShape.Type] { [First.self, Second.self] } }

private protocol List { static var element: Any.Type { get } }

extension Array: List { fileprivate static var element: Any.Type { Element.self } }

extension Endpoint.Schema {
    var name: String {
        switch self {
        case .named(let name): name
        case .of(let shape): ShapeComponents.name(of: shape)
        }
    }
}

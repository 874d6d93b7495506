internal import DeviceModel
internal import Fields
internal import JSON
internal import Yams

extension Node {
    /// The node as JSON.
    ///
    /// - Parameter schema: What is wanted here, because YAML without quotes does not tell `"no"` from no, or the time 18:00
    ///   from the number 1080; nil when nothing is.
    func json(as schema: FieldSchema?) -> JSONValue {
        if isAbsent { return .null }
        return switch self {
        case .scalar(let scalar): Self.json(scalar, as: schema)
        case .sequence(let sequence): .array(sequence.map { $0.json(as: schema?.ofElements) })
        case .mapping(let mapping):
            .object(
                Dictionary(
                    mapping.map { key, value in
                        let name = key.scalar?.string ?? key.words
                        return (name, value.json(as: schema?.of(member: name)))
                    }, uniquingKeysWith: { first, _ in first }))
        case .alias: .string(words)
        }
    }

    private static func json(_ scalar: Scalar, as schema: FieldSchema?) -> JSONValue {
        let text = scalar.string
        guard scalar.style == .plain || scalar.style == .any else { return .string(text) }
        switch schema {
        case .flag: return ["true": true, "false": false][text].map { .bool($0) } ?? .string(text)
        case .integer: return Int(text).map { .integer($0) } ?? .string(text)
        case .share, .number: return Double(text).map { .number($0) } ?? .string(text)
        // One element may stand alone, as in the settings.
        case .list(let element, _): return .array([json(scalar, as: element)])
        case .text, .word, .any, .map, .object, nil: return .string(text)
        }
    }

    /// The node at a place inside this one, or the innermost one around it.
    ///
    /// - Parameter isName: Whether the name of the last member is meant, and not its value.
    func node(at path: ArraySlice<FieldPath.Part>, isName: Bool) -> Node {
        var node = self
        var key: Node?
        for part in path {
            switch part {
            case .member(let name):
                guard let (found, value) = node.mapping?.first(where: { $0.key.scalar?.string == name }) else {
                    return node
                }
                (key, node) = (found, value)
            case .element(let index):
                guard let sequence = node.sequence, sequence.indices.contains(index) else { return node }
                (key, node) = (nil, sequence[index])
            }
        }
        // An empty value stands nowhere.
        return isName || node.isAbsent ? key ?? node : node
    }
}

extension Node {
    /// Whether the node stands further up in its file than another.
    func startsBefore(_ other: Node) -> Bool {
        (mark?.line ?? 0, mark?.column ?? 0) < (other.mark?.line ?? 0, other.mark?.column ?? 0)
    }
}

extension FieldSchema {
    /// What the elements of a list are.
    fileprivate var ofElements: FieldSchema? {
        if case .list(let element, _) = self { element } else { nil }
    }

    /// What a member of an object is.
    fileprivate func of(member name: String) -> FieldSchema? {
        switch self {
        case .map(let value): value
        case .object(_, let fields): fields.first { $0.name == name }?.schema
        case .flag, .text, .word, .integer, .share, .number, .any, .list: nil
        }
    }
}

internal import Fields

extension DecodingError {
    /// The place and the problem, such as `'devices[0].name' is missing.`; nil for an unknown kind.
    package var sentence: String? {
        switch self {
        case .keyNotFound(let key, let context): "'\(path(context.codingPath + [key]))' is missing."
        case .typeMismatch(let type, let context): "'\(path(context.codingPath))' must be a \(type)."
        case .valueNotFound(let type, let context): "'\(path(context.codingPath))' must be a \(type), not null."
        case .dataCorrupted(let context): "'\(path(context.codingPath))' is wrong: \(context.debugDescription)"
        @unknown default: nil
        }
    }

    private func path(_ keys: [any CodingKey]) -> FieldPath {
        FieldPath(keys.map { $0.intValue.map { .element($0) } ?? .member($0.stringValue) })
    }
}

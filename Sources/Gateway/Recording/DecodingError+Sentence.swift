internal import Fields

extension DecodingError {
    /// The place and the problem, such as `'devices[0].name' is missing.`; nil for an unknown kind.
    package var sentence: String? {
        switch self {
        case .keyNotFound(let key, let context): "'\(FieldPath(codingPath: context.codingPath + [key]))' is missing."
        case .typeMismatch(let type, let context): "\(place(context)) must be \(words(type))."
        case .valueNotFound(let type, let context): "\(place(context)) must be \(words(type)), not null."
        case .dataCorrupted(let context): "\(place(context)) is wrong: \(context.debugDescription)"
        @unknown default: nil
        }
    }

    private func place(_ context: Context) -> String {
        context.codingPath.isEmpty ? "The document" : "'\(FieldPath(codingPath: context.codingPath))'"
    }

    private func words(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Bool.Type: "true or false"
        case is any BinaryInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
    }
}

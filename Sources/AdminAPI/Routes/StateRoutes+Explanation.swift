internal import DeviceModel
internal import JSON

extension StateRoutes {
    /// Where a state's JSON is wrong, and how.
    static func explain(_ error: DecodingError, _ body: [UInt8]) -> String {
        if case .invalid(let problem) = PayloadScan(body.span.bytes) { return "The body is \(problem.message)." }
        switch error {
        case .keyNotFound(let key, let context): return "'\(path(context.codingPath + [key]))' is missing."
        case .typeMismatch(let type, let context): return "'\(path(context.codingPath))' must be a \(type)."
        case .valueNotFound(let type, let context): return "'\(path(context.codingPath))' must be a \(type), not null."
        case .dataCorrupted(let context): return "'\(path(context.codingPath))' is wrong: \(context.debugDescription)"
        @unknown default: return "The body is not a snapshot from GET /state."
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
    }
}

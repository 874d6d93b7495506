/// A method of a path.
struct OpenAPIOperation: Hashable, CustomStringConvertible {
    var method: String
    var path: String
    var query: Set<String>

    var description: String { "\(method) \(path) \(query.sorted())" }

    static let all = Set(
        makeAdmin(makeGateway()).paths.map { OpenAPIOperation(method: $0.method, path: $0.path, query: Set($0.query)) })

    /// The path with a valid value for each parameter.
    var example: String {
        path.split(separator: "/").map { part in
            switch part {
            case "{id}", "{number}", "{event}": "1"
            case "{token}": "ab"
            case "{sha}": String(repeating: "a", count: 64)
            default: part.hasPrefix("{") ? "x" : String(part)
            }
        }.reduce("") { $0 + "/" + $1 }
    }
}

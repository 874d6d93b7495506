import AdminAPI

/// An operation of the description.
struct OpenAPIOperation: Hashable, CustomStringConvertible {
    var method: String
    var path: String
    var query: Set<String>

    var description: String { "\(method) \(path) \(query.sorted())" }

    /// Every operation that is described.
    static let all = read(OpenAPIDocument.text)

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

    /// Reads the subset of YAML that the document uses: paths at two spaces, methods at four, parameters as references.
    private static func read(_ text: String) -> Set<OpenAPIOperation> {
        var operations: [OpenAPIOperation] = []
        var aliases: [(path: String, target: String)] = []
        var path = ""
        let queries = queryParameters(text)
        for line in text.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            if indentation == 2, line.hasPrefix("  /") {
                path = String(line.dropFirst(2).prefix { $0 != ":" })
                if let target = reference(line) { aliases.append((path, target)) }
            } else if indentation == 4, ["get:", "put:", "post:", "patch:", "delete:"].contains(line.dropFirst(4)) {
                let method = line.dropFirst(4).dropLast().uppercased()
                operations.append(OpenAPIOperation(method: method, path: path, query: []))
            } else if let target = reference(line), let name = queries[target], !operations.isEmpty {
                operations[operations.count - 1].query.insert(name)
            }
        }
        for alias in aliases {
            // In a JSON pointer, "~1" is the leading slash (RFC 6901).
            let target = "/" + alias.target.dropFirst(2)
            for operation in operations where operation.path == target {
                operations.append(
                    OpenAPIOperation(method: operation.method, path: alias.path, query: operation.query))
            }
        }
        return Set(operations)
    }

    /// The name of each parameter of the query, by the name of its component.
    private static func queryParameters(_ text: String) -> [String: String] {
        var names: [String: String] = [:]
        for line in text.split(separator: "\n") where line.contains(", in: query,") {
            let component = line.drop { $0 == " " }.prefix { $0 != ":" }
            let name = line.split(separator: "{name: ", maxSplits: 1)[1].prefix { $0 != "," }
            names[String(component)] = String(name)
        }
        return names
    }

    /// The last component of the line's reference.
    private static func reference(_ line: Substring) -> String? {
        guard line.contains("$ref: \"#/p") || line.contains("$ref: \"#/components/parameters/") else { return nil }
        let target = line.split(separator: "\"").first { $0.hasPrefix("#/") }
        return target.flatMap { $0.split(separator: "/").last }.map(String.init)
    }
}

import AdminAPI
import Testing

/// The description and the routes say the same.
@Suite struct OpenAPITests {
    /// What an operation is described with.
    struct Operation: Hashable, CustomStringConvertible {
        var method: String
        var path: String
        var query: Set<String>

        var description: String { "\(method) \(path) \(query.sorted())" }
    }

    @Test func everyRouteIsDescribedAndEveryDescriptionIsRouted() {
        let routed = Set(
            makeAdmin(makeGateway()).paths.map { Operation(method: $0.method, path: $0.path, query: Set($0.query)) })
        let described = Self.operations(OpenAPIDocument.text)
        #expect(routed.subtracting(described) == [])
        #expect(described.subtracting(routed) == [])
        #expect(routed.count > 40)
    }

    @Test func everyReferenceLeadsSomewhere() {
        let lines = OpenAPIDocument.text.split(separator: "\n").map(String.init)
        for line in lines {
            for part in line.split(separator: "\"") where part.hasPrefix("#/components/") {
                let name = part.split(separator: "/").last ?? ""
                #expect(lines.contains { $0.hasPrefix("    \(name):") }, "\(part)")
            }
        }
    }

    @Test func itIsServedAtTheRoot() async throws {
        let answer = try await withAdmin { try await $0.get("/openapi.yaml") }
        #expect(answer.text + "\n" == OpenAPIDocument.text)
        #expect(answer.headers["content-type"] == "application/yaml")
    }

    /// Reads as much YAML as the document uses: paths at two spaces, methods at four, parameters as references.
    private static func operations(_ text: String) -> Set<Operation> {
        var operations: [Operation] = []
        var aliases: [(path: String, target: String)] = []
        var path = ""
        let queries = queryParameters(text)
        for line in text.split(separator: "\n") {
            let indentation = line.prefix { $0 == " " }.count
            if indentation == 2, line.hasPrefix("  /") {
                path = String(line.dropFirst(2).prefix { $0 != ":" })
                if let target = reference(line) { aliases.append((path, target)) }
            } else if indentation == 4, ["get:", "put:", "post:", "patch:", "delete:"].contains(line.dropFirst(4)) {
                operations.append(Operation(method: line.dropFirst(4).dropLast().uppercased(), path: path, query: []))
            } else if let target = reference(line), let name = queries[target], !operations.isEmpty {
                operations[operations.count - 1].query.insert(name)
            }
        }
        for alias in aliases {
            // "~1" stands for the slash in front.
            let target = "/" + alias.target.dropFirst(2)
            for operation in operations where operation.path == target {
                operations.append(Operation(method: operation.method, path: alias.path, query: operation.query))
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

    /// What follows the last slash of the line's reference.
    private static func reference(_ line: Substring) -> String? {
        guard line.contains("$ref: \"#/p") || line.contains("$ref: \"#/components/parameters/") else { return nil }
        let target = line.split(separator: "\"").first { $0.hasPrefix("#/") }
        return target.flatMap { $0.split(separator: "/").last }.map(String.init)
    }
}

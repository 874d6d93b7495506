@testable import AdminAPI

/// The paths of `openapi.yaml`, written from the routes.
struct RecordedPaths {
    let endpoints: [Endpoint]
    /// The hand-written part, which has the parameters.
    let components: String

    var text: String {
        var paths: [String] = []
        for endpoint in endpoints where !paths.contains(endpoint.path) { paths.append(endpoint.path) }
        return (["paths:"] + paths.flatMap(lines)).joined(separator: "\n") + "\n"
    }

    private func lines(of path: String) -> [String] {
        let unversioned = Endpoint.unversioned(path)
        guard unversioned == path || !endpoints.contains(where: { $0.path == unversioned }) else {
            // In a JSON pointer, "~1" is a slash (RFC 6901).
            return ["  \(path): {$ref: \"#/paths/\(unversioned.replacing("/", with: "~1"))\"}"]
        }
        let parts = path.split(separator: "/")
        let parameters = zip(parts, parts.dropFirst()).filter { $0.1.hasPrefix("{") }.map { noun, name in
            "      - \(Self.reference("parameters", "\(noun).\(name.dropFirst().dropLast())"))"
        }
        return ["  \(path):"] + (parameters.isEmpty ? [] : ["    parameters:"] + parameters)
            + endpoints.filter { $0.path == path }.flatMap(operation)
    }

    private func operation(_ endpoint: Endpoint) -> [String] {
        var lines = [
            "    \("\(endpoint.method)".lowercased()):", "      tags: [\(endpoint.tag)]",
            "      summary: \(FieldComponents.quoted(endpoint.summary))",
        ]
        if let about = endpoint.about {
            lines += ["      description: |"]
            lines += about.split(separator: "\n", omittingEmptySubsequences: false).map {
                $0.isEmpty ? "" : "        \($0)"
            }
        }
        if let id = endpoint.id { lines.append("      operationId: \(id)") }
        if endpoint.isOpen { lines.append("      security: [{}]") }
        if !endpoint.query.isEmpty { lines.append("      parameters:") }
        lines += endpoint.query.map { "        - \(Self.reference("parameters", component(of: $0, endpoint)))" }
        if let body = endpoint.body {
            let facts = [
                body.about.map { "description: \(FieldComponents.quoted($0))" },
                body.isRequired ? "required: true" : nil,
            ]
            let members = facts.compactMap(\.self) + [Self.content(body.types, body.schema)]
            lines.append("      requestBody: {\(members.joined(separator: ", "))}")
        }
        return lines + ["      responses:"] + endpoint.answers.map(response)
            + endpoint.errors.map { "        \"\($0)\": \(Self.reference("responses", "Error\($0)"))" }
    }

    /// A parameter that only this operation has, or the one of its name.
    private func component(of parameter: String, _ endpoint: Endpoint) -> String {
        let own = "\(endpoint.id ?? "").\(parameter)"
        return components.contains("\n    \(own): ") ? own : parameter
    }

    private func response(_ answer: Endpoint.Answer) -> String {
        if let component = answer.component {
            return "        \"\(answer.status)\": \(Self.reference("responses", component))"
        }
        let content = answer.types.isEmpty ? "" : ", \(Self.content(answer.types, answer.schema?.name))"
        return "        \"\(answer.status)\": {description: \(FieldComponents.quoted(answer.about))\(content)}"
    }

    private static func content(_ types: [String], _ schema: String?) -> String {
        let entries = types.map { type in
            if let schema, ["application/json", "text/event-stream"].contains(type) {
                "\(type): {schema: \(reference("schemas", schema))}"
            } else if type.hasPrefix("text/") || ["application/x-pem-file", "image/svg+xml"].contains(type) {
                "\(type): {schema: {type: string}}"
            } else {
                type.hasSuffix("json") ? "\(type): {schema: {}}" : "\(type): {}"
            }
        }
        return "content: {\(entries.joined(separator: ", "))}"
    }

    private static func reference(_ kind: String, _ name: String) -> String {
        "{$ref: \"#/components/\(kind)/\(name)\"}"
    }
}

import AdminAPI
import Testing

/// The description and the routes say the same.
@Suite struct OpenAPITests {
    @Test func everyRouteIsDescribedAndEveryDescriptionIsRouted() {
        let routed = Set(
            makeAdmin(makeGateway()).paths.map {
                OpenAPIOperation(method: $0.method, path: $0.path, query: Set($0.query))
            })
        let described = OpenAPIOperation.all
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
}

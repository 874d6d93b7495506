import DeviceSimulator
import Foundation
import Gateway
import TestSupport
import Testing

@testable import AdminAPI

/// The description and the routes agree.
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

    /// `RECORD_GOLDEN=1` writes the schemas of tables and words into the file.
    @Test func theSchemasInTheFileMatchTheCode() throws {
        let file = Golden.root.appending(path: "Sources/Admin/AdminAPI/openapi.yaml")
        let parts = try String(contentsOf: file, encoding: .utf8).split(separator: Self.recorded)
        try #require(parts.count <= 2)
        let expected = String(parts[0]) + Self.recorded + RecordedSchemas.text
        #expect(try Golden.difference(between: expected, and: file) == nil)
    }

    private static let recorded =
        "    # Recorded from the code's tables by RECORD_GOLDEN=1 swift test --filter OpenAPITests; do not edit.\n"

    @Test func theFileIsEmbeddedInTheProgram() throws {
        let file = Golden.root.appending(path: "Sources/Admin/AdminAPI/openapi.yaml")
        #expect(try String(contentsOf: file, encoding: .utf8) == OpenAPIDocument.source)
    }

    @Test(arguments: [
        "schema: {type: integer, minimum: 1, maximum: \(AdminRequest.listCounts.upperBound), default: \(AdminRequest.defaultLimit)}",
        "schema: {type: integer, minimum: 1, maximum: \(AdminRequest.listCounts.upperBound), default: 1}",
        "or `PT5S`, at most \(AdminRequest.longestWait.components.seconds) seconds.",
        "schema: {type: string, minLength: 1, maxLength: \(DeviceName.maximumByteCount), pattern:",
        "There may be \(FaultPlan.maximumRuleCount) rules (409).",
    ])
    func theDocumentedLimitsMatchTheCode(_ text: String) {
        #expect(OpenAPIDocument.text.contains(text))
    }

    @Test func everyReferenceResolves() {
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

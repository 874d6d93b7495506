import DeviceSimulator
import Foundation
import TestSupport
import Testing

@testable import AdminAPI

/// The description and the routes agree.
@Suite struct OpenAPITests {
    /// `RECORD_GOLDEN=1` writes the schemas of tables and words, and the paths, into the file.
    @Test func theFileMatchesTheCode() throws {
        let file = Golden.root.appending(path: "Sources/Admin/AdminAPI/openapi.yaml")
        let parts = try String(contentsOf: file, encoding: .utf8).split(separator: Self.recorded)
        try #require(parts.count <= 2)
        let (own, endpoints) = (String(parts[0]), makeAdmin(makeGateway()).table.endpoints)
        let expected =
            try own + Self.recorded + RecordedSchemas.text(endpoints, besides: own)
            + RecordedPaths(endpoints: endpoints, components: own).text
        #expect(try Golden.difference(between: expected, and: file) == nil)
    }

    private static let recorded =
        "    # Recorded from the code's tables by RECORD_GOLDEN=1 swift test --filter OpenAPITests; do not edit.\n"

    @Test func theFileIsEmbeddedInTheProgram() throws {
        let file = Golden.root.appending(path: "Sources/Admin/AdminAPI/openapi.yaml")
        #expect(try String(contentsOf: file, encoding: .utf8) == OpenAPIDocument.text)
    }

    @Test(arguments: [
        "schema: {type: integer, minimum: 1, maximum: \(AdminRequest.listCounts.upperBound), default: \(AdminRequest.defaultLimit)}",
        "schema: {type: integer, minimum: 1, maximum: \(AdminRequest.listCounts.upperBound), default: 1}",
        "or `PT5S`, at most \(AdminRequest.longestWait.components.seconds) seconds.",
        "schema: {type: string, minLength: 1, maxLength: \(DeviceName.maximumByteCount), pattern:",
    ]) func theDocumentedLimitsMatchTheCode(_ text: String) {
        #expect(OpenAPIDocument.text.contains(text))
    }

    /// Such as `devices.name: {name: name, in: path, …}`.
    @Test func parametersAreNamedAfterWhatTheyAre() {
        let parameters = OpenAPIDocument.text.matches(of: /\n {4}(?:\w+\.)?(\w+): \{name: (\w+), in: (?:path|query),/)
        #expect(parameters.count > 70)
        for parameter in parameters { #expect(parameter.1 == parameter.2) }
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

    @Test(.admin) func itIsServedAtTheRoot() async throws {
        let answer = try await admin.get("/openapi.yaml")
        #expect(answer.text + "\n" == OpenAPIDocument.text)
        #expect(answer.headers["content-type"] == "application/yaml")
    }
}

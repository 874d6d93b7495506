import DeviceSimulator
import Foundation
import JSON
import Testing

@testable import AdminAPI

/// A state that is decoded some elements at a time equals one that is decoded as a whole.
@Suite(.admin) struct StateBodyTests {
    private static func text(_ snapshot: SimulatorSnapshot?) throws -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try snapshot.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    }

    /// With several documents for each of its lists.
    private static func state() async throws -> String {
        for number in 0..<600 {
            let name = "phone-\(number)-" + String(repeating: "x", count: 100)
            let token = try admin.register(name, topic: "com.example.app\(number % 300)")
            let payload = #"{"aps":{"alert":"\#(String(repeating: "\\\"]},", count: 400))"}}"#
            #expect(admin.push(token, payload, topic: "com.example.app\(number % 300)") == 200)
        }
        return try await admin.get("/api/v1/state").text
    }

    @Test func `any order of members, white space and batches`() async throws {
        let text = try await Self.state()
        #expect(text.utf8.count > 3_000_000)
        let whole = try Self.text(JSONDecoder().decode(SimulatorSnapshot.self, from: Data(text.utf8)))
        let parsed = JSONValue(Array(text.utf8).span.bytes)
        let document = try #require(parsed)
        guard case .object(let members) = document else { return }
        let reversed = JSONValue.object(JSONObject(members.map { ($0.key, $0.value) }.reversed())).text
        for text in [text, reversed, document.indentedText] {
            #expect(try Self.text(StateBody.snapshot(in: Array(text.utf8))) == whole)
        }
    }

    static let wrong: [(edit: (String, String), says: String)] = [
        ((#""apps":"#, #""isLost":true,"apps":"#), "'isLost' is unknown"),
        ((#"{"counts":{"cleared""#, #"{"isLost":true,"counts":{"cleared""#), "isLost' is unknown"),
        ((#""counts":"#, #""apps":[],"counts":"#), "'apps' occurs more than once; keep one."),
        ((#""devices":["#, #""devices":[],"devices":["#), "'devices' occurs more than once; keep one."),
        ((#""name":"phone","#, ""), "'devices[1].name' is missing."),
        ((#""name":"phone""#, #""name":"phone","name":"pad""#), "'devices[1].name' occurs more than once; keep one."),
        ((#""devices":["#, #""devices":[3,"#), "'devices[0]' "),
        ((#""devices":["#, #""devices":{"a":["#), "not valid JSON"),
        ((#""devices":["#, #""devices":[,"#), "one comma too many"),
        ((#""lastSequence":"#, #""lastSequense":"#), "lastSequen"),
        (
            (#""generation":"#, #""generation":1e99,"x":"#),
            "'devices[0].registrations[0].generation' must be a whole number from -9223372036854775808 to "
        ),
    ]

    @Test(arguments: wrong.indices) func `a mistake is named with its place in the whole, and nothing changes`(
        _ row: Int
    ) async throws {
        let (edit, says) = Self.wrong[row]
        _ = try admin.register("a first one")
        #expect(admin.push(try admin.register()) == 200)
        let before = try await admin.get("/api/v1/state").text
        let place = try #require(before.range(of: edit.0), "the state has no \(edit.0): \(before)")
        let wrong = before.replacingCharacters(in: place, with: edit.1)
        let answer = try await admin.send("PUT", "/api/v1/state", wrong)
        #expect(answer.status == 400)
        #expect(answer.text.contains(says), "\(answer.text)")
        #expect(try await admin.get("/api/v1/state").text == before)
    }
}

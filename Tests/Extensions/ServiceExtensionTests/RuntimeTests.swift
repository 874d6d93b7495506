import ExtensionWire
import Foundation
import Testing

/// The child's side of the protocol.
@Suite struct RuntimeTests {
    @Test func reportsReadyBeforeTheFirstRequest() throws {
        let program = try ExtensionProcess(example: "SeedTitle")
        #expect(program.next("ready")?["protocol"] == .integer(1))
        #expect(program.finish().status == 0)
    }

    @Test func whatTheExtensionPrintsGoesToStandardError() throws {
        let program = try ExtensionProcess(example: "NeverAnswers")
        try program.receive("{}")
        program.waitUntilPrinted("Forgot about push-1")
        let end = program.finish()
        #expect(end.messages.map { $0["type"]?.text } == ["ready", "entered"])
    }

    @Test func garbageIsIgnored() throws {
        let program = try ExtensionProcess(example: "SeedTitle")
        for line in [
            "", "nonsense", "[]", "{}", #"{"type":"didReceive"}"#, #"{"type":"reply","call":9}"#, #"{"type":"new"}"#,
        ] { try program.send(line) }
        try program.receive("{}", id: 3)
        #expect(program.next("content")?["id"] == .integer(3))
    }

    @Test func requestsAreServedConcurrently() throws {
        let program = try ExtensionProcess(example: "Slow")
        for id in 1...3 {
            try program.receive("{}", id: id)
            #expect(program.next("entered")?["id"] == .integer(id))
        }
        program.waitUntilPrinted("Translating", times: 3)
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":2}"#)
        #expect(program.next("content")?["id"] == .integer(2))
    }

    @Test func aReusedInstanceDoesNotKeepTheFirstRequest() throws {
        // The flaw of Xcode's template: the properties of the one object belong to the latest request.
        let program = try ExtensionProcess(example: "Slow")
        try program.receive("{}", id: 1, title: "One", more: #","reusesInstance":true"#)
        #expect(program.next("entered") != nil)
        program.waitUntilPrinted("Translating", times: 1)
        try program.receive("{}", id: 2, title: "Two", more: #","reusesInstance":true"#)
        #expect(program.next("entered") != nil)
        program.waitUntilPrinted("Translating", times: 2)
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":1}"#)
        let answer = try #require(program.next("content"))
        #expect(answer["content"]?["title"] == .string("Two"))
    }

    @Test func aCancelledRequestDoesNotExpire() throws {
        let program = try ExtensionProcess(example: "Slow")
        try program.receive("{}", id: 1)
        #expect(program.next("entered") != nil)
        try program.send(#"{"type":"cancel","id":1}"#)
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":1}"#)
        try program.receive("{}", id: 2)
        program.waitUntilPrinted("Translating", times: 2)
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":2}"#)
        #expect(program.next("content")?["id"] == .integer(2))
        #expect(program.finish().messages.isEmpty)
    }
}

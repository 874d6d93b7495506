import ExtensionWire
import Foundation
import Testing

/// The messages of each example to the gateway.
@Suite struct ExampleTests {
    /// The payload of an example's push.json.
    private func push(_ example: String) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Examples/\(example)")
        return try WireValue(json: Data(contentsOf: folder.appendingPathComponent("push.json"))).json
    }

    /// Starts an example and sends it its push.
    private func start(_ example: String) throws -> ExtensionProcess {
        let program = try ExtensionProcess(example: example)
        try program.receive(try push(example))
        return program
    }

    @Test func theMessageHasASenderAndADonation() throws {
        let program = try start("Message")
        #expect(program.next("donate")?["interaction"]?["intent"]?["conversationIdentifier"] == .string("thread"))
        let content = try #require(program.next("content")?["content"])
        #expect(content["communication"]?["sender"]?["displayName"] == .string("Mia Chen"))
        #expect(
            content["communication"]?["parameterImages"]?["sender"]
                == .object(["kind": .string("system"), "value": .string("person.crop.circle")]))
    }

    @Test func callHasACaller() throws {
        let program = try start("Call")
        let intent = try #require(program.next("content")?["content"]?["communication"])
        #expect(intent["contacts"]?.elements?.first?["displayName"] == .string("Haru Sato"))
        #expect(intent["callRecordToCallBack"]?["callRecordType"] == .string("missed"))
    }

    @Test func pictureIsAttachedUnderItsType() throws {
        let server = try OneAnswer(type: "image/png", body: [0x89, 0x50, 0x4E, 0x47])
        let program = try ExtensionProcess(example: "Picture")
        try program.receive(#"{"aps":{},"picture":"\#(server.url)"}"#)
        let attachment = try #require(program.next("content")?["content"]?["attachments"]?.elements?.first)
        #expect(attachment["identifier"] == .string("picture"))
        #expect(attachment["type"] == .string("public.png"))
        #expect(attachment["url"]?.text?.hasPrefix("file:///") == true)
    }

    @Test func theReturnValueOfAnAsyncExtensionIsItsAnswer() throws {
        let server = try OneAnswer(type: "image/png", body: [0x89, 0x50, 0x4E, 0x47])
        let program = try ExtensionProcess(example: "Await")
        try program.receive(#"{"aps":{},"picture":"\#(server.url)"}"#)
        #expect(program.next("entered") != nil)
        let answer = try #require(program.next("content"))
        #expect(answer["expiring"] == .bool(false))
        let attachment = try #require(answer["content"]?["attachments"]?.elements?.first)
        #expect(attachment["type"] == .string("public.png"))
        #expect(
            attachment["options"]?.json
                == #"{"clippingRect":{"height":0.5,"width":1.0,"x":0.0,"y":0.0},"typeHint":"public.png"}"#)
        #expect(!program.finish().messages.contains { $0["type"]?.text == "content" })
    }

    @Test func anAsyncExtensionMayReturnAsTimeExpires() throws {
        let server = try SilentServer()
        let program = try ExtensionProcess(example: "Await")
        try program.receive(#"{"aps":{},"picture":"\#(server.url)"}"#)
        program.waitUntilPrinted("Downloading")
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":1}"#)
        let answer = try #require(program.next("content"))
        #expect(answer["expiring"] == .bool(true))
        #expect(answer["content"]?["attachments"] == .array([]))
    }

    @Test func slowReturnsItsBestAttemptWhenTimeExpires() throws {
        let program = try start("Slow")
        #expect(program.next("entered") != nil)
        program.waitUntilPrinted("Translating")
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":1}"#)
        let answer = try #require(program.next("content"))
        #expect(answer["expiring"] == .bool(true))
        #expect(answer["content"]?["subtitle"] == .string("Not translated"))
    }

    @Test func bothAnswersAreReportedAndThenTheReturn() throws {
        let program = try start("AnswersTwice")
        let first = try #require(program.next("content"))
        #expect(first["content"]?["title"] == .string("First"))
        #expect(first["awaitsReturn"] == .bool(true))
        #expect(program.next("content")?["content"]?["title"] == .string("Second"))
        #expect(program.next("returned")?["id"] == .integer(1))
    }

    @Test func aRemovedAlertIsSentAsItIs() throws {
        let program = try start("RemovesAlert")
        let content = try #require(program.next("content")?["content"])
        #expect(content["title"] == .string("") && content["body"] == .string(""))
        #expect(content["badge"] == .integer(7))
    }

    @Test func emptyContentHasNoMembers() throws {
        let program = try start("Suppresses")
        let content = try #require(program.next("content")?["content"])
        #expect(content["sound"] == .null && content["badge"] == .null && content["attachments"] == .array([]))
        #expect(content["userInfo"] == .object([:]))
    }

    @Test func anAnswerMayComeFromTheMainQueueAfterACallOfTheCenter() throws {
        let program = try start("AnyThread")
        let call = try #require(program.next("center"))
        #expect(call["id"] == .integer(1))
        #expect(call["name"] == .string("deliveredNotifications"))
        let number = try #require(call["call"]?.integer)
        try program.send(
            #"{"type":"reply","call":\#(number),"result":[{"request":{"identifier":"a","content":{"title":"A"}}}]}"#)
        #expect(program.next("content")?["content"]?["badge"] == .integer(2))
    }

    @Test func anInvalidAttachmentIsAnErrorForTheExtension() throws {
        let program = try start("InvalidAttachment")
        let content = try #require(program.next("content")?["content"])
        #expect(content["subtitle"]?.text?.contains("attachmentUnrecognizedType") == true)
        #expect(content["attachments"] == .array([]))
    }

    @Test func anAnswerAfterTheTimeLimitIsMarkedLate() throws {
        let program = try start("AnswersTooLate")
        #expect(program.next("entered") != nil)
        program.waitUntilPrinted("Thinking")
        try program.send(#"{"type":"serviceExtensionTimeWillExpire","id":1}"#)
        #expect(program.next("content")?["expiring"] == .bool(true))
    }
}

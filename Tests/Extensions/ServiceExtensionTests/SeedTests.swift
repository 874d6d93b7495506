import ExtensionWire
import Foundation
import Intents
import SeedLocal
import Testing
import UserNotifications

/// The unmodified code of the source documents.
@Suite struct SeedTests {
    private static let payload = #"""
        {"aps":{"alert":{"body":"Hello world! This is a test message.","title":"@Neko"},"mutable-content":1},"sender_id":"1",\#
        "sender_name":"NekoNeko","sender_image_url":"hhttps://placekitten.com/200/287","sender_nickname":"@Neko",\#
        "sender_email":"Neko@Neko.Neko","chat-session_id":"chat-1"}
        """#

    /// S2-8 S2-9 S2-19 the article's extension, as it is printed, donates, answers with the updated content, and answers again.
    @Test func theArticlesExtensionAnswersTwiceAndTheFirstAnswerIsACommunication() throws {
        let program = try ExtensionProcess(example: "SeedMessage")
        try program.receive(Self.payload, title: "@Neko", body: "Hello world! This is a test message.")
        #expect(program.next("entered")?["id"] == .integer(1))
        let donation = try #require(program.next("donate")?["interaction"])
        let answer = try #require(program.next("content")?["content"])
        let second = try #require(program.next("content")?["content"])

        #expect(donation["direction"] == .string("incoming"))
        #expect(answer["title"] == .string("@Neko"))
        #expect(answer["body"] == .string("Hello world! This is a test message."))
        let intent = try #require(answer["communication"])
        #expect(intent == donation["intent"])
        #expect(intent["class"] == .string("INSendMessageIntent"))
        let sender = try #require(intent["sender"])
        #expect(sender["handle"] == .object(["value": .string("Neko@Neko.Neko"), "type": .string("emailAddress")]))
        #expect(sender["nameComponents"] == .object(["given": .string("NekoNeko")]))
        #expect(sender["image"]?["kind"] == .string("data"))
        #expect(sender["suggestionType"] == .string("instantMessageAddress"))
        #expect(second["title"] == .string("@Neko [modified]"))
        #expect(second["communication"] == .null)
        #expect(program.finish().status == 0)
    }

    /// S2-21 the article's shortest extension changes the title.
    @Test func theArticlesSecondExtensionChangesTheTitle() throws {
        let program = try ExtensionProcess(example: "SeedTitle")
        try program.receive(#"{"aps":{}}"#)
        let answer = try #require(program.next("content"))
        #expect(answer["expiring"] == .bool(false))
        #expect(answer["content"]?["title"] == .string("Hello [modified]"))
        #expect(answer["content"]?["sound"] == .string("default"))
    }

    /// S2-9 S2-11 S2-13 the article's local notification, with the sender's picture and a trigger of 5 s.
    @Test func theArticlesLocalNotificationCarriesTheIntent() throws {
        let request = try scheduleMessage()
        #expect(request.content.title == "New chat message")
        let intent = try #require(request.content.json["communication"])
        #expect(request.content.body == "テスト、テスト、テスト")
        #expect(intent["conversationIdentifier"] == .string("chat001"))
        let sender = try #require(intent["sender"])
        #expect(
            sender["handle"] == .object(["value": .string("John-Appleseed@mac.com"), "type": .string("emailAddress")]))
        #expect(sender["nameComponents"] == .object(["given": .string("John"), "family": .string("Appleseed")]))
        #expect(sender["image"]?["kind"] == .string("data"))
        #expect(intent["recipients"]?.elements?.first?["isMe"] == .bool(true))
        #expect(intent["parameterImages"]?["sender"]?["kind"] == .string("data"))
        #expect(intent["speakableGroupName"] == .object(["spoken": .string("@john")]))
        #expect((request.trigger as? UNTimeIntervalNotificationTrigger)?.timeInterval == 5)
    }

    /// S0-2 S0-3 S0-5 the talk's category with its two actions, their icons and the text field.
    @Test func theTalksActionsHaveIcons() {
        #expect(
            actionIcons().json.json == """
                {"actions":[{"icon":{"systemImageName":"hand.thumbsup"},"identifier":"like-action","options":[],\
                "title":"Like"},{"icon":{"templateImageName":"text.bubble"},"identifier":"comment-action","options":[],\
                "textInput":{"buttonTitle":"Post","placeholder":"Type here…"},"title":"Comment"}],\
                "identifier":"update-actions","intentIdentifiers":[],"options":[]}
                """)
    }

    /// S0-15 S0-21 S0-27 the talk's local notifications have their levels; the four raw values, active by default.
    @Test func theTalksLevelsAreKept() {
        #expect(interruptionLevels().map(\.content.interruptionLevel) == [.passive, .timeSensitive])
        #expect(UNNotificationInterruptionLevel.allCases.map(\.rawValue) == [0, 1, 2, 3])
        #expect(UNNotificationInterruptionLevel.default == .active)
    }

    /// S0-33 S0-41 the talk's incoming call updates the content.
    @Test func theTalksCallIsACommunication() throws {
        let kevin = person(INPersonHandle(value: "+1 555 0100", type: .phoneNumber), nil)
        let call = try incomingCall(UNNotificationContent(), from: kevin)
        #expect(call.json["communication"]?["class"] == .string("INStartCallIntent"))
        #expect(call.json["communication"]?["contacts"]?.elements?.first?["displayName"] == .string("Kevin"))
    }
}

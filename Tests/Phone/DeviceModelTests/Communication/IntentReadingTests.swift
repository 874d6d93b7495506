import Fields
import TestSupport
import Testing

@testable import DeviceModel

@Suite("D.1 E.1 intents written by extensions are decoded") struct IntentReadingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        /// The context's members other than its sender.
        var expected: @Sendable (inout CommunicationContext) -> Void

        init(_ name: String, _ text: String, _ expected: @escaping @Sendable (inout CommunicationContext) -> Void) {
            (testDescription, self.text, self.expected) = (name, text, expected)
        }
    }

    static let neko = Person.with {
        ($0.displayName, $0.handle) = ("Neko", .init(value: "neko@neko.example", type: .emailAddress))
    }
    static let bob = Person.with { ($0.displayName, $0.customIdentifier) = ("Bob B", "bob") }

    static let rows = [
        Row("a sender alone", IntentFixtures.message("")) { _ in },
        Row("unknown members do not matter", IntentFixtures.message(#""siriMatches":[1]"#)) { _ in },
        Row("null is nothing", IntentFixtures.message(#""recipients":null,"speakableGroupName":null"#)) { _ in },
        Row(
            "a group with an image",
            IntentFixtures.message(
                #""recipients":[\#(IntentFixtures.bob)],"speakableGroupName":{"spoken":"Team"},"#
                    + #""conversationIdentifier":"c","serviceName":"s","#
                    + #""parameterImages":{"speakableGroupName":{"kind":"named","value":"team"}}"#)
        ) {
            ($0.recipients, $0.groupName, $0.groupImageDigest) = ([bob], "Team", "named:team")
            ($0.conversationIdentifier, $0.serviceName) = ("c", "s")
        },
        Row("a group's name as a text", IntentFixtures.message(#""speakableGroupName":"Team""#)) {
            $0.groupName = "Team"
        },
        Row(
            "E.5 what the donation's metadata say",
            IntentFixtures.message(
                #""donationMetadata":{"mentionsCurrentUser":true,"isReplyToCurrentUser":true,"#
                    + #""notifyRecipientAnyway":true,"recipientCount":4}"#)
        ) {
            ($0.mentionsCurrentUser, $0.isReplyToCurrentUser) = (true, true)
            ($0.notifiesRecipientAnyway, $0.recipientCount) = (true, 4)
        },
        Row("S0-33 a call", IntentFixtures.call(#""callCapability":"videoCall""#)) {
            ($0.intent, $0.callCapability) = (.startCall, .videoCall)
        },
        Row("a missed call", IntentFixtures.call(#""callRecordToCallBack":{"callRecordType":"missed"}"#)) {
            ($0.intent, $0.isMissedCall) = (.startCall, true)
        },
        Row("a received call", IntentFixtures.call(#""callRecordToCallBack":{"callRecordType":"received"}"#)) {
            $0.intent = .startCall
        },
        Row(
            "a message with attributes",
            #"{"class":"UNNotificationAttributedMessageContext","attributedContent":"Hi","sendMessageIntent":"#
                + IntentFixtures.message(#""conversationIdentifier":"c""#) + "}"
        ) { $0.conversationIdentifier = "c" },
    ]

    @Test("E.2 a context contains what the intent says", arguments: rows) func reads(_ row: Row) throws {
        var expected = CommunicationContext.with { $0.sender = Self.neko }
        row.expected(&expected)
        #expect(try IntentFixtures.read(row.text) == expected)
    }

    @Test("S2-10 D.1's own example") func theDocumentsExample() throws {
        let context = try IntentFixtures.read(IntentFixtures.seedMessage)
        #expect(context.sender.handle == Person.Handle(value: "Neko@Neko.Neko", type: .emailAddress))
        #expect(context.sender.shownName == "@Neko")
        #expect(context.sender.givenName == "NekoNeko")
        #expect(context.sender.customIdentifier == "1")
        #expect(context.sender.suggestionType == .instantMessageAddress)
        #expect(context.sender.imageDigest == IntentFixtures.digest)
        #expect(context.groupName == "@Neko" && !context.isGroup)
        #expect(context.conversationIdentifier == "chat-1")
    }

    /// base64 of "cat".
    static let images: [(String, String?)] = [
        (#""image":{"kind":"data","value":"Y2F0"}"#, "bytes:cat"),
        (#""image":{"kind":"data","value":"Y2\nF0"}"#, "bytes:cat"),
        (#""image":{"kind":"url","value":"file:///tmp/cat.jpg"}"#, "file"),
        (#""image":{"kind":"url","value":"https://cats.example/1.jpg"}"#, nil),
        (#""image":{"kind":"named","value":"cat"}"#, "named:cat"),
        (#""image":{"kind":"system","value":"cat.fill"}"#, nil),
        (#""image":{"kind":"data","sha256":"\#(IntentFixtures.digest.uppercased())"}"#, IntentFixtures.digest),
        (#""image":null"#, nil),
    ]

    @Test("E.2 a sender's picture, in each of its kinds", arguments: images)
    func readsPictures(_ image: String, _ digest: String?) throws {
        let text = #"{"class":"INSendMessageIntent","sender":{"displayName":"Neko",\#(image)}}"#
        #expect(try IntentFixtures.read(text).sender.imageDigest == digest)
    }

    @Test(
        "E.2 setImage overrides the person's own picture",
        arguments: [
            (#"{"class":"INSendMessageIntent","sender":PERSON,"parameterImages":{"sender":PICTURE}}"#, "named:set"),
            (#"{"class":"INStartCallIntent","contacts":[PERSON],"parameterImages":{"contacts":PICTURE}}"#, "named:set"),
            (#"{"class":"INSendMessageIntent","sender":PERSON,"parameterImages":{}}"#, "named:own"),
        ])
    func setImage(_ text: String, _ digest: String) throws {
        let person = #"{"displayName":"Neko","image":{"kind":"named","value":"own"}}"#
        let text = text.replacing("PERSON", with: person).replacing("PICTURE", with: #"{"kind":"named","value":"set"}"#)
        #expect(try IntentFixtures.read(text).sender.imageDigest == digest)
    }

    @Test("E.2 a group's own picture is shown for groups only", arguments: [true, false])
    func groupPicture(isGroup: Bool) throws {
        var context = try IntentFixtures.read(
            IntentFixtures.message(
                #""speakableGroupName":"Team","recipients":[\#(isGroup ? IntentFixtures.bob : IntentFixtures.neko)],"#
                    + #""parameterImages":{"speakableGroupName":{"kind":"named","value":"team"}}"#))
        context.sender.imageDigest = "own"
        let display = CommunicationDisplay(of: context, appName: "Chat", language: .english, assumptions: Assumptions())
        #expect(display.avatar == .image(digest: isGroup ? "named:team" : "own"))
    }

    @Test("E.2 a call with several people shows the call's picture", arguments: [true, false])
    func callPicture(isGroup: Bool) throws {
        let contacts = isGroup ? "[\(IntentFixtures.neko),\(IntentFixtures.bob)]" : "[\(IntentFixtures.neko)]"
        let context = try IntentFixtures.read(
            #"{"class":"INStartCallIntent","contacts":\#(contacts),"#
                + #""parameterImages":{"callRecordToCallBack":{"kind":"named","value":"call"}}}"#)
        let display = CommunicationDisplay(of: context, appName: "Chat", language: .english, assumptions: Assumptions())
        #expect(display.avatar == (isGroup ? .image(digest: "named:call") : .monogram("N")))
    }

    // MARK: Invalid intents

    static let refused: [(String, Int, Bool)] = [
        (#"{"class":"INPlayMediaIntent"}"#, 1500, false),
        (#"{"class":"MyOwnContext"}"#, 1500, false),
        (#"{"class":"INSendMessageIntent","content":"Hello"}"#, 1501, true),
        (#"{"class":"INSendMessageIntent","sender":null}"#, 1501, true),
        (#"{"class":"INStartCallIntent","contacts":[]}"#, 1501, true),
        (#"{"class":"INStartCallIntent"}"#, 1501, true),
        (#"{"class":"UNNotificationAttributedMessageContext"}"#, 1501, true),
        (#"{"sender":{}}"#, 1501, false),
        (#""INSendMessageIntent""#, 1501, false),
        (#"{"class":"INSendMessageIntent","sender":"Neko"}"#, 1501, false),
        (#"{"class":"INSendMessageIntent","sender":{"isMe":1}}"#, 1501, false),
        (#"{"class":"INSendMessageIntent","sender":{"handle":{"value":"1","type":"fax"}}}"#, 1501, false),
        (#"{"class":"INSendMessageIntent","sender":{"image":{"kind":"data","value":"?"}}}"#, 1501, false),
        (#"{"class":"INSendMessageIntent","sender":{},"recipients":{}}"#, 1501, false),
        (#"{"class":"INSendMessageIntent","sender":{},"donationMetadata":{"recipientCount":-1}}"#, 1501, false),
    ]

    @Test("S0-34 E.1 invalid intents are rejected, except those that lenientIntents allows", arguments: refused)
    func refuses(_ text: String, _ code: Int, _ passesIfLenient: Bool) throws {
        let error = #expect(throws: IntentError.self) { try IntentFixtures.read(text) }
        #expect(error?.code == code)
        if passesIfLenient {
            #expect(try IntentFixtures.read(text, isLenient: true).sender == Person())
        } else {
            #expect(throws: IntentError.self) { try IntentFixtures.read(text, isLenient: true) }
        }
    }

    @Test func allErrorsAreReportedTogether() {
        let text = #"{"class":"INSendMessageIntent","sender":{"isMe":1,"aliases":[{"type":"fax"}]},"recipients":[7]}"#
        let error = #expect(throws: IntentError.self) { try IntentFixtures.read(text) }
        guard case .malformed(let wrong)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(wrong.problems.map(\.path.description) == ["sender.isMe", "sender.aliases[0].type", "recipients[0]"])
    }

    @Test("S2-10 a handle without a value is ignored") func aHandleWithoutValue() throws {
        let text = #"{"class":"INSendMessageIntent","sender":{"handle":{"value":null,"type":"unknown"}}}"#
        #expect(try IntentFixtures.read(text).sender.handle == nil)
    }
}

extension IntentError {
    /// The code of `UNErrorDomain` that `updating(from:)` throws.
    fileprivate var code: Int {
        switch self {
        case .unsupported: 1500
        case .incomplete, .malformed: 1501
        }
    }
}

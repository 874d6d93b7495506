import Fields
import JSON
import TestSupport
import Testing

@testable import DeviceModel

@Suite("S0-36 C.4 an answer changes only the members it contains") struct ExtensionAnswerTests {
    /// The original content.
    static let original = {
        var content = NotificationContent()
        (content.title, content.subtitle, content.body) = ("Title", "Subtitle", "Body")
        (content.badge, content.sound, content.threadIdentifier) = (3, .default, "t")
        (content.isMutable, content.relevanceScore) = (true, 0.5)
        return content
    }()

    static func answer(
        _ text: String, to original: NotificationContent = original, payload: JSONValue? = nil,
        donations: [Donation] = [], assumptions: Assumptions = Assumptions()
    ) throws -> ExtensionAnswer {
        try ExtensionAnswer(
            json(text), changing: original, payload: payload, donations: donations, assumptions: assumptions,
            store: IntentFixtures.store)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var text: String
        var expected: @Sendable (inout NotificationContent) -> Void

        init(_ name: String, _ text: String, _ expected: @escaping @Sendable (inout NotificationContent) -> Void) {
            (testDescription, self.text, self.expected) = (name, text, expected)
        }
    }

    static let rows = [
        Row("nothing", "{}") { _ in },
        Row("a title", #"{"title":"New"}"#) { $0.title = "New" },
        Row("null empties", #"{"title":null,"badge":null,"sound":null,"threadIdentifier":null,"relevanceScore":null}"#)
        {
            ($0.title, $0.badge, $0.sound, $0.threadIdentifier, $0.relevanceScore) = ("", nil, nil, "", 0)
        },
        Row("texts", #"{"subtitle":"S","body":"B"}"#) { ($0.subtitle, $0.body) = ("S", "B") },
        Row("a level", #"{"interruptionLevel":"timeSensitive"}"#) { $0.interruptionLevel = .timeSensitive },
        Row("a level as in a payload", #"{"interruptionLevel":"time-sensitive"}"#) {
            $0.interruptionLevel = .timeSensitive
        },
        Row("a sound", #"{"sound":{"name":"a.caf","critical":true,"volume":0.5}}"#) {
            $0.sound = .critical(name: "a.caf", volume: 0.5)
        },
        Row(
            "the rest",
            #"{"badge":7,"categoryIdentifier":"c","filterCriteria":"f","targetContentIdentifier":"w","launchImageName":"l"}"#
        ) {
            ($0.badge, $0.categoryIdentifier, $0.filterCriteria) = (7, "c", "f")
            ($0.targetContentIdentifier, $0.launchImageName) = ("w", "l")
        },
        Row("an attachment", #"{"attachments":[{"identifier":"i","url":"file:///t/a.jpg","type":"public.jpeg"}]}"#) {
            $0.attachments = [NotificationAttachment(identifier: "i", url: "file:///t/a.jpg", type: "public.jpeg")]
        },
        Row(
            "an attachment with options",
            #"{"attachments":[{"url":"file:///t/a","options":{"typeHint":"public.png","thumbnailHidden":true,"#
                + #""clippingRect":{"x":0.5,"y":0,"width":0.5,"height":1},"thumbnailTime":1.5}}]}"#
        ) {
            var options = NotificationAttachment.Options()
            var half = NotificationAttachment.UnitRect()
            (half.x, half.width) = (0.5, 0.5)
            (options.typeHint, options.thumbnailHidden) = ("public.png", true)
            (options.clippingRect, options.thumbnailTime) = (half, 1.5)
            $0.attachments = [NotificationAttachment(url: "file:///t/a", options: options)]
        },
        Row("userInfo", #"{"userInfo":{"order":17}}"#) { $0.userInfo = .object(["order": .integer(17)]) },
        Row("no userInfo", #"{"userInfo":null}"#) { $0.userInfo = .object([:]) },
        Row("S0-36 people", #"{"communication":\#(IntentFixtures.message())}"#) {
            $0.communication = .with { ($0.sender, $0.conversationIdentifier) = (IntentReadingTests.neko, "chat-1") }
        },
        Row("no people", #"{"communication":null}"#) { _ in },
    ]

    @Test("an absent member keeps its value, null clears it", arguments: rows) func changes(_ row: Row) throws {
        var expected = Self.original
        row.expected(&expected)
        let answer = try Self.answer(row.text)
        #expect(answer.content == expected)
        #expect(answer.findings == [])
    }

    @Test("E.1 updating the content changes neither texts nor thread") func updatingKeepsTexts() throws {
        let content = try Self.answer(#"{"communication":\#(IntentFixtures.message())}"#).content
        #expect(content.title == "Title" && content.subtitle == "Subtitle" && content.body == "Body")
        #expect(content.threadIdentifier == "t")
    }

    @Test("E.2 the text of an attributed message is the body") func attributedMessage() throws {
        let intent =
            #"{"class":"UNNotificationAttributedMessageContext","sendMessageIntent":\#(IntentFixtures.message()),"#
            + #""attributedContent":"Bold"}"#
        let content = try Self.answer(#"{"communication":\#(intent)}"#).content
        #expect(content.body == "Bold" && content.communication != nil)
    }

    @Test(
        "a level that equals the current one does not count as set",
        arguments: [
            (nil, #"{"interruptionLevel":"active"}"#, false), (nil, #"{"interruptionLevel":"passive"}"#, true),
            (.active, #"{"interruptionLevel":"active"}"#, true), (.passive, #"{"interruptionLevel":"passive"}"#, true),
            (.passive, #"{"interruptionLevel":null}"#, false), (nil, "{}", false), (.critical, "{}", true),
        ] as [(InterruptionLevel?, String, Bool)])
    func statesLevel(_ level: InterruptionLevel?, _ text: String, _ states: Bool) throws {
        var original = Self.original
        if let level { original.interruptionLevel = level }
        #expect(try (Self.answer(text, to: original).content.statedLevel != nil) == states)
    }

    @Test("an unchanged payload does not count as a replacement") func payloadRepeated() throws {
        let payload = try json(#"{"aps":{"alert":"x"},"order":17}"#)
        let text = #"{"userInfo":{"order":17,"aps":{"alert":"x"}}}"#
        #expect(try Self.answer(text, payload: payload).content.userInfo == nil)
        #expect(try Self.answer(text).content.userInfo == payload)
    }

    @Test("a replaced text is no longer localized") func newTexts() throws {
        var original = Self.original
        original.titleLocalization = LocalizedText(key: "T")
        original.bodyLocalization = LocalizedText(key: "B")
        let content = try Self.answer(#"{"title":"New","body":"Body"}"#, to: original).content
        #expect(content.titleLocalization == nil)
        #expect(content.bodyLocalization == LocalizedText(key: "B"))
    }

    // MARK: Ignored values

    /// Answers with findings, and the remaining content.
    static let odd: [(rule: String, text: String, isFound: Bool)] = [
        ("nse.answer.unknownMember", #"{"titel":"New"}"#, true),
        ("nse.answer.unknownMember", #"{"title":"New"}"#, false),
        ("nse.answer.unknownMember", #"{"attachments":[{"url":"file:///t/a","more":1}]}"#, true),
        ("nse.answer.unknownMember", #"{"attachments":[{"url":"file:///t/a","options":{"typeHint":"x"}}]}"#, false),
        (
            "nse.answer.unknownMember",
            #"{"attachments":[{"url":"file:///t/a","options":{"UNNotificationAttachmentOptionsTypeHintKey":"x"}}]}"#,
            true
        ),
        (
            "nse.answer.unknownMember",
            #"{"attachments":[{"url":"file:///t/a","options":{"clippingRect":{"Width":1}}}]}"#, true
        ),
        ("nse.answer.unknownMember", #"{"sound":{"name":"a.caf","loud":true}}"#, true),
        (
            "nse.answer.wrongOption", #"{"attachments":[{"url":"file:///t/a","options":{"clippingRect":{"x":2}}}]}"#,
            true
        ),
        ("nse.answer.wrongOption", #"{"attachments":[{"url":"file:///t/a","options":7}]}"#, true),
        ("nse.answer.wrongOption", #"{"attachments":[{"url":"file:///t/a","options":null}]}"#, false),
        ("nse.answer.fixedMember", #"{"isMutable":false}"#, true),
        ("nse.answer.fixedMember", #"{"interruptionLevel":"passive"}"#, false),
        ("relevance.range", #"{"relevanceScore":1.5}"#, true), ("relevance.range", #"{"relevanceScore":1}"#, false),
        ("badge.type", #"{"badge":-1}"#, true), ("badge.type", #"{"badge":0}"#, false),
        ("comm.intent.unsupported", #"{"communication":{"class":"INPlayMediaIntent"}}"#, true),
        ("comm.intent.unsupported", #"{"communication":\#(IntentFixtures.message())}"#, false),
        ("comm.intent.incomplete", #"{"communication":{"class":"INSendMessageIntent"}}"#, true),
        ("comm.intent.incomplete", #"{"communication":\#(IntentFixtures.call())}"#, false),
        (
            "comm.image.unavailable",
            #"{"communication":{"class":"INSendMessageIntent","sender":{"image":{"kind":"system","value":"cat"}}}}"#,
            true
        ),
        (
            "comm.image.unavailable",
            #"{"communication":{"class":"INSendMessageIntent","sender":{"image":{"kind":"named","value":"cat"}}}}"#,
            false
        ),
    ]

    @Test("S0-34 invalid values are ignored and reported", arguments: odd)
    func findsWhatIsOdd(_ rule: String, _ text: String, _ isFound: Bool) throws {
        let answer = try Self.answer(text)
        #expect(answer.findings.map(\.id) == (isFound ? [rule] : []))
        #expect(answer.findings.allSatisfy { $0.source != nil && $0.fix?.isEmpty == false })
        #expect(answer.content.isMutable)
        #expect(answer.content.badge == (text.contains(#""badge":0"#) ? 0 : 3))
        #expect((0...1).contains(answer.content.relevanceScore))
        if rule.hasPrefix("comm.intent"), isFound { #expect(answer.content.communication == nil) }
    }

    @Test("an unknown member, at any depth, invalidates nothing else") func unknownMemberInside() throws {
        let answer = try Self.answer(
            #"{"title":"New","sound":{"name":"a.caf","loud":1},"attachments":[{"url":"file:///t/a","options":"#
                + #"{"thumbnailHiden":true,"typeHint":"public.png"}}]}"#)
        #expect(answer.content.title == "New" && answer.content.sound == .named("a.caf"))
        #expect(answer.content.attachments.map(\.options?.typeHint) == ["public.png"])
        #expect(answer.findings.map(\.path) == ["attachments[0].options.thumbnailHiden", "sound.loud"])
        #expect(answer.findings[0].message.hasSuffix("did you mean thumbnailHidden?"))
    }

    @Test("an option of the wrong type costs nothing else") func wrongOption() throws {
        let answer = try Self.answer(
            #"{"title":"New","attachments":[{"url":"file:///t/a","options":"#
                + #"{"thumbnailHidden":"yes","typeHint":"public.png"}}]}"#)
        #expect(answer.content.title == "New")
        #expect(answer.content.attachments.map(\.options?.typeHint) == ["public.png"])
        #expect(answer.findings.map(\.path) == ["attachments[0].options.thumbnailHidden"])
        #expect(answer.findings[0].message.contains(#"it is "yes"; accepted: true or false"#))
    }

    @Test("what a notification keeps of an answer is bounded, besides pictures") func bytesAreLimited() throws {
        let limit = ExtensionAnswer.byteLimit
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        func list(_ count: Int, of number: String) -> String {
            #"{"userInfo":{"a":[\#(Array(repeating: number, count: count).joined(separator: ","))]}}"#
        }
        let picture = #"{"kind":"data","value":"\#(text(limit))"}"#
        for fitting in [
            #"{"title":"\#(text(limit - 100))"}"#,
            #"{"communication":{"class":"INSendMessageIntent","sender":{"displayName":"A","image":\#(picture)}}}"#,
            list(limit / 2 - 50, of: "1"),
        ] { #expect(throws: Never.self) { try Self.answer(fitting) } }
        for large in [
            #"{"title":"\#(text(limit))"}"#, #"{"userInfo":{"a":"\#(text(limit))"}}"#,
            #"{"userInfo":{"communication":\#(picture)}}"#, #"{"communication":{"userInfo":\#(picture)}}"#,
            #"{"attachments":[\#(Array(repeating: "{}", count: limit / 3).joined(separator: ","))]}"#,
            list(limit / 17, of: "1234567890.12345"),
        ] {
            let error = #expect(throws: FieldError.self) { try Self.answer(large) }
            #expect(error?.description.contains("more than 65536 bytes") == true, "\(large.prefix(60))")
        }
    }

    @Test("findings are bounded, and the others counted") func findingsAreLimited() throws {
        let members = (0..<3000).map { "\"ttle\($0)\":1" }.joined(separator: ",")
        let start = ContinuousClock.now
        let findings = try Self.answer("{\(members)}").findings
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(findings.count == 51)
        #expect(findings[50].id == "findings.more" && findings[50].message.hasPrefix("2950 more findings"))
    }

    @Test("an unknown member is reported with the nearest known one") func nearestMember() throws {
        #expect(try Self.answer(#"{"titel":"New"}"#).findings[0].message.hasSuffix("did you mean title?"))
    }

    @Test("E.1 lenientIntents: a message without a sender is accepted and keeps the content's title")
    func lenient() throws {
        let assumptions = Assumptions.with { $0.lenientIntents = true }
        let answer = try Self.answer(
            #"{"communication":{"class":"INSendMessageIntent","conversationIdentifier":"c"}}"#, assumptions: assumptions
        )
        #expect(answer.content.communication?.conversationIdentifier == "c")
        #expect(answer.findings == [])
    }

    // MARK: Donations

    struct Donated: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var intents: [String]
        var isAttached: Bool
    }

    static let donated = [
        Donated(testDescription: "nothing", intents: [], isAttached: false),
        Donated(testDescription: "it", intents: [IntentFixtures.message()], isAttached: true),
        Donated(
            testDescription: "another conversation",
            intents: [IntentFixtures.message(#""conversationIdentifier":"chat-2""#)], isAttached: false),
        Donated(testDescription: "a call", intents: [IntentFixtures.call()], isAttached: false),
        Donated(testDescription: "no conversation", intents: [IntentFixtures.message("")], isAttached: false),
        Donated(
            testDescription: "another, then it",
            intents: [
                IntentFixtures.call(), IntentFixtures.message(#""conversationIdentifier":"chat-1","content":"x""#),
            ],
            isAttached: true),
    ]

    @Test("S0-36 E.1 strictDonation: only donated intents update content", arguments: donated)
    func strictDonation(_ row: Donated) throws {
        let donations = try row.intents.map { try Donation(identifier: "d", intent: json($0)) }
        let text = #"{"title":"New","communication":\#(IntentFixtures.message())}"#
        let answer = try Self.answer(text, donations: donations, assumptions: .with { $0.strictDonation = true })
        #expect((answer.content.communication != nil) == row.isAttached)
        #expect(answer.content.title == "New")
        #expect(answer.findings.map(\.id) == (row.isAttached ? [] : ["comm.notDonated"]))
        #expect(try Self.answer(text).content.communication != nil, "by default nothing need be donated")
    }

    // MARK: Invalid answers

    @Test(
        "an answer with an invalid member is rejected",
        arguments: [
            (#"{"title":7}"#, "title"), (#"{"badge":"3"}"#, "badge"), ("[]", ""),
            (#"{"interruptionLevel":"loud"}"#, "interruptionLevel"), (#"{"attachments":{}}"#, "attachments"),
            (#"{"attachments":[{}]}"#, "attachments[0].url"),
            (#"{"communication":{"class":"INSendMessageIntent","sender":7}}"#, "communication.sender"),
            (#"{"communication":{}}"#, "communication.class"), (#"{"sound":7}"#, "sound"),
        ])
    func refuses(_ text: String, _ path: String) throws {
        let error = #expect(throws: FieldError.self) { try Self.answer(text) }
        #expect(error?.problems.map(\.path.description) == [path])
    }

    @Test("every member that the façade writes reads back") func everyMember() throws {
        var content = Self.original
        (content.interruptionLevel, content.filterCriteria) = (.passive, "f")
        content.attachments = [NotificationAttachment(identifier: "i", url: "file:///a.png")]
        let text = try json(
            #"{"title":"Title","subtitle":"Subtitle","body":"Body","badge":3,"sound":{"name":"default"},"#
                + #""threadIdentifier":"t","categoryIdentifier":"","interruptionLevel":"passive","relevanceScore":0.5,"#
                + #""filterCriteria":"f","targetContentIdentifier":null,"launchImageName":null,"#
                + #""attachments":[{"identifier":"i","url":"file:///a.png","type":""}],"communication":null}"#)
        #expect(try ExtensionAnswer(text, changing: Self.original, store: IntentFixtures.store).content == content)
    }
}

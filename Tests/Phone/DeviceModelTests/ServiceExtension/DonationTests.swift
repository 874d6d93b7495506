import DeviceModel
import Fields
import JSON
import Testing
import Time

@Suite("S0-36 D.2 donations") struct DonationTests {
    static func read(_ text: String) throws -> Donation {
        try Donation(json(text), named: "made", store: IntentFixtures.store)
    }

    static let inner = #"""
        {"identifier":"6875","groupIdentifier":"san-diego","direction":"outgoing",
         "dateInterval":{"start":"2026-01-05T16:10:29+09:00","duration":1.5},
         "intent":{"class":"CheckWeatherIntent","city":{"identifier":"sd"}},"response":{"code":"success"}}
        """#

    @Test("an interaction, bare and wrapped as in D.2", arguments: [inner, #"{"interaction":\#(inner),"app":"a.b"}"#])
    func reads(_ text: String) throws {
        let donation = try Self.read(text)
        #expect(donation.identifier == "6875" && donation.groupIdentifier == "san-diego")
        #expect(donation.direction == .outgoing && donation.duration == 1.5)
        #expect(donation.startedAt == Instant(text: "2026-01-05T07:10:29Z"))
        #expect(donation.intentClass == "CheckWeatherIntent")
        #expect(donation.response == .object(["code": .string("success")]))
        #expect(donation.communication == nil)
    }

    @Test("a written interaction reads back", arguments: [inner, #"{"intent":\#(IntentFixtures.seedMessage)}"#])
    func writes(_ text: String) throws {
        let donation = try Self.read(text)
        #expect(try Donation(donation.json, named: "", store: { _ in nil }) == donation)
    }

    @Test("absent members have their defaults") func defaults() throws {
        let donation = try Self.read(#"{"intent":\#(IntentFixtures.call())}"#)
        #expect(donation.identifier == "made" && donation.groupIdentifier == nil && donation.response == nil)
        #expect(donation.direction == .unspecified && donation.startedAt == nil && donation.duration == 0)
        #expect(donation.communication?.sender.shownName == "Neko")
    }

    @Test("the bytes of pictures are stored separately") func pictures() throws {
        let donation = try Self.read(
            #"{"intent":{"class":"INSendMessageIntent","sender":{"image":{"kind":"data","value":"Y2F0"}},"#
                + #""recipients":[{"image":{"kind":"named","value":"b"}},{"image":{"kind":"system","value":"c"}}]}}"#)
        let expected = try json(
            #"{"class":"INSendMessageIntent","sender":{"image":{"kind":"data","sha256":"bytes:cat"}},"#
                + #""recipients":[{"image":{"kind":"named","value":"b","sha256":"named:b"}},"#
                + #"{"image":{"kind":"system","value":"c"}}]}"#)
        #expect(donation.intent == expected)
    }

    @Test(
        "invalid donations are rejected",
        arguments: [
            ("7", [""]), ("{}", ["intent"]), (#"{"intent":{}}"#, ["intent"]),
            (#"{"interaction":7}"#, ["interaction"]),
            (#"{"direction":"sideways","intent":{"class":"A"}}"#, ["direction"]),
            (
                #"{"dateInterval":{"start":"now","duration":-1}}"#,
                ["dateInterval.start", "dateInterval.duration", "intent"]
            ),
        ])
    func refuses(_ text: String, _ paths: [String]) {
        let error = #expect(throws: FieldError.self) { try Self.read(text) }
        #expect(error?.problems.map(\.path.description) == paths)
    }
}

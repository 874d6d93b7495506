import Lint
import Testing

@testable import DeviceModel

@Suite("S0-37 S0-40 F.5 donations are judged") struct DonationLintTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var name: String
        /// The path of the finding; nil for a near miss.
        var path: String?
        var intent = IntentFixtures.message()
        var direction = Donation.Direction.incoming
        /// The intents donated just before.
        var recent: [String] = []
        var testDescription: String { "\(name) [\(rule)]" }

        func findings() throws -> [Finding] {
            func donation(_ text: String) throws -> Donation {
                Donation(identifier: "d", direction: direction, intent: try json(text))
            }
            return Lint.findings(for: DonationSubject(try donation(intent), recent: try recent.map(donation)))
        }
    }

    private static let play = #"{"class":"INPlayMediaIntent"}"#
    private static let person =
        #"{"displayName":"Neko","handle":{"value":"1","type":"phoneNumber"},"customIdentifier":"n","#
        + #""image":{"kind":"named","value":"neko"}}"#

    static let rows = [
        Row(rule: "comm.direction", name: "S0-37 outgoing", path: "direction", direction: .outgoing),
        Row(rule: "comm.direction", name: "S0-37 unspecified", path: "direction", direction: .unspecified),
        Row(
            rule: "comm.direction", name: "S0-37 a call", path: "direction", intent: IntentFixtures.call(),
            direction: .outgoing),
        Row(rule: "comm.direction", name: "S0-37 incoming"),
        Row(rule: "comm.direction", name: "S0-37 a song", intent: play, direction: .unspecified),
        Row(
            rule: "donation.duplicateForAction", name: "S1-27 twice", path: "intent", recent: [IntentFixtures.message()]
        ),
        Row(rule: "donation.duplicateForAction", name: "S1-27 two messages", recent: [IntentFixtures.message("")]),
        Row(rule: "comm.person.incomplete", name: "S0-40 no image", path: "intent.sender"),
        Row(
            rule: "comm.person.incomplete", name: "S0-40 the app's own picture",
            intent: #"{"class":"INSendMessageIntent","sender":\#(person)}"#),
        Row(
            rule: "comm.conversationId.missing", name: "E.1 no conversation", path: "intent.conversationIdentifier",
            intent: IntentFixtures.message("")),
        Row(rule: "comm.conversationId.missing", name: "E.1 a conversation"),
        Row(
            rule: "comm.recipients.includesMe", name: "S2-10 the current user", path: "intent.recipients[1]",
            intent: IntentFixtures.message(#""recipients":[\#(IntentFixtures.bob),{"isMe":true}]"#)),
        Row(
            rule: "comm.recipients.includesMe", name: "S0-41 another person",
            intent: IntentFixtures.message(#""recipients":[\#(IntentFixtures.bob)]"#)),
        Row(
            rule: "comm.group.noRecipients", name: "E.2 a name alone", path: "intent.speakableGroupName",
            intent: IntentFixtures.message(#""speakableGroupName":{"spoken":"Team"}"#)),
        Row(
            rule: "comm.group.noRecipients", name: "E.2 a group",
            intent: IntentFixtures.message(
                #""speakableGroupName":{"spoken":"Team"},"recipients":[\#(IntentFixtures.bob)]"#)),
    ]

    @Test("S0-37 S0-40 finds what a rule objects to in a donation, and nothing in a near miss", arguments: rows)
    func finds(_ row: Row) throws {
        let findings = try row.findings().filter { $0.id == row.rule }
        #expect(findings.map(\.path) == [row.path].compactMap(\.self))
        #expect(findings.allSatisfy { $0.source == Lint.rule(row.rule)?.source })
    }

    @Test("S0-36 what an extension should donate has no findings") func likesAGoodOne() throws {
        let intent = #"{"class":"INSendMessageIntent","sender":\#(Self.person),"conversationIdentifier":"c"}"#
        #expect(try Row(rule: "", name: "", intent: intent).findings() == [])
    }

    @Test("the rules of attachments are found where files are") func attachments() {
        let error = AttachmentError(.attachmentCorrupt, "its content is no public.png")
        let finding = error.finding(about: NotificationAttachment(identifier: "cat", url: "file:///cat.png"))
        #expect(finding.id == "attachment.dropped" && finding.path == "attachments")
        #expect(finding.message.hasSuffix("`cat`: UNErrorDomain 105, its content is no public.png"))
        #expect(finding.source != nil)
    }
}

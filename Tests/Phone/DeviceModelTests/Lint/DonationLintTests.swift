import Fields
import JSON
import Lint
import Testing

@testable import DeviceModel

@Suite("S0-37 S0-40 F.5 findings about donations") struct DonationLintTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rule: String
        var name: String
        /// The path of the finding; nil for a near miss.
        var path: String?
        var intent = IntentFixtures.message()
        var direction = Donation.Direction.incoming
        /// The intents donated before it.
        var recent: [String] = []
        /// The code of the intent's response.
        var code: String?
        /// Of the recent donations; nil for the same code.
        var recentCode: String?
        /// JSON of the app; nil when it is unknown.
        var app: String?
        var isByExtension = true
        var testDescription: String { "\(name) [\(rule)]" }

        func findings() throws -> [Finding] {
            func donation(_ text: String, _ code: String?) throws -> Donation {
                Donation(
                    identifier: "d", direction: direction, intent: try json(text),
                    response: code.map { ["code": .string($0)] })
            }
            var known = App(bundleID: "com.example.coffee")
            if let app { try known.apply(try json(app)) }
            return Lint.findings(
                for: DonationSubject(
                    try donation(intent, code), recent: try recent.map { try donation($0, recentCode ?? code) },
                    app: app == nil ? nil : known,
                    isByExtension: isByExtension))
        }

        /// What an app donates in the foreground, with a custom intent and its definition.
        static func custom(
            _ rule: String, _ name: String, _ intent: String, at path: String? = nil, isEligible: Bool = true,
            combination: String = #""item","size""#, code: String? = nil
        ) -> Row {
            let definition =
                #"{"intent":"Order","eligibleForSuggestions":\#(isEligible),"parameters":[{"name":"item","type":"String"},"#
                + #"{"name":"size","type":"String"},{"name":"date","type":"DateComponents"}],"#
                + #""combinations":[{"parameters":[\#(combination)]}]}"#
            return Row(
                rule: rule, name: name, path: path, intent: intent, direction: .unspecified, code: code,
                app: #"{"intents":[\#(definition)]}"#, isByExtension: false)
        }
    }

    private static let order = #"{"class":"Order","item":"tea","size":"small","date":"2021-06-07"}"#

    private static let play = #"{"class":"INPlayMediaIntent"}"#
    private static let person =
        #"{"displayName":"Neko","handle":{"value":"1","type":"phoneNumber"},"customIdentifier":"n","#
        + #""image":{"kind":"named","value":"neko"}}"#

    static let rows: [Row] = [
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
        Row(
            rule: "donation.duplicateForAction", name: "S1-27 another response", recent: [IntentFixtures.message()],
            code: "success", recentCode: "userConfirmationRequired"),
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
        Row.custom("donation.noDefinition", "S1-5 another intent", #"{"class":"Brew"}"#, at: "intent.class"),
        Row.custom("donation.noDefinition", "S1-5 a defined intent", order),
        Row.custom("donation.ineligible", "F.2 switched off", order, at: "intent.class", isEligible: false),
        Row.custom("donation.ineligible", "F.2 eligible", order),
        Row.custom("donation.noCombination", "S1-6 no size", #"{"class":"Order","item":"tea"}"#, at: "intent"),
        Row.custom("donation.noCombination", "S1-6 complete", order),
        Row.custom(
            "donation.timestamp", "S1-26 S1-27 a date", order, at: "intent.date", combination: #""item","date""#),
        Row.custom("donation.timestamp", "S1-27 a date outside", order),
        Row.custom(
            "donation.displayStringOnly", "F.5 no identifier",
            #"{"class":"Order","item":{"displayString":"Tea"},"size":"small"}"#, at: "intent.item"),
        Row.custom(
            "donation.displayStringOnly", "F.5 an identifier",
            #"{"class":"Order","item":{"identifier":"t","displayString":"Tea"},"size":"small"}"#),
        Row.custom("donation.unfinished", "F.5 failed", order, at: "response.code", code: "failureRequiringAppLaunch"),
        Row.custom("donation.unfinished", "S1-1 complete", order, code: "success"),
        Row.custom(
            "donation.activity.notPredictable", "S1-2 not for search",
            #"{"class":"NSUserActivity","activityType":"view","isEligibleForPrediction":true}"#,
            at: "intent.isEligibleForSearch"),
        Row.custom(
            "donation.activity.notPredictable", "S1-2 for both",
            #"{"class":"NSUserActivity","activityType":"view","isEligibleForPrediction":true,"isEligibleForSearch":true}"#
        ),
        Row(
            rule: "donation.direction.unspecified", name: "S0-39 neither way", path: "direction",
            direction: .unspecified, isByExtension: false),
        Row(rule: "donation.direction.unspecified", name: "S0-39 outgoing", direction: .outgoing, isByExtension: false),
    ]

    @Test("S0-37 S0-40 each donation rule finds its violation, and nothing in a near miss", arguments: rows)
    func finds(_ row: Row) throws {
        let findings = try row.findings().filter { $0.id == row.rule }
        #expect(findings.map(\.path) == [row.path].compactMap(\.self))
        #expect(findings.allSatisfy { $0.source == Lint.rule(row.rule)?.source })
    }

    @Test("S0-36 what an extension should donate has no findings") func likesAGoodOne() throws {
        let intent = #"{"class":"INSendMessageIntent","sender":\#(Self.person),"conversationIdentifier":"c"}"#
        #expect(try Row(rule: "", name: "", intent: intent).findings() == [])
    }

    @Test("a dropped attachment is a finding") func attachments() {
        let error = AttachmentError(.attachmentCorrupt, "its content is no public.png")
        let finding = error.finding(about: NotificationAttachment(identifier: "cat", url: "file:///cat.png"))
        #expect(finding.id == "attachment.dropped" && finding.path == "attachments")
        #expect(finding.message.hasSuffix("`cat`: UNErrorDomain 105, its content is no public.png"))
        #expect(finding.source != nil)
    }
}

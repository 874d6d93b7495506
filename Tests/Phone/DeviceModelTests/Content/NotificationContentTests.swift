import Foundation
import JSON
import TestSupport
import Testing

@testable import DeviceModel

private func decode(_ text: String) -> DecodedPayload { DecodedPayload(Array(text.utf8).span.bytes) }

private func discardReason(_ text: String) -> DiscardReason? { PayloadScan(Array(text.utf8).span.bytes).discardReason }

@Suite struct NotificationContentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var aps: String
        var findings: [String]
        var edit: @Sendable (inout NotificationContent) -> Void
        var testDescription: String { aps }

        init(
            _ aps: String, _ findings: [String] = [],
            _ edit: @escaping @Sendable (inout NotificationContent) -> Void = { _ in }
        ) { (self.aps, self.findings, self.edit) = (aps, findings, edit) }
    }

    /// Each row's `aps` gives empty content with the edit applied, and findings by id and path.
    static let rows = [
        Row(#"{}"#),
        Row(#"{"alert":"Hi"}"#) { $0.body = "Hi" },
        Row(#"{"alert":{"title":"T","subtitle":"S","body":"B","launch-image":"L"}}"#) {
            ($0.title, $0.subtitle, $0.body, $0.launchImageName) = ("T", "S", "B", "L")
        },
        Row(
            #"{"alert":{"title-loc-args":["a","b"],"title-loc-key":"T","subtitle-loc-key":"S","loc-key":"B","loc-args":[]}}"#
        ) {
            $0.titleLocalization = LocalizedText(key: "T", arguments: ["a", "b"])
            $0.subtitleLocalization = LocalizedText(key: "S")
            $0.bodyLocalization = LocalizedText(key: "B")
        },
        Row(
            #"{"alert":{"loc-key":"B","loc-args":[1.50,null,"x"]}}"#,
            ["payload.type aps.alert.loc-args[0]", "payload.type aps.alert.loc-args[1]"]
        ) {
            $0.bodyLocalization = LocalizedText(key: "B", arguments: ["1.50", "x"])
        },
        Row(
            #"{"alert":{"title":{"loc-key":"T","loc-args":["1"]},"sound":"s.caf"}}"#,
            ["alert.liveActivityForm aps.alert.title", "payload.key.misplaced aps.alert.sound"]
        ) { $0.titleLocalization = LocalizedText(key: "T", arguments: ["1"]) },
        Row(#"{"alert":{"body":"B","sound":{"critical":1}}}"#, ["payload.key.misplaced aps.alert.sound"]) {
            $0.body = "B"
        },
        Row(#"{"sound":"s.caf","alert":{"body":"B","sound":"t.caf"}}"#, ["payload.key.misplaced aps.alert.sound"]) {
            $0.body = "B"
            $0.sound = .named("s.caf")
        },
        Row(
            #"{"alert":{"title":7,"body":"B","x":{"y":[1,{}]},"action":"A"}}"#,
            ["payload.type aps.alert.title", "alert.unknownKey aps.alert.x", "alert.ignoredKey aps.alert.action"]
        ) { $0.body = "B" },
        Row(#"{"alert":[1],"badge":2}"#, ["payload.type aps.alert"]) { $0.badge = 2 },
        Row(#"{"alert":{"title":"T","launch-image":"L"},"alert":"B"}"#) { $0.body = "B" },
        Row(#"{"\u0061lert":{"b\u006Fdy":"B"},"caf\u00e9":1}"#, ["aps.unknownKey aps.café"]) { $0.body = "B" },
        Row(#"{"alert":{"name":"N","title-loc-key":""}}"#, ["alert.unknownKey aps.alert.name"]),
        Row(#"{"alert":null}"#, ["payload.type aps.alert"]),
        Row(#"{"alert":"\u3042\ud83d\ude00\n\"\\\/é"}"#) { $0.body = "あ😀\n\"\\/é" },
        Row(#"{"badge":0}"#) { $0.badge = 0 },
        Row(#"{"badge":3.0}"#) { $0.badge = 3 },
        Row(#"{"badge":-1}"#, ["badge.type aps.badge"]),
        Row(#"{"badge":1.5}"#, ["badge.type aps.badge"]),
        Row(#"{"badge":1e99}"#, ["badge.type aps.badge"]),
        Row(#"{"badge":"3","category":"C"}"#, ["badge.type aps.badge"]) { $0.categoryIdentifier = "C" },
        Row(#"{"badge":true}"#, ["badge.type aps.badge"]),
        Row(#"{"sound":"default"}"#) { $0.sound = .default },
        Row(#"{"sound":"bell.aiff"}"#) { $0.sound = .named("bell.aiff") },
        Row(#"{"sound":""}"#),
        Row(#"{"sound":1}"#, ["payload.type aps.sound"]),
        Row(#"{"sound":{"name":""}}"#),
        Row(
            #"{"sound":{"name":7,"colour":"red"}}"#,
            ["payload.type aps.sound.name", "sound.unknownKey aps.sound.colour"]
        ) {
            $0.sound = .default
        },
        Row(#"{"sound":{"critical":1,"name":""}}"#) { $0.sound = .critical(name: "default", volume: 1) },
        Row(#"{"sound":{"critical":1,"name":"a.caf","volume":0.5}}"#) {
            $0.sound = .critical(name: "a.caf", volume: 0.5)
        },
        Row(#"{"sound":{"critical":1}}"#) { $0.sound = .critical(name: "default", volume: 1) },
        Row(#"{"sound":{"critical":0,"name":"a.caf"}}"#) { $0.sound = .named("a.caf") },
        Row(#"{"sound":{"critical":1,"volume":11}}"#, ["volume.range aps.sound.volume"]) {
            $0.sound = .critical(name: "default", volume: 1)
        },
        Row(#"{"thread-id":"T","category":"C"}"#) { ($0.threadIdentifier, $0.categoryIdentifier) = ("T", "C") },
        Row(#"{"interruption-level":"passive"}"#) { $0.interruptionLevel = .passive },
        Row(#"{"interruption-level":"time-sensitive"}"#) { $0.interruptionLevel = .timeSensitive },
        Row(#"{"interruption-level":"active"}"#) { $0.interruptionLevel = .active },
        Row(#"{"interruption-level":7}"#, ["payload.type aps.interruption-level"]),
        Row(
            #"{"interruption-level":"passive","interruption-level":"loud"}"#,
            ["payload.interruption-level.unknown aps.interruption-level"]),
        Row(#"{"interruption-level":"timeSensitive"}"#, ["payload.interruption-level.unknown aps.interruption-level"]),
        Row(#"{"interruption-level":"critical","sound":"default"}"#, ["sound.critical.noDict aps.sound"]) {
            ($0.interruptionLevel, $0.sound) = (.critical, .default)
        },
        Row(#"{"relevance-score":0.75}"#) { $0.relevanceScore = 0.75 },
        Row(#"{"relevance-score":100}"#, ["relevance.range aps.relevance-score"]) { $0.relevanceScore = 1 },
        Row(#"{"relevance-score":-1}"#, ["relevance.range aps.relevance-score"]),
        Row(#"{"relevance-score":"1"}"#, ["payload.type aps.relevance-score"]),
        Row(#"{"filter-criteria":"work","target-content-id":"w1"}"#) {
            ($0.filterCriteria, $0.targetContentIdentifier) = ("work", "w1")
        },
        Row(#"{"mutable-content":1,"content-available":1}"#) { ($0.isMutable, $0.isContentAvailable) = (true, true) },
        Row(#"{"mutable-content":true,"content-available":0}"#, ["payload.type aps.mutable-content"]),
        Row(#"{"content-available":true}"#, ["payload.type aps.content-available"]) { $0.isContentAvailable = true },
        Row(
            #"{"mutable-content":2,"content-available":"1"}"#,
            [
                "payload.type aps.mutable-content", "payload.type aps.content-available",
            ]),
        Row(
            #"{"summary-arg":"x","color":"red","event":"start","content-state":{"a":[1,2]}}"#,
            [
                "summary-arg.ignored aps.summary-arg", "aps.unknownKey aps.color",
            ]),
    ]

    @Test("S0-20 C.6 each key of aps becomes its part of the content", arguments: rows) func decodes(_ row: Row) {
        let expected = NotificationContent.with(row.edit)
        let text = "{\"custom\":[{\"aps\":1}],\"aps\": \(row.aps) ,\"more\":\"}\"}"
        let payload = decode(text)
        #expect(payload.content == expected)
        #expect(payload.findings.map { "\($0.id) \($0.path)" } == row.findings)
        #expect(discardReason(text) == nil)
    }

    @Test(arguments: [
        ("{", "payload.json", DiscardReason.invalidJSON), ("[]", "payload.type", .payloadNotAnObject),
        (#"{"aps":1}"#, "payload.aps.type", .apsNotAnObject),
    ]) func discards(_ text: String, _ finding: String, _ reason: DiscardReason) {
        let payload = decode(text)
        #expect(discardReason(text) == reason)
        #expect(payload.findings.map(\.id) == [finding])
        #expect(payload.findings.first?.severity == .error)
        #expect(payload.content == NotificationContent())
    }

    @Test(
        "S0-15 S0-20 the level is active unless set",
        arguments: [
            (#"{}"#, InterruptionLevel.active, false), (#"{"interruption-level":"active"}"#, .active, true),
            (#"{"interruption-level":"loud"}"#, .active, false),
            (#"{"interruption-level":"critical"}"#, .critical, true),
        ])
    func knowsWhetherALevelWasSet(_ aps: String, _ level: InterruptionLevel, _ isStated: Bool) {
        let content = decode("{\"aps\":\(aps)}").content
        #expect(content.interruptionLevel == level)
        #expect((content.statedLevel != nil) == isStated)
        #expect(content.traits.level == (isStated ? level : nil))
    }

    @Test func suggestsTheNearestLevel() {
        let message = decode(#"{"aps":{"interruption-level":"time-senstive"}}"#).findings.first?.message
        #expect(message == "unknown level \"time-senstive\", treated as active; did you mean \"time-sensitive\"?")
    }

    @Test(arguments: [
        (#"{}"#, false), (#"{"alert":""}"#, false), (#"{"alert":{"title":""}}"#, false), (#"{"badge":1}"#, false),
        (#"{"alert":"x"}"#, true), (#"{"alert":{"subtitle":"x"}}"#, true), (#"{"alert":{"loc-key":"x"}}"#, true),
        (#"{"alert":{"loc-key":""}}"#, false),
    ]) func hasAnAlertWhenThereIsText(_ aps: String, _ hasAlert: Bool) {
        #expect(decode("{\"aps\":\(aps)}").content.hasAlert == hasAlert)
    }

    @Test(arguments: rows) func survivesCoding(_ row: Row) throws {
        var content = NotificationContent()
        row.edit(&content)
        content.attachments = [NotificationAttachment(identifier: "a", url: "file:///a.png", type: "public.png")]
        #expect(try JSONDecoder().decode(NotificationContent.self, from: JSONEncoder().encode(content)) == content)
    }

    @Test func writesStatesInWords() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let states =
            [DeliveryState.accepted, .delivered] + HoldReason.allCases.map(DeliveryState.stored)
            + DiscardReason.allCases.map(DeliveryState.discarded)
        let text = try states.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        let held = ["offline", "power", "asleep", "backgroundBudget"]
        let discarded = [
            "invalidJson", "payloadNotAnObject", "apsNotAnObject", "disabled", "expired", "notStored",
            "superseded", "appTerminated", "budgetExceeded", "suppressed", "extensionDied",
            "uninstalled", "unregistered", "malformed", "eventUnknown", "eventNotForToken", "p2sTokenStale",
            "wrongActivityType",
            "unsupported", "denied", "timestampMissing", "timestampFuture", "timestampOlder", "timestampPast",
            "startWithoutAlert", "unknownAttributesType", "attributesDecodeFailed", "inputBoth", "channelUnknown",
            "limitApp", "limitDevice", "p2sBudget", "activityEnded", "tooLarge", "throttled", "contentDecodeFailed",
            "backgroundModeMissing", "notBackground", "notRegistered", "voipWithheld", "channelNotJoined",
            "extensionMissing",
            "entitlementMissing", "locationNotAuthorized", "notEnrolled", "wrongPushMagic", "noWidget",
            "noControl", "noComplication",
        ]
        #expect(
            text
                == [#"{"state":"accepted"}"#, #"{"state":"delivered"}"#]
                + held.map { #"{"reason":"\#($0)","state":"stored"}"# }
                + discarded.map { #"{"reason":"\#($0)","state":"discarded"}"# })
        let back = try text.map { try JSONDecoder().decode(DeliveryState.self, from: Data($0.utf8)) }
        #expect(back == states)
    }

    @Test(arguments: [
        (DeliveryState.accepted, "Accepted"), (.delivered, "Delivered"),
        (.stored(.offline), "Stored – Device Offline"), (.stored(.power), "Stored for device power considerations"),
        (.discarded(.disabled), "Discarded – Disabled"), (.discarded(.expired), "Discarded – Expired"),
        (.discarded(.budgetExceeded), "Discarded – budget exceeded"),
    ]) func wordsStatesAsTheDeliveryLogDoes(_ state: DeliveryState, _ text: String) {
        #expect(state.deliveryLogText == text)
    }

    @Test(arguments: [
        #"{"state":"stored"}"#, #"{"state":"stored","reason":"expired"}"#, #"{"state":"discarded","reason":"offline"}"#,
        #"{"state":"lost"}"#,
    ]) func rejectsUnknownStates(_ text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(DeliveryState.self, from: Data(text.utf8)) }
    }

    @Test func readsUserInfoAsFoundationDoes() throws {
        var generator = DocumentGenerator(seed: 3)
        for _ in 0..<2_000 {
            let bytes = generator.document()
            let expected = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
            #expect(JSONValue(bytes.span.bytes) == expected, "\(String(decoding: bytes, as: UTF8.self))")
        }
        #expect(JSONValue(Array("{".utf8).span.bytes) == nil)
    }

    @Test(
        "findings are bounded, and the others counted", arguments: ["k%03d", "contentAvailabl%03d", longName + "%03d"])
    func findingsAreLimited(_ key: String) {
        let members = (0..<400).map { #","\#(String(format: key, $0))":1"# }.joined()
        let start = ContinuousClock.now
        let findings = decode(#"{"aps":{"alert":"x"\#(members)}}"#).findings
        #expect(ContinuousClock.now - start < .seconds(3))
        #expect(findings.count == 51)
        #expect(findings[50].id == "findings.more" && findings[50].message.hasPrefix("350 more findings"))
    }

    /// Of 60 bytes.
    static let longName = String(repeating: "thread-id-", count: 6)
}

import APNs
import Testing

/// Topics, push types and their suffixes.
@Suite struct TopicRulesTests {
    static let suffixes: [(PushType, String, String, TokenKind)] = [
        (.alert, "alert", "", .app), (.background, "background", "", .app),
        (.complication, "complication", ".complication", .complication),
        (.controls, "controls", ".push-type.controls", .controls),
        (.fileprovider, "fileprovider", ".pushkit.fileprovider", .fileprovider),
        (.liveactivity, "liveactivity", ".push-type.liveactivity", .pushtostart),
        (.location, "location", ".location-query", .location), (.mdm, "mdm", "", .mdm),
        (.pushtotalk, "pushtotalk", ".voip-ptt", .pushtotalk), (.voip, "voip", ".voip", .voip),
        (.widgets, "widgets", ".push-type.widgets", .widgets),
    ]

    private func judge(
        _ value: String?, _ topic: String, mismatch: TopicRules.MismatchReason = .invalidPushType
    ) -> Result<PushType?, APNsRejection> {
        let request = RequestFixture.with("apns-push-type", value)
        let bytes = topic.bytes
        return outcome { () throws(APNsRejection) in
            try TopicRules.pushType(request, topic: bytes.span.bytes, mismatch: mismatch)
        }
    }

    @Test func theTableHasEveryPushType() {
        #expect(Self.suffixes.map(\.0) == PushType.allCases)
    }

    @Test(arguments: suffixes) func aPushTypeFitsItsTopic(
        _ type: PushType, _ name: String, _ suffix: String, _ kind: TokenKind
    ) throws {
        #expect(type.topicSuffix == suffix)
        #expect(type.tokenKind == kind)
        #expect(try judge(name, "com.example.app" + suffix).get() == type)
        #expect(TopicRules.bundleID(of: "com.example.app" + suffix) == "com.example.app")
        #expect(TokenKind(topic: "com.example.app" + suffix) == (suffix.isEmpty ? .app : kind))
    }

    @Test(arguments: suffixes.filter { !$0.2.isEmpty }) func aSuffixBelongsToItsPushTypeOnly(
        _ type: PushType, _ name: String, _ suffix: String, _: TokenKind
    ) {
        let missing = judge(name, "com.example.app").rejection
        #expect(missing?.diagnosis.code == "apns-topic.missing-suffix")
        #expect(missing?.diagnosis.message.contains("'com.example.app\(suffix)'") == true)
        for other in PushType.allCases where other != type && other.topicSuffix.isEmpty {
            #expect(judge(other.name, "com.example.app" + suffix).verdict == "InvalidPushType apns-push-type.topic")
        }
    }

    @Test(arguments: ["", "Alert", "ALERT", "alerts", "alert ", "silent"]) func rejectsUnknownPushTypes(_ name: String)
    {
        #expect(judge(name, "com.example.app").verdict == "InvalidPushType apns-push-type.unknown")
    }

    @Test func anAbsentPushTypeIsAccepted() throws {
        #expect(try judge(nil, "com.example.app").get() == nil)
        #expect(try judge(nil, "com.example.app.voip").get() == nil)
    }

    @Test func theReasonForAMismatchIsConfigurable() {
        let result = judge("alert", "com.example.app.voip", mismatch: .deviceTokenNotForTopic)
        #expect(result.verdict == "DeviceTokenNotForTopic apns-push-type.topic")
    }

    @Test(arguments: [
        ("a", true), ("com.example.app", true), ("com.Example.App-2_x", true),
        (String(repeating: "a", count: 255), true),
        (String(repeating: "a", count: 256), false), ("", false), ("com.example.app ", false), ("com/example", false),
        ("com.exämple", false), ("*", false),
    ]) func aTopicHasAForm(_ topic: String, _ isValid: Bool) {
        let bytes = topic.bytes
        let result = outcome { () throws(APNsRejection) in try TopicRules.checkForm(bytes.span.bytes) }
        #expect(result.verdict == (isValid ? "passes" : "BadTopic apns-topic.form"))
    }
}

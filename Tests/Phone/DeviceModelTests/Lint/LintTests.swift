import APNs
import Foundation
import Testing

@testable import DeviceModel
@testable import Lint

@Suite struct LintTests {
    static let rows =
        LintRow.decoding + LintRow.payloads + LintRow.titles + LintRow.texts + LintRow.contents + LintRow.levels
        + LintRow.marketing + LintRow.badges + LintRow.communication + LintRow.activities + LintRow.services
        + LintRow.keys

    @Test("X1 each rule finds its violation, and nothing in a near miss", arguments: rows) func finds(_ row: LintRow) {
        let findings = Lint.findings(for: row.subject).filter { $0.id == row.rule }
        #expect(findings.map(\.path) == row.paths)
        if let severity = row.severity { #expect(findings.map(\.severity) == [severity]) }
        for finding in findings {
            #expect(finding.source == Lint.rule(row.rule)?.source)
            #expect(finding.fix?.isEmpty == false)
        }
    }

    @Test("X1 every rule has a row that violates it and a row that passes") func isComplete() {
        let rows = Self.rows.map { (id: $0.rule, isFound: !$0.paths.isEmpty) }
        let categories = CategoryLintTests.rows.map { (id: $0.rule, isFound: $0.isFound) }
        let donations = DonationLintTests.rows.map { (id: $0.rule, isFound: $0.path != nil) }
        let answers = ExtensionAnswerTests.odd.map { (id: $0.rule, isFound: $0.isFound) }
        let all = rows + categories + donations + answers + Self.elsewhere
        let found = all.filter(\.isFound).map(\.id)
        let passed = all.filter { !$0.isFound }.map(\.id)
        #expect(Set(found) == Set(Lint.ruleIDs))
        #expect(Set(passed) == Set(Lint.ruleIDs))
        #expect(Set(Lint.ruleIDs).count == Lint.ruleIDs.count)
    }

    /// Rules whose rows are tests of their own: `ExtensionAnswerTests.strictDonation`, `AttachmentRulesTests`,
    /// `ExtensionRecordTests`, AdminAPITests' `FindingTests` for headers, and SiriModelTests for reservations; those two check
    /// that every such rule has a row.
    static let elsewhere =
        (["comm.notDonated", "attachment.dropped", "nse.handler.dropsAlert"] + LintRule.headers.map(\.id)
        + reservations).flatMap { [(id: $0, isFound: true), ($0, false)] }

    private static let reservations = Lint.ruleIDs.filter { id in
        ["reservation.", "markup.", "calendar."].contains { id.hasPrefix($0) }
    }

    /// In the catalogue's order.
    static let severities: [(String, Finding.Severity)] = [
        ("title.missing.comm", .info), ("title.generic", .warning), ("title.long", .warning),
        ("title.endPunctuation", .info), ("text.appName", .warning), ("text.truncated", .warning),
        ("body.noPunctuation", .info), ("body.notSentence", .info), ("body.instructs", .warning),
        ("content.sensitive", .error), ("content.duplicate", .warning), ("level.marketing.ts", .error),
        ("marketing.noOptIn", .error), ("marketing.noSettings", .info), ("level.ts.notSoon", .warning),
        ("level.ts.noEntitlement", .error),
        ("level.critical.noEntitlement", .error), ("level.overuse", .warning), ("level.comm.needed", .info),
        ("payload.json", .error), ("payload.mutableMissing", .warning), ("payload.url.scheme", .warning),
        ("payload.interruption-level.unknown", .warning), ("relevance.range", .warning), ("badge.type", .error),
        ("sound.critical.noDict", .warning), ("category.unknown", .warning), ("actions.tooMany", .warning),
        ("action.title.long", .warning), ("action.title.case", .warning), ("action.opensAppOnly", .warning),
        ("action.destructive", .warning), ("action.noIcon", .warning), ("action.duplicateId", .warning),
        ("preview.noPlaceholder", .info), ("badge.misuse", .warning), ("sound.only", .warning),
        ("comm.direction", .error), ("comm.person.incomplete", .warning), ("comm.recipients.includesMe", .info),
        ("comm.group.noRecipients", .info), ("comm.conversationId.missing", .warning),
        ("comm.threadId.missing", .warning), ("comm.capability", .error), ("comm.activityTypes", .error),
        ("donation.duplicateForAction", .warning), ("wd.aps", .warning), ("voip.cancelPush", .warning),
        ("bg.rate", .warning), ("push.undeclared", .info),
    ]

    @Test("X1 severities are the catalogue's", arguments: severities)
    func hasSeverity(_ id: String, _ severity: Finding.Severity) { #expect(Lint.rule(id)?.severity == severity) }

    @Test(arguments: Lint.ruleIDs) func explainsItself(_ id: String) throws {
        let rule = try #require(Lint.rule(id))
        #expect(!rule.sentence.isEmpty && !rule.source.isEmpty && !rule.fix.isEmpty)
        #expect(!rule.sentence.hasSuffix("."))
    }

    @Test func aGoodPushHasNoFindings() {
        let payload = LintRow.alert(aps: #""badge":1,"sound":"default","category":"SHIP""#, custom: #""order":"17""#)
        let row = LintRow.passed("", "", payload) { $0.history = LintHistory() }
        #expect(Lint.findings(for: row.subject) == [])
        #expect(Lint.findings(forCategoriesOf: LintRow.app) == [])
    }

    @Test func unknownFactsCauseNoFindings() {
        for row in Self.rows {
            var subject = row.subject
            (subject.app, subject.history, subject.now, subject.notes) = (nil, nil, nil, nil)
            let needy = Lint.findings(for: subject).filter { Lint.rule($0.id)?.needs.isEmpty == false }
            #expect(needy == [], "\(row.testDescription)")
        }
    }

    @Test(arguments: [
        (#"{"aps":{"content_available":1}}"#, "ignored: did you mean `content-available`?"),
        (#"{"aps":{"alert":"B"},"badge":1}"#, "`badge` is a key of `aps`; it has no effect here"),
        (#"{"aps":{"title":"T"}}"#, "`title` is a key of the `alert` dictionary; it has no effect here"),
        (#"{"aps":{"apnsPriority":5}}"#, "`apns-priority` is a request header; in the payload it has no effect"),
    ]) func saysWhatAKeyMeans(_ payload: String, _ message: String) {
        let findings = Lint.findings(for: LintRow.passed("", "", payload).subject)
        #expect(findings.contains { $0.message == message })
        #expect(!findings.contains { $0.message.contains("custom keys") })
    }

    @Test(arguments: [
        (#"{"aps":{"alert":"B","thread-id":5}}"#, #""thread-id": "chat-1""#),
        (#"{"aps":{"relevance-score":"1"}}"#, #""relevance-score": 0.75"#),
        (#"{"aps":{"sound":{"volume":"1"}}}"#, #""volume": 0.5"#),
        (#"{"aps":{"alert":{"title":1}}}"#, #""title": "Order"#),
        (#"{"aps":{"alert":{"loc-key":"K","loc-args":[{}]}}}"#, #""loc-args": ["17"]"#),
        (#"{"aps":{"alert":7}}"#, #""alert": {"title""#), ("[]", #"{"aps": {"alert"#),
        (#"{"aps":{"content_available":1}}"#, #""content-available": 1"#),
        (#"{"aps":{"title":"T"}}"#, #"{"aps": {"alert": {"title": ""#),
        (#"{"aps":{"alert":"B"},"apnsPriority":5}"#, "apns-priority: 5"),
    ]) func aFixIsOfTheKeyItself(_ payload: String, _ fix: String) {
        let found = Lint.findings(for: LintRow.passed("", "", payload).subject)
        #expect(found.contains { $0.fix?.hasPrefix(fix) == true }, "\(found)")
        #expect(!found.contains { $0.id == "payload.type" && $0.fix?.contains("mutable-content") == true })
    }

    @Test(arguments: KeyPlace.allCases) func everyKeyHasAnExample(_ place: KeyPlace) {
        let withoutEffect = ["summary-arg", "summary-arg-count", "action", "action-loc-key"]
        #expect(place.keys.filter { KeyPlace.example(of: $0) == nil && !withoutEffect.contains($0) } == [])
        #expect(place.otherWords.keys.allSatisfy { $0 == $0.plainKey && place.plainKeys[$0] == nil })
        #expect(place.otherWords.values.allSatisfy { $0.place.keys.contains($0.key) })
    }

    @Test(arguments: [
        (#"{"data":{"aps":{}}}"#, "so nothing can be shown: move `data.aps` there"),
        (#"{"Aps":{}}"#, "so nothing can be shown: did you mean `aps` instead of `Aps`?"),
        (#"{"order":"7"}"#, "so nothing can be shown; only MDM omits it"),
        (#"{"message":{"notification":{"title":"a"}}}"#, "a message for Firebase Cloud Messaging, while APNs needs"),
        (#"{"to":"x","notification":{"title":"a"}}"#, "a message for Firebase Cloud Messaging"),
        (#"{"app_id":"x","contents":{"en":"Hi"}}"#, "a message for OneSignal"),
        (#"{"to":["ExponentPushToken[x]"],"title":"a"}"#, "a message for Expo"),
        (#"{"aps":{"message":"B"}}"#, "did you mean `body`? It is a key of the `alert` dictionary"),
        (#"{"aps":{"badge":null}}"#, "null has no meaning and is ignored: leave out what is not set"),
    ]) func saysWhereAKeyBelongs(_ payload: String, _ message: String) {
        let found = Lint.findings(for: LintRow.passed("", "", payload).subject)
        #expect(found.contains { $0.message.contains(message) }, "\(found)")
        #expect(!found.contains { $0.message.contains("custom keys") })
    }

    @Test(arguments: [
        ("%1$s", "%1$s"), ("100%% %lld", "%lld"), ("%ld", "%ld"), ("%.2f", "%.2f"), ("%02d", "%02d"), ("%d", "%d"),
        ("%-5s", "%-5s"),
    ]) func namesTheWholeConversion(_ text: String, _ conversion: String) {
        let payload = #"{"aps":{"alert":{"title-loc-key":"C","title-loc-args":["x"]}}}"#
        let row = LintRow.passed("", "", payload) { $0.app?.localizations = ["en": ["C": text]] }
        let found = Lint.findings(for: row.subject).first { $0.id == "alert.locFormat" }
        #expect(found?.message.contains("has \(conversion):") == true)
    }

    /// People copy them.
    @Test(arguments: [
        (#"{"aps":{"event":"end","dismissal-date":"x"}}"#, "la.number.text", #""dismissal-date": 1800000900"#),
        (#"{"aps":{"event":"end","dismissal-date":1800000000000}}"#, "la.date.ms", #""dismissal-date": 1800000900"#),
        (#"{"aps":{"event":"start","input-push-token":"x"}}"#, "la.number.text", #""input-push-token": 1"#),
        (#"{"aps":{"summaryArg":"x"}}"#, "payload.key.misspelt", "omit the key"),
        (#"{"aps":{},"summary-arg":"x"}"#, "payload.key.misplaced", "omit the key"),
        (#"{"aps":{"alert":{"actionLocKey":"K"}}}"#, "payload.key.misspelt", "omit the key"),
        (
            #"{"aps":{"interruption-level":"Critical"}}"#, "payload.interruption-level.unknown",
            #""interruption-level": "critical""#
        ),
        (
            #"{"aps":{"interruption-level":7}}"#, "payload.type", #""interruption-level": "time-sensitive""#
        ),
    ]) func theExampleIsOfTheKeyAtThePath(_ payload: String, _ id: String, _ fix: String) {
        let found = Lint.findings(for: LintRow.passed("", "", payload) { $0.pushType = nil }.subject)
        #expect(found.filter { $0.id == id }.map(\.fix) == [fix], "\(found)")
    }

    @Test func aNullIsOneFinding() {
        let found = Lint.findings(
            for: LintRow.passed("", "", #"{"aps":{"sound":{"volume":null},"badge":null}}"#).subject)
        #expect(found.filter { ["payload.type", "volume.ordinary"].contains($0.id) }.count == 1, "\(found)")
    }

    @Test(arguments: [
        (PushType.voip, "content.sensitive", false), (.widgets, "content.sensitive", false),
        (.pushtotalk, "text.truncated", false), (.liveactivity, "content.sensitive", true),
        (.alert, "content.sensitive", true), (.alert, "text.truncated", true),
    ]) func onlyShownTextsAreJudged(_ type: PushType, _ id: String, _ isFound: Bool) {
        let body = "Your password is hunter2. " + String(repeating: "More. ", count: 40)
        let row = LintRow.passed("", "", LintRow.body(body)) { $0.pushType = type }
        #expect(Lint.findings(for: row.subject).contains { $0.id == id } == isFound)
    }

    @Test func theExtensionNeedsCustomKeysOnly() {
        let row = LintRow.passed("", "", LintRow.alert(custom: #""mutable_content":1,"apns-priority":5,"order":1"#)) {
            $0.app?.hasServiceExtension = true
        }
        let found = Lint.findings(for: row.subject).first { $0.id == "payload.mutableMissing" }
        #expect(found?.message.hasSuffix("does not run: it cannot read order") == true, "\(found as Any)")
    }

    @Test(arguments: [
        (#""sound":"default""#, Finding.Severity.info, "the assumption criticalSoundNeedsDictionary"),
        (#""badge":1"#, .warning, "makes no sound"),
    ]) func aCriticalAlertsSound(_ member: String, _ severity: Finding.Severity, _ words: String) {
        let payload = LintRow.alert(aps: #""interruption-level":"critical",\#(member)"#)
        let found = Lint.findings(for: LintRow.passed("", "", payload).subject).first {
            $0.id == "sound.critical.noDict"
        }
        #expect(found?.severity == severity && found?.message.contains(words) == true)
    }

    @Test(arguments: [("1800000000000", "milliseconds"), ("1800000000000000", "microseconds")])
    func namesTheUnitOfATime(_ time: String, _ unit: String) {
        let payload = #"{"aps":{"event":"update","timestamp":\#(time),"stale-date":\#(time),"content-state":{}}}"#
        let row = LintRow.passed("", "", payload) { $0.pushType = .liveactivity }
        let found = Lint.findings(for: row.subject).filter { ["la.timestamp.ms", "la.date.ms"].contains($0.id) }
        #expect(found.count == 2 && found.allSatisfy { $0.message.hasSuffix("it looks like \(unit)") }, "\(found)")
    }

    @Test(arguments: [("start", "the device drops the start"), ("update", "the old content stays")])
    func saysWhatUndecodableContentDoes(_ event: String, _ effect: String) {
        let members = #""attributes-type":"Delivery","attributes":{},"content-state":{"Step":1}"#
        let payload = #"{"aps":{"event":"\#(event)","timestamp":1800000000,\#(members)}}"#
        let row = LintRow.passed("", "", payload) { ($0.pushType, $0.app) = (.liveactivity, LintRow.liveApp) }
        let found = Lint.findings(for: row.subject).first { $0.id == "la.state.decode" }
        #expect(found?.message.hasSuffix("; \(effect)") == true)
    }

    @Test func nullMembersAreOneFinding() {
        let payload = #"{"aps":{"alert":{"title":null,"body":"B"},"badge":null,"sound":null,"category":null}}"#
        let findings = Lint.findings(for: LintRow.passed("", "", payload).subject).filter { $0.severity == .error }
        #expect(findings.map(\.id) == ["payload.type"])
        #expect(findings.first?.message.contains("and 1 more): leave out what is not set") == true)
        #expect(findings.first?.fix?.contains("mutable-content") == false)
    }

    @Test func silencedRulesReportNothing() {
        for row in Self.rows where !row.paths.isEmpty {
            let all = Lint.findings(for: row.subject)
            #expect(Lint.findings(for: row.subject, silencing: [row.rule]) == all.filter { $0.id != row.rule })
            #expect(Lint.findings(for: row.subject, silencing: Set(Lint.ruleIDs)) == [])
        }
    }

    @Test(
        arguments: [
            ("title.genric", "title.generic"), ("payload.JSON", "payload.json"),
            ("level.tsnotSoon", "level.ts.notSoon"),
            ("nothing like it", nil),
        ] as [(String, String?)])
    func suggestsTheNearestName(_ text: String, _ id: String?) { #expect(Lint.nearestRuleID(to: text) == id) }

    @Test func pushesWithoutAnAlertHaveNoFindingsAboutTexts() {
        let row = LintRow.passed("", "", LintRow.alert("Update", "GO TO THE APP")) { subject in
            subject.pushType = .pushtotalk
            subject.app?.ptt = true
        }
        #expect(Lint.findings(for: row.subject) == [])
    }

    @Test func survivesRandomInput() {
        var generator = DocumentGenerator(seed: 5)
        for _ in 0..<2_000 {
            var bytes = generator.document()
            _ = Lint.findings(for: LintSubject(payload: bytes.span.bytes, app: LintRow.app))
            bytes = generator.noise()
            _ = Lint.findings(for: LintSubject(payload: bytes.span.bytes, app: LintRow.app))
        }
    }

    @Test func findingsOfOlderVersionsAreRead() throws {
        let old = Data(#"{"id":"a","severity":"info","message":"m","path":""}"#.utf8)
        #expect(try JSONDecoder().decode(Finding.self, from: old) == Finding("a", .info, at: "", "m"))
        let new = Finding("a", .info, at: "", "m", source: "S3-14", fix: "f")
        #expect(try JSONDecoder().decode(Finding.self, from: JSONEncoder().encode(new)) == new)
    }

    @Test("findings about keys beside `aps`, and those of a rule, are bounded") func findingsAreLimited() {
        func spelling(_ number: Int) -> String { "a" + String(repeating: "_", count: number + 1) + "lert" }
        let beside = (0..<80).map { #","\#(spelling($0))":"x""# }.joined()
        let repeated = (0..<80).map { #","k\#($0)":1,"k\#($0)":2"# }.joined()
        let payload = #"{"aps":{"badge":1}\#(beside)\#(repeated)}"#
        let findings = Lint.findings(for: LintSubject(payload: Array(payload.utf8).span.bytes))
        for rule in ["payload.key.misplaced", "payload.duplicateKey"] {
            #expect(findings.count { $0.id == rule } == 50)
        }
        #expect(findings.count { $0.id == "findings.more" && $0.message.hasPrefix("30 more") } == 2)
    }
}

extension Lint {
    static let ruleIDs = rules.map(\.id)
}

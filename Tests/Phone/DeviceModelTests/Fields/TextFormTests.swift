import DeviceModel
import Fields
import JSON
import Testing
import Time

/// Text formats: the described patterns and the parsers agree.
@Suite struct TextFormTests {
    static let durations = [
        "5s", "250ms", "2m", "1.5s", "0.001s", "3d", "2h", "0ms", "PT1H", "PT2M5S", "P1DT12H", "P2W", "p1d",
        "pt0.25S", "PT1H5S", "P1D2H", "PT", "P", "PT1D", "P1H", "1H", "5", "s", ".5s", "5.s", "-1s", " 5s", "1.5ms",
        "",
    ]

    @Test(arguments: durations) func aDurationMatchesItsPatternWhenItIsRead(text: String) throws {
        let matches = try Regex(DurationText.pattern).wholeMatch(in: text) != nil
        #expect(matches == (Duration(written: text) != nil))
    }

    @Test(
        "a duration that is too long has its limit in the message, a wrong form does not",
        arguments: [
            ("99999999d", true), ("2600000h", true), ("P999999D", true), ("PT9999999999S", true), ("106752d", true),
            ("106751d", false), ("soon", false), ("99999999", false), ("1.0005s", false),
        ])
    func namesItsLimit(text: String, isTooLong: Bool) {
        var problems: [FieldProblem] = []
        let limit = "or PT1H, at most 106751d"
        _ = FieldFormat<Duration>.duration.read(.string(text), nil, FieldPath(), &problems)
        #expect(problems.contains { $0.message.hasSuffix(limit) } == isTooLong)
        problems = []
        _ = FieldFormat<Duration>.duration(atMost: .seconds(600), "600s").read(
            .string(text), nil, FieldPath(), &problems)
        #expect(!problems.contains { $0.message.contains("at most 106751d") })
    }

    static let instants = [
        "2026-11-21T07:00:00Z", "2026-11-21T07:00:00.123Z", "2026-11-21T16:00:00+09:00", "2026-11-21T16:00:00.5Z",
        "2026-11-21T07:00:00", "2026-11-21", "2026-13-21T07:00:00Z", "2026-11-32T07:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T07:60:00Z", "2026-11-21t07:00:00Z", "2026-11-21T07:00:00z", "2026-11-21T07:00:00+24:00", "",
    ]

    @Test(arguments: instants) func aTimeMatchesItsPatternWhenItIsRead(text: String) throws {
        let matches = try Regex(InstantText.pattern).wholeMatch(in: text) != nil
        #expect(matches == (Instant(text: text) != nil))
    }

    /// Members of a device's conditions, with valid and invalid texts.
    static let members = [
        (
            "locale",
            ["ja", "ja_JP", "zh-Hans_CN", "es_419", "yue", "JA", "ja_", "ja_JPN", "zh-hans", "a", "ja_JP_x", ""]
        ),
        ("times", ["00:00", "23:59", "09:30", "24:00", "9:30", "12:60", "12-30", ""]),
    ]

    @Test(arguments: members) func aTextMatchesItsPatternWhenItIsRead(member: String, texts: [String]) throws {
        let isTime = member == "times"
        let fields = isTime ? SummarySettings.descriptions : DeviceConditions.descriptions
        var schema = try #require(fields.first { $0.name == member }).schema
        if case .list(let element, _) = schema { schema = element }
        guard case .text(let form) = schema, let pattern = form.pattern else {
            Issue.record("\(member) has no pattern")
            return
        }
        for text in texts {
            var conditions = DeviceConditions()
            let body = isTime ? #"{"summary":{"times":["\#(text)"]}}"# : #"{"\#(member)":"\#(text)"}"#
            let isRead = (try? conditions.apply(json(body))) != nil
            #expect(try (Regex(pattern).wholeMatch(in: text) != nil) == isRead, "\(member) \(text)")
        }
    }

    @Test func requiredMembersAreKnown() {
        let required = { (fields: [FieldDescription]) in fields.filter(\.isRequired).map(\.name) }
        #expect(required(Contact.descriptions) == ["id"])
        #expect(required(NotificationAction.descriptions) == ["identifier", "title"])
        #expect(required(DeviceConditions.descriptions) == [])
        let optional = Contact.descriptions.filter(\.isOptional).map(\.name)
        #expect(optional == [])
        #expect(Person.descriptions.filter(\.isOptional).map(\.name).contains("givenName"))
    }
}

import Fields
import JSON
import Testing

@testable import DeviceModel

/// Errors name the place, the given value, and the accepted ones.
@Suite struct FieldProblemTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var input: String
        var says: [String]
        var problems: @Sendable (JSONValue) -> [FieldProblem]

        var testDescription: String { String(input.prefix(70)) }

        init<Value: FieldDescribed>(_ value: Value, _ input: String, says: String...) {
            (self.input, self.says) = (input, says)
            problems = { json in
                var value = value
                do throws(FieldError) {
                    try value.apply(json)
                    return []
                } catch {
                    return error.problems
                }
            }
        }
    }

    private static let device = DeviceConditions()
    private static let app = App(bundleID: "a.b")
    private static func actions(_ count: Int) -> String {
        let actions = (0..<count).map { #"{"identifier":"a\#($0)","title":"A"}"# }.joined(separator: ",")
        return #"{"categories":[{"identifier":"c","actions":[\#(actions)]}]}"#
    }
    private static func times(_ count: Int) -> String {
        let times = (0..<count).map { #""\#($0 < 10 ? "0" : "")\#($0):30""# }.joined(separator: ",")
        return #"{"summary":{"times":[\#(times)]}}"#
    }

    static let kinds: [Row] = [
        Row(
            device, "[]",
            says: "is a list; accepted: an object with \(DeviceConditions.fieldNames.joined(separator: ", "))"),
        Row(device, #"{"isLocked":"yes"}"#, says: #"isLocked is "yes"; accepted: true or false"#),
        Row(device, #"{"ringSwitch":true}"#, says: "ringSwitch is true; accepted: ring or silent"),
        Row(
            device, #"{"ringSwitch":"sillent"}"#,
            says: #"ringSwitch is "sillent"; accepted: ring or silent; did you mean silent?"#),
        Row(device, #"{"ringswitch":"ring"}"#, says: "ringswitch is unknown; did you mean ringSwitch?"),
        Row(device, #"{"haptics":{"volume":1}}"#, says: "haptics.volume is unknown; known are ring, silent"),
        Row(device, #"{"haptics":[]}"#, says: "haptics is a list; accepted: an object with ring, silent"),
        Row(
            device, #"{"focus":{"modes":[{"id":"a"},{"id":"b","schedule":[{"from":"24:00"}]}]}}"#,
            says: #"focus.modes[1].schedule[0].from is "24:00"; accepted: a time of day from 00:00 to 23:59"#),
        Row(device, #"{"foregroundApp":1.5}"#, says: "foregroundApp is 1.5; accepted: a text that is not empty"),
        Row(
            device, #"{"isLocked":0,"audioRoute":[],"isScreen":1,"announce":{"on":1}}"#,
            says: "isLocked is 0; accepted: true or false",
            "audioRoute is a list; accepted: none, airpodsPro, airpodsMax, homepod or otherHeadphones",
            "announce.on is unknown; known are isEnabled, onHeadphones, inCarPlay",
            "isScreen is unknown; did you mean isScreenOn?"),
        Row(app, #"{"entitlements":[1]}"#, says: "entitlements[0] is 1; accepted: a text that is not empty"),
        Row(app, #"{"entitlements":[null]}"#, says: "entitlements[0] is null; accepted: a text that is not empty"),
        Row(app, #"{"displayName":""}"#, says: #"displayName is ""; accepted: a text that is not empty"#),
        Row(app, #"{"localizations":{"ja":{"A":1}}}"#, says: "localizations.ja.A is 1; accepted: a text"),
        Row(
            app, #"{"localizations":[]}"#,
            says: "localizations is a list; accepted: an object: objects of texts by key, by language"),
        Row(
            app, #"{"presentationOptions":["list","banners"]}"#,
            says:
                #"presentationOptions[1] is "banners"; accepted: badge, sound, list, banner or alert; did you mean banner?"#
        ),
        Row(
            app, #"{"settings":{"timeSensitive":"on"}}"#,
            says: #"settings.timeSensitive is "on"; accepted: enabled, disabled or notSupported"#),
        Row(
            CommunicationContext(), #"{"recipientCount":-1}"#,
            says: "recipientCount is -1; accepted: a whole number, 0 or more"),
        Row(CommunicationContext(), #"{"recipientCount":0}"#),
    ]

    static let meanings: [Row] = [
        Row(
            device, #"{"focus":{"active":"wrok","modes":[{"id":"work"},{"id":"sleep"}]}}"#,
            says:
                #"focus.active is "wrok"; accepted: the id of a mode, or null; the modes are work, sleep; did you mean work?"#
        ),
        Row(
            device, #"{"focus":{"active":"work"}}"#,
            says: #"focus.active is "work"; accepted: the id of a mode, or null; there are no modes"#),
        Row(device, #"{"focus":{"active":"work","modes":[{"id":"work"}]}}"#),
        Row(
            device, #"{"focus":{"modes":[{"id":"a"},{"id":"b"},{"id":"a"}]}}"#,
            says: #"focus.modes[2].id is "a"; duplicate of modes[0].id"#),
        Row(
            device, #"{"focus":{"modes":[{"name":"A"}]}}"#,
            says: "focus.modes[0].id is missing; accepted: a text that is not empty"),
        Row(
            device, #"{"focus":{"modes":[{"id":"a","people":{"ids":["C1"]}}]}}"#,
            says:
                #"focus.modes[0].people.ids[0] is "C1"; accepted: contact:ID, or person:BUNDLE/ID for a person who is not a contact"#
        ),
        Row(
            device, #"{"focus":{"modes":[{"id":"a","filters":[{}]}]}}"#,
            says: "focus.modes[0].filters[0].bundleId is missing; accepted: a text that is not empty"),
        Row(
            device, #"{"contacts":[{"id":"C1"},{"id":"C1"}]}"#,
            says: #"contacts[1].id is "C1"; duplicate of contacts[0].id"#),
        Row(device, #"{"contacts":[{}]}"#, says: "contacts[0].id is missing; accepted: a text that is not empty"),
        Row(
            device, times(0),
            says:
                "summary.times has 0 values; accepted: a list of 1 to 12 values, each a time of day from 00:00 to 23:59"
        ),
        Row(device, times(1)), Row(device, times(12)),
        Row(
            device, #"{"summary":{"times":["08:00","18:00","08:00"]}}"#,
            says: #"summary.times[2] is "08:00"; duplicate of times[0]"#),
        Row(
            device, times(13),
            says:
                "summary.times has 13 values; accepted: a list of 1 to 12 values, each a time of day from 00:00 to 23:59"
        ),
        Row(
            device, #"{"timeZone":"Asia/Tokio"}"#,
            says: #"timeZone is "Asia/Tokio"; accepted: the IANA name of a time zone, such as Asia/Tokyo or UTC"#),
        Row(device, #"{"timeZone":"Asia/Tokyo"}"#), Row(device, #"{"timeZone":"UTC"}"#),
        Row(
            app, #"{"categories":[{"identifier":"c"},{"identifier":"c"}]}"#,
            says: #"categories[1].identifier is "c"; duplicate of categories[0].identifier"#),
        Row(
            app, #"{"categories":[{}]}"#,
            says: "categories[0].identifier is missing; accepted: a text that is not empty"),
        Row(
            app,
            #"{"categories":[{"identifier":"c","actions":[{"identifier":"a","title":"A"},{"identifier":"a","title":"B"}]}]}"#,
            says: #"categories[0].actions[1].identifier is "a"; duplicate of actions[0].identifier"#),
        Row(
            app, #"{"categories":[{"identifier":"c","actions":[{}]}]}"#,
            says: "categories[0].actions[0].identifier is missing; accepted: a text that is not empty",
            "categories[0].actions[0].title is missing; accepted: a text that is not empty"),
        Row(app, actions(10)),
        Row(
            app, actions(11),
            says:
                "categories[0].actions has 11 values; accepted: a list of at most 10 values, each an object with identifier, title, options, icon, textInput"
        ),
        Row(
            NotificationAction(identifier: "a", title: "A"), #"{"textInput":{}}"#,
            says: "textInput.buttonTitle is missing; accepted: a text that is not empty"),
        Row(
            NotificationAction(identifier: "a", title: "A"), #"{"icon":{}}"#,
            says: "icon names no image; accepted: systemImageName or templateImageName"),
        Row(
            NotificationAction(identifier: "a", title: "A"),
            #"{"icon":{"systemImageName":"a","templateImageName":"b"}}"#,
            says: "icon names two images; accepted: systemImageName or templateImageName"),
    ]

    @Test(arguments: kinds + meanings) func isSaid(_ row: Row) throws {
        #expect(row.problems(try json(row.input)).map(\.description) == row.says)
    }

    static let locales: [(text: String, isOne: Bool)] = [
        ("ja", true), ("ja_JP", true), ("ja-JP", true), ("zh-Hans_CN", true), ("zh_Hant", true), ("es_419", true),
        ("fil_PH", true), ("", false), ("j", false), ("JA", false), ("ja_jp", false), ("ja_JPN", false),
        ("japanese", false), ("ja_", false), ("ja_JP_x", false), ("zh_hans", false), ("es_41", false),
    ]

    @Test(arguments: locales) func aLocaleHasAForm(_ text: String, _ isOne: Bool) throws {
        var device = DeviceConditions()
        try? device.apply(.object(["locale": .string(text)]))
        #expect(device.locale == (isOne ? text : "en_US"))
    }

    @Test func anUnknownNameSuggestsTheNearest() throws {
        var device = DeviceConditions()
        let error = try #require(throws: FieldError.self) { try device.apply(json(#"{"lock":1,"isLocked":1}"#)) }
        #expect(error.problems.map(\.subject) == [.value, .unknownName])
        #expect(error.problems.map(\.path.parts) == [[.member("isLocked")], [.member("lock")]])
    }

    @Test("Only names of up to 64 bytes are compared", arguments: [(63, true), (64, false)])
    func longNamesAreNotCompared(_ count: Int, _ isFound: Bool) {
        let name = String(repeating: "a", count: count)
        #expect((NearestName.of(name + "b", among: [name]) != nil) == isFound)
        #expect((NearestName.of(name, among: [name + "b"]) != nil) == isFound)
    }

    @Test("however many members are unknown, 20 are named, and the others counted") func manyUnknownMembers() throws {
        let members = (0..<50_000).map { "\"lokc\($0)\":1" }
        var device = DeviceConditions()
        let start = ContinuousClock.now
        let error = try #require(throws: FieldError.self) {
            try device.apply(json("{\(members.joined(separator: ","))}"))
        }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(error.problems.count == 21)
        #expect(
            error.problems[0].path.parts == [.member("lokc0")] && error.problems[1].path.parts == [.member("lokc1")])
        #expect(error.problems[20].message == "has 49980 more unknown members; remove them")
    }
}

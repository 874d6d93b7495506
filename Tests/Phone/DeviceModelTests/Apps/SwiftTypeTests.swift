import Fields
import JSON
import Testing

@testable import DeviceModel

/// The type language of Live Activity declarations (live.md L7.1).
@Suite struct SwiftTypeTests {
    /// An activity type with one member.
    static func type(_ declaration: JSONValue) throws(FieldError) -> ActivityType {
        var type = ActivityType(name: "T")
        try type.apply(["contentState": ["m": declaration]])
        return type
    }

    @Test(
        "L7.1 a declaration reads back unchanged",
        arguments: [
            "String", "Int?", "[Date]", "ClosedRange<Date>", "enum(a|b)", "any", "{a: Int, b: [String]}?", "[[URL]?]",
        ])
    func keeps(_ text: String) throws {
        let type = try Self.type(.string(text))
        #expect(type.contentState.members[0].type.text == text)
        #expect(type.json["contentState"]?["m"] == .string(text))
    }

    @Test("L7.1 objects become structures, lists of one type become arrays") func readsJSON() throws {
        let type = try Self.type(["stops": .array([["name": .string("String")]])])
        #expect(type.contentState.members[0].type.text == "{stops: [{name: String}]}")
    }

    @Test(
        "L7.1 an invalid declaration is rejected, naming its place",
        arguments: [
            ("Dat", "\"Dat\" is not a type; did you mean Data?"), ("[Int", "accepted"),
            ("Int x", "\"x\" is not a type"),
            ("enum(a|)", "accepted"), ("{a Int}", "accepted"), ("", "a type is missing"),
        ])
    func refuses(_ text: String, _ words: String) {
        #expect {
            try Self.type(.string(text))
        } throws: { error in
            guard let problem = (error as? FieldError)?.problems.first else { return false }
            return "\(problem.path)" == "contentState.m" && problem.message.contains(words)
        }
        #expect(throws: FieldError.self) { try Self.type(.string(String(repeating: "[", count: 9) + "Int")) }
        #expect(throws: FieldError.self) { try Self.type(.integer(1)) }
    }

    static let uuid = "00112233-4455-6677-8899-AABBCCDDEEFF"

    /// nil for a value that decodes.
    static let values: [(String, JSONValue, String?)] = [
        ("String", .string("a"), nil), ("String", .integer(1), "is 1, not a String"), ("Int", .integer(1), nil),
        ("Int", .number(2.0), nil), ("Int", .number(2.5), "is 2.5, not an Int"), ("Int", .bool(true), "not an Int"),
        ("Double", .integer(1), nil), ("Bool", .bool(true), nil), ("Bool", .integer(1), "not a Bool"),
        ("Date", .integer(821_692_800), nil), ("Date", .string("2027-01-15"), "seconds since 2001"),
        ("Data", .string("AQID"), nil), ("Data", .string("A"), "Base64"), ("URL", .string("a"), nil),
        ("URL", .string(""), "a URL"), ("UUID", .string(uuid), nil), ("UUID", .string("7"), "a UUID"),
        ("ClosedRange<Date>", .array([.integer(1), .integer(2)]), nil),
        ("ClosedRange<Date>", .array([.integer(2), .integer(1)]), "two dates"), ("Int?", .null, nil),
        ("Int", .null, "is null"), ("[Int]", .array([.integer(1)]), nil),
        ("[Int]", .array([.integer(1), .null]), "m[1] is null"), ("enum(a|b)", .string("a"), nil),
        ("enum(a|b)", .string("c"), "one of a, b"), ("enum(1|2)", .integer(2), nil),
        ("enum(1|2)", .string("2"), "one of 1, 2"), ("any", .bool(true), nil),
        ("{a: Int}", ["a": .integer(1), "more": .null], nil), ("{a: Int}", ["A": .integer(1)], "\"A\" is another name"),
    ]

    @Test("L5.1 values decode as a default JSONDecoder decodes them", arguments: values.indices)
    func decodes(_ index: Int) throws {
        let (text, value, problem) = Self.values[index]
        let type = try Self.type(.string(text))
        let failure = type.contentState.failure(decoding: ["m": value], at: FieldPath())
        if let problem {
            #expect(failure?.sentence.contains(problem) == true, "\(failure?.sentence ?? "")")
        } else {
            #expect(failure == nil, "\(failure?.sentence ?? "")")
        }
    }

    @Test("L5.1 a missing member fails unless it is optional") func missing() throws {
        let type = try Self.type(.string("Int"))
        #expect(type.contentState.failure(decoding: [:], at: FieldPath())?.sentence == "m is missing and not optional")
        let optional = try Self.type(.string("Int?"))
        #expect(optional.contentState.failure(decoding: [:], at: FieldPath()) == nil)
    }

    @Test("a template names declared members only") func checksTemplates() throws {
        var type = ActivityType(name: "T")
        let state: JSONValue = ["step": .string("Int"), "driver": ["name": .string("String")]]
        try type.apply(
            ["contentState": state, "template": ["title": .string("{driver.name}"), "lines": .strings(["{step}"])]])
        #expect {
            try type.apply(["template": ["title": .string("Step {stap}")]])
        } throws: { error in
            (error as? FieldError)?.description.contains(
                "template.title names the unknown member {stap}; did you mean {step}?")
                == true
        }
        var app = App(bundleID: "a")
        app.liveActivities = LiveActivities()
        app.liveActivities?.types = [type]
        let text = ActivityText(
            type: "T", attributes: [:], content: ["step": .integer(2), "driver": ["name": .string("Kim")]], app: app,
            device: DeviceConditions())
        #expect(text == ActivityText(title: "Kim", lines: ["2"]))
    }

    @Test("an undeclared type shows its members") func showsUndeclared() {
        let text = ActivityText(
            type: "T", attributes: [:], content: ["a": .integer(1), "b": .strings(["x", "y"])], app: App(bundleID: "a"),
            device: DeviceConditions())
        #expect(text == ActivityText(title: "T", lines: ["a: 1", "b: x, y"]))
    }
}

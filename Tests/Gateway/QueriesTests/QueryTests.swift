import Fields
import JSON
import Queries
import Testing

private let push =
    JSONValue(
        Array(
            """
            {"topic": "com.example.app", "title": "Order 7", "receivedAt": "2026-11-23T10:00:00Z", "priority": 10, "state": "delivered",
             "payload": {"aps": {"alert": {"title": "Order 7"}, "badge": 3, "content-available": 1}, "id": "12",
              "large": 9007199254740993},
             "findings": [{"id": "payload.size", "severity": "warning"}, {"id": "la.event", "severity": "error"}],
             "places": ["lockScreen", "banner"], "collapseId": null, "text": ["Order 7", "Your tea"]}
            """.utf8
        ).span.bytes) ?? .null

@Suite struct QueryTests {
    private func matches(_ text: String) throws -> Bool {
        Query([try Condition(text, roots: nil)]).matches { push[$0] }
    }

    @Test(arguments: [
        "topic=com.example.app", "title~Order", "payload.aps.badge>2", "payload.aps.badge>=3", "payload.aps.badge<=3",
        "payload.aps.badge!=4", "payload.aps.content-available=1", "payload.id=12", "payload.id=\"12\"", "!collapseId",
        "title", "title=~^Order [0-9]+$", "findings.id=la.event", "findings.0.id=payload.size",
        "state=delivered|discarded", "receivedAt<2026-11-23T12:00:00+01:00", "payload~{\"aps\":{\"badge\":3}}",
        "payload.aps={\"alert\":{\"title\":\"Order 7\"},\"badge\":3.0,\"content-available\":1}", "places~banner",
        "subtitle!=x", "priority=10", "text=Your tea", "text~tea", "text=~^Order [0-9]$", "text!=tea", "text=a|Order 7",
        "payload.large=9007199254740993", "payload.large>9007199254740992", "payload.large!=9007199254740992",
    ]) func matches(text: String) throws { #expect(try matches(text), "\(text)") }

    @Test(arguments: [
        "topic=com.example", "title=~^rder", "payload.aps.badge>3", "payload.aps.badge=\"3\"", "payload.id=\"13\"",
        "collapseId", "!title", "findings.id=la", "findings.id!=la.event", "state=stored|discarded",
        "receivedAt>2026-11-23T12:00:00+01:00", "payload~{\"aps\":{\"badge\":4}}", "places~watch", "subtitle=x",
        "payload.aps.badge>two", "findings.7.id", "text=tea", "text~coffee", "text!=Order 7", "!text", "text=~^tea",
        "payload.large=9007199254740992", "payload.large<=9007199254740992",
    ]) func doesNotMatch(text: String) throws { #expect(try !matches(text), "\(text)") }

    @Test(arguments: ["payload.aps.badge", "payload.\"com.example\".0", "payload.\"a>b\"", "payload.\"\".\"!c\""])
    func aPathReadsBack(text: String) throws { #expect(try Condition(text, roots: nil).path.text == text) }

    @Test(arguments: [
        ("topik=x", 1, "did you mean 'topic'?"), ("topic", 0, ""), ("", 1, "a name is missing"),
        ("topic=", 7, "a value is missing"), ("topic..x=1", 7, "a name is missing"), ("topic x", 6, "not an operator"),
        ("title=~[a", 8, "the class has no end"), ("payload={\"a\"", 9, "not valid JSON"),
        ("!title=1", 7, "nothing may follow"),
        ("payload.\"a=1", 9, "no end"), ("title==Foo", 7, "'=' must be in double quotes"),
        ("payload.aps.badge>>2", 19, "'>' must be in double quotes"), ("title~=Foo", 7, "'=' must"),
        ("topic=a|!b", 9, "'!' must be in double quotes"), ("topic!=a|b", 9, "'!=' takes one value"),
        ("topic=\"a\"b|c", 7, "not valid JSON"), ("topic=\"=a\"", 0, ""), ("topic=~=a", 0, ""),
    ]) func namesTheColumn(text: String, column: Int, message: String) {
        do {
            _ = try Condition(text, roots: QueryRoots(["topic": nil, "title": nil, "payload": nil]))
            #expect(column == 0)
        } catch {
            #expect(error.column == column)
            #expect(error.message.contains(message) && !error.message.hasSuffix("."), "\(error.message)")
        }
    }

    @Test(arguments: [
        "title=\"=Foo\"", "title=\"\"", "title~\"<b>\"", "title=a=b", "title!=\"a|b\"", "title~a|b",
        "state=\"a|b\"|c|\"12\"",
        "payload=[{\"a\":\"|}\"}]|[]", "payload.id=12", "payload.id=\"12\"", "title=~=|a", "!title", "title",
    ]) func aConditionReadsBack(text: String) throws { #expect(try Condition(text, roots: nil).text == text) }

    private static let roots = QueryRoots(
        [
            "state": .words(["delivered", "stored"]), "timing": .words(["now", "quiet"]),
            "places": .wordList(["lockScreen", "summary"]), "badge": .number, "muted": .flag, "at": .time,
            "title": .text, "content": nil, "headers": nil, "any": nil, "status": .numbers([200...200, 400...599]),
        ],
        schemas: [
            "headers": .map(.text(.any)),
            "content": .object(
                "Content",
                [
                    field("level", .word(["active", "passive"])), field("sender", .object("", [field("name", .path)])),
                    field("parts", .list(.object("", [field("size", .integer(minimum: 0, maximum: nil))]))),
                    field("info", .any),
                ]),
        ])

    private static func field(_ name: String, _ schema: FieldSchema) -> FieldDescription {
        FieldDescription(name: name, accepted: "", summary: "", schema: schema, isOptional: true)
    }

    @Test(arguments: [
        ("content.levl=active", 9, "there is no 'content.levl'; did you mean 'content.level'?"),
        ("!content.levl", 10, "did you mean"), ("content.sender.nam~A", 16, "did you mean 'content.sender.name'?"),
        ("content.parts.siz>1", 15, "did you mean 'content.parts.size'?"), ("content.parts.0.x", 17, "accepted: size"),
        ("title.text=a", 7, "'title' has no members"), ("content.level.x", 15, "'content.level' has no members"),
        ("headers.APNs-topic=a", 9, "write apns-topic"), ("content.level=actve", 14, "did you mean 'active'?"),
        ("content.parts.size=big", 19, "always a number"), ("content~{\"levl\":\"active\"}", 8, "'content.level'"),
        ("content.parts~[{\"siz\":1}]", 14, "'content.parts.size'"),
        ("status=99", 7, "never 99; accepted: 200, 400 to 599"),
        ("status!=201", 7, "never 201"), ("status>599", 7, "never > 599"), ("status<200", 7, "never"),
        ("status=400|399", 7, "never 399"), ("status=400.5", 7, "never"),
        ("content.level=active", 0, ""), ("content.info.anything.1=2", 0, ""), ("any.thing", 0, ""),
        ("content.parts.0.size>1", 0, ""), ("content~{\"info\":{\"a\":1},\"parts\":[{\"size\":1}]}", 0, ""),
        ("headers.apns-topic", 0, ""), ("places.0", 0, ""), ("status>=400", 0, ""), ("status<201", 0, ""),
        ("status=404|200", 0, ""), ("status", 0, ""),
    ]) func checksMembers(text: String, column: Int, message: String) {
        do {
            _ = try Condition(text, roots: Self.roots)
            #expect(column == 0, "\(text)")
        } catch {
            #expect(error.column == column && error.message.contains(message), "\(text): \(error)")
        }
    }

    @Test(
        arguments: [
            (["title": .null], false), (["title": ["equals": .null]], false), (["title": ["oneOf": .array([])]], false),
            (["title": ["oneOf": .array([.null])]], false), (["content.levl": .string("active")], true),
            (["content": ["levl": .string("active")]], true),
            (["content": ["sender": ["nam": .string("A")]]], true), (["status": ["<": .integer(200)]], true),
        ] as [(JSONValue, Bool)])
    func rejectsConditionsThatNeverMatch(query: JSONValue, hasRoots: Bool) {
        let roots = hasRoots ? Self.roots : nil
        #expect(throws: FieldError.self) { try Query(query, at: FieldPath().member("where"), roots: roots) }
    }

    @Test(arguments: [
        ("state=deliverd", "did you mean 'delivered'?"), ("state!=deliverd", "did you mean"),
        ("state=x", "accepted: delivered"),
        ("state=quiet", "did you mean 'timing'?"), ("state~liverd", "never"), ("state=~^d$", "no value"),
        ("state=stored|stord", "did you mean 'stored'?"), ("places~lockscren", "did you mean 'lockScreen'?"),
        ("places=summary", "write places~summary"), ("badge=x", "a number"), ("badge=\"3\"", "a number"),
        ("badge=~3", "never one"), ("muted=1", "true or false"), ("at>noon", "a time"), ("title={}", "a text"),
        ("state=delivered|stored", ""), ("state~deliv", ""), ("state=~^d", ""), ("places~summary", ""), ("!state", ""),
        ("badge>=3", ""), ("muted=true", ""), ("at>2026-11-23T10:00:00Z", ""), ("at~2026-11", ""), ("title=7", ""),
    ]) func checksValues(text: String, message: String) {
        do {
            _ = try Condition(text, roots: Self.roots)
            #expect(message.isEmpty, "\(text)")
        } catch {
            #expect(!message.isEmpty && error.message.contains(message), "\(error.message)")
        }
    }

    @Test func readsJSON() throws {
        let json: JSONValue = [
            "topic": .string("com.example.app"), "payload.aps.badge": [">": .integer(2), "<": .integer(4)],
            "payload": ["aps": ["badge": .integer(3)]], "title": ["matches": .string("7$")],
            "collapseId": ["exists": .bool(false)], "state": ["oneOf": .strings(["delivered"])],
        ]
        let query = try Query(json, at: FieldPath().member("where"), roots: nil)
        #expect(query.conditions.count == 7)
        #expect(query.matches { push[$0] })
        #expect(query.text(at: "topic") == "com.example.app")
    }

    @Test func namesTheInvalidMember() {
        for name in ["matches", "=~"] {
            do {
                _ = try Query(["title": [name: .string("a{2001}")]], at: FieldPath().member("where"), roots: nil)
                Issue.record("accepted")
            } catch {
                let text = "where.title.\(name) is \"a{2001}\", which is wrong at column "
                #expect("\(error)".hasPrefix(text) && !"\(error)".contains("a regular expression such as"), "\(error)")
            }
        }
        let wrong: JSONValue = ["title": ["equals": .integer(1), "equal": .integer(1)]]
        do {
            _ = try Query(wrong, at: FieldPath().member("where"), roots: nil)
            Issue.record("accepted")
        } catch {
            #expect("\(error)" == "where.title.equal is unknown; did you mean equals?")
        }
    }

    @Test func reportsWhatDiffers() throws {
        let query = Query([
            try Condition("title=Order 8", roots: nil), try Condition("topic=com.example.app", roots: nil),
            try Condition("sound", roots: nil),
        ])
        let mismatches = query.mismatches { push[$0] }
        #expect(
            mismatches.map(\.sentence) == [
                "title: expected Order 8, got \"Order 7\"", "sound: expected anything, got nothing",
            ])
        #expect(mismatches[0].distance < 0.2)
    }

    @Test(arguments: [
        ("a*b", "aaab", true), ("^a{2,3}$", "aaa", true), ("^a{2,3}$", "aaaa", false), ("(ab|cd)+e", "xabcde", true),
        ("\\d{4}-\\d\\d", "on 2026-11", true), ("^[^x]*$", "abc", true), ("^[^x]*$", "axc", false), ("", "", true),
        ("a.c", "abc", true), ("a\\.c", "abc", false), ("[]a]", "]", true),
        ("^(a?){30}a{30}$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", true),
        ("(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", false), ("é", "café", true), ("a{2,}", "aa", true),
        ("\\.\\-\\/", ".-/", true),
        ("^$", "x", false), ("^(){9999}{9999}{9999}{9999}$", "", true), ("^(a{0}){9999}b$", "b", true),
    ]) func aPatternMatches(source: String, text: String, isMatch: Bool) throws {
        #expect(try TextPattern(source).matches(text) == isMatch)
    }

    @Test(arguments: [
        ("[\n]", "\r\n", false), ("\\s", "\r\n", false), (".", "\r\n", true), ("[^é]", "é", false),
        ("[a-z]", "é", false),
        ("[à-ü]", "é", true), ("[~]", "~", true), ("[@-~]", "?", false), ("\\D", "5", false),
    ]) func aClassComparesCharacters(source: String, text: String, isMatch: Bool) throws {
        let pattern = try TextPattern(source)
        #expect(pattern.matches(text) == isMatch)
        #expect(pattern.matches("") == false)
    }

    @Test func aPatternsStepsAreLimited() throws {
        #expect(try !TextPattern("^([a-z]?){240}!").matches(String(repeating: "a", count: 5120)))
        #expect(try TextPattern("a{498}").matches(String(repeating: "a", count: 498)))
        let problem = #expect(throws: TextPattern.Problem.self) { try TextPattern("a{502}") }
        #expect(problem?.message.hasPrefix("the pattern has over 500 steps") == true)
    }

    @Test(arguments: ["(", ")", "[a", "*", "a{3,2}", "a{1000}{1000}", "\\", "[z-a]", "a{x}"])
    func anInvalidPatternIsReported(source: String) {
        #expect(throws: TextPattern.Problem.self) { try TextPattern(source) }
    }

    @Test(arguments: [
        ("(?i)a", "'(?' is not supported"), ("x(?=a)", "'(?' is not supported"), ("\\p{L}", "'\\p' is not supported"),
        ("(a)\\1", "'\\1' is not supported"), ("\\bcat", "'\\b' is not supported"),
        ("[\\x41]", "'\\x' is not supported"),
    ]) func whatIsNotSupportedIsNamed(_ source: String, _ words: String) {
        let problem = #expect(throws: TextPattern.Problem.self) { try TextPattern(source) }
        #expect(problem?.message.hasPrefix(words) == true)
    }

    /// In the JSON form, no condition limits it.
    @Test func aPatternsLengthIsLimited() throws {
        let longest = "[" + String(repeating: "a", count: TextPattern.maximumCharacterCount - 2) + "]"
        #expect(try TextPattern(longest).matches("a"))
        for source in [
            longest + "?", String(repeating: "|", count: 1 << 20), String(repeating: "a{1}", count: 1 << 18),
        ] {
            let problem = #expect(throws: TextPattern.Problem.self) { try TextPattern(source) }
            #expect(problem?.message == "a pattern has at most 4096 characters")
        }
    }
}

@Suite struct TallyTests {
    private static func document(_ title: String, state: String) -> Document {
        let members: JSONValue = ["title": .string(title), "state": .string(state)]
        return { members[$0] }
    }

    private func tally(_ minimum: Int, _ maximum: Int?, _ states: String...) throws -> Tally {
        let query = Query([try Condition("title=Tea", roots: nil)])
        var expectation = Expectation([query], minimum: minimum, maximum: maximum)
        expectation.settled = Query([try Condition("state=delivered", roots: nil)])
        var tally = Tally(expectation)
        for (index, state) in states.enumerated() {
            tally.add(UInt64(index + 1), Self.document("Tea", state: state))
        }
        return tally
    }

    @Test func `an upper limit is final only when it is exceeded`() throws {
        #expect(try tally(1, nil, "delivered").isFinal)
        #expect(try !tally(1, 1, "delivered").isFinal)
        #expect(try tally(1, 1, "delivered").isMet)
        #expect(try tally(1, 1, "delivered", "delivered").isFinal)
        #expect(try !tally(0, 0).isFinal)
    }

    @Test func `what is not settled counts only towards the upper limit`() throws {
        #expect(try !tally(1, nil, "accepted").isMet)
        #expect(try !tally(0, 0, "accepted").isMet)
        #expect(try !tally(1, 1, "delivered", "accepted").isMet)
        #expect(try tally(1, nil, "accepted").nearMisses.first?.mismatches.map(\.path) == ["state"])
    }
}

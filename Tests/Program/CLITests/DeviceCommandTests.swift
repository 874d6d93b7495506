import ArgumentParser
import CLI
import Testing

@testable import pushcote

/// Commands about a device: their requests to the admin API and their output.
@Suite struct DeviceCommandTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var arguments: [String]
        var line: String
        var body: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ arguments: String..., asks line: String, _ body: String = "") {
            (self.arguments, self.line, self.body) = (arguments, line, body)
        }
    }

    static let rows = [
        Row("explain", "17", asks: "GET /api/v1/notifications/17"),
        Row("screen", "my phone", asks: "GET /api/v1/devices/my%20phone/screen"),
        Row("device", "phone", asks: "GET /api/v1/devices/phone"),
        Row(
            "device", "phone", "set", "isLocked=false", "ringSwitch=silent", "focus.active=null",
            asks: "PATCH /api/v1/devices/phone", #"{"isLocked":false,"ringSwitch":"silent","focus":{"active":null}}"#),
        Row(
            "device", "phone", "set", "summary.isEnabled=true", #"summary.times=["08:00"]"#, "locale=",
            asks: "PATCH /api/v1/devices/phone", #"{"summary":{"isEnabled":true,"times":["08:00"]},"locale":""}"#),
        Row(
            "device", "phone", "set", "--app", "com.example.app", "sound=disabled",
            asks: "PATCH /api/v1/devices/phone", #"{"apps":{"com.example.app":{"sound":"disabled"}}}"#),
        Row("act", "phone", "unlock", asks: "POST /api/v1/devices/phone/actions", #"{"action":"unlock"}"#),
        Row(
            "act", "phone", "perform", "--notification", "3", "--action-identifier", "REPLY", "--text", "Yes",
            asks: "POST /api/v1/devices/phone/actions",
            #"{"action":"perform","notification":3,"actionIdentifier":"REPLY","text":"Yes"}"#),
        Row(
            "act", "phone", "removeDelivered", "--identifiers", "a", "b", "--app", "com.example.app",
            asks: "POST /api/v1/devices/phone/actions",
            #"{"action":"removeDelivered","app":"com.example.app","identifiers":["a","b"]}"#),
        Row(
            "act", "phone", "answer", "--choice", "turnOff", "--app", "com.example.app",
            asks: "POST /api/v1/devices/phone/actions",
            #"{"action":"answer","app":"com.example.app","choice":"turnOff"}"#),
        Row(
            "act", "phone", "setBadge", "--count", "0", "--app", "com.example.app",
            asks: "POST /api/v1/devices/phone/actions",
            #"{"action":"setBadge","app":"com.example.app","count":0}"#),
        Row(
            "act", "phone", "setBadge", "--count", "-1", "--app", "com.example.app",
            asks: "POST /api/v1/devices/phone/actions",
            #"{"action":"setBadge","app":"com.example.app","count":-1}"#),
        Row(
            "act", "phone", "switchFocus", "--focus", "work", asks: "POST /api/v1/devices/phone/actions",
            #"{"action":"switchFocus","focus":"work"}"#),
        Row("clock", asks: "GET /api/v1/clock"),
        Row("clock", "stop", asks: "PUT /api/v1/clock", #"{"mode":"manual"}"#),
        Row("clock", "reset", asks: "POST /api/v1/clock/reset"),
        Row("clock", "follow", asks: "PUT /api/v1/clock", #"{"mode":"real"}"#),
        Row(
            "clock", "set", "2026-12-24T18:00:00Z", asks: "PUT /api/v1/clock",
            #"{"mode":"manual","now":"2026-12-24T18:00:00Z"}"#),
        Row("clock", "scale", "60", asks: "PUT /api/v1/clock", #"{"scale":60}"#),
        Row("clock", "advance", "PT1H", asks: "POST /api/v1/clock/advance", #"{"by":"PT1H"}"#),
        Row(
            "events", "phone", "--kind", "banner", "--kind", "sound", "--since", "4", "--notification", "2",
            asks: "GET /api/v1/devices/phone/events?kind=banner%2Csound&notification=2&since=4&limit=1000"),
        Row(
            "events", "phone", "--wait", "1h", "--count", "3",
            asks: "GET /api/v1/devices/phone/events?limit=100&wait=20s&count=3"),
        Row(
            "requests", "--reason", "BadDeviceToken", "--status", "400", "--device", "my phone", "--since", "3",
            asks: "GET /api/v1/requests?status=400&reason=BadDeviceToken&device=my%20phone&since=3&limit=1000"),
        Row("requests", "18", asks: "GET /api/v1/requests/18"),
        Row("connections", asks: "GET /api/v1/connections"),
        Row("connections", "3", asks: "GET /api/v1/connections/3"),
        Row("apps", asks: "GET /api/v1/apps"),
        Row("apps", "com.example.app", asks: "GET /api/v1/apps/com.example.app"),
        Row("keys", asks: "GET /api/v1/keys"),
        Row("fault", asks: "GET /api/v1/faults"),
        Row(
            "devices", "create", "phone", "--app", "a", "--environment", "production", "isLocked=false",
            asks: "PUT /api/v1/devices/phone",
            #"{"isLocked":false,"registrations":[{"topic":"a","environment":"production"}]}"#),
        Row("devices", "create", "phone", asks: "PUT /api/v1/devices/phone", "{}"),
        Row("devices", "delete", "phone", asks: "DELETE /api/v1/devices/phone"),
        Row("reset", "--keep", "apps", asks: "POST /api/v1/reset", #"{"keep":["apps"]}"#),
        Row(
            "inbox", "phone", "--timing", "silencedByFocus",
            asks: "GET /api/v1/notifications?device=phone&timing=silencedByFocus&order=newest&limit=100"),
    ]

    @Test("commands send the request and print the answer as JSON", arguments: rows)
    func asks(_ row: Row) async throws {
        try await FakeGateway.with([(201, #"{"events":[]}"#)]) { gateway, client in
            let result = try await CommandTests.run(row.arguments + ["--json"], with: client)
            #expect(result == CommandResult(#"{"events":[]}"#))
            #expect(gateway.asked.map(\.line) == [row.line])
            #expect(gateway.asked.map(\.body) == [row.body])
        }
    }

    static let events = """
        {"events":[
        {"at":"2026-11-21T07:14:21.000Z","event":"act","number":4,"notification":3,"details":{"action":"tap"}},
        {"at":"2026-11-21T07:14:21.000Z","event":"removed","number":5,"notification":3,"app":"com.example.app",
        "details":{"reason":"opened"}},
        {"at":"2026-11-21T07:14:21.000Z","event":"screenLit","number":6}]
        """

    static let eventTable = """
        NUMBER  AT                        EVENT      ID  APP              DETAILS
        4       2026-11-21T07:14:21.000Z  act        3   -                action=tap
        5       2026-11-21T07:14:21.000Z  removed    3   com.example.app  reason=opened
        6       2026-11-21T07:14:21.000Z  screenLit  -   -
        """

    @Test func actPrintsItsEvents() async throws {
        try await FakeGateway.with([(200, Self.events + "}"), (200, #"{"events":[]}"#)]) { _, client in
            let tap = ["act", "phone", "tap", "--notification", "3"]
            #expect(try await CommandTests.run(tap, with: client) == CommandResult(Self.eventTable))
            let wake = try await CommandTests.run(["act", "phone", "wake"], with: client)
            #expect(wake == CommandResult("The act caused no events."))
        }
    }

    @Test func eventsReportHowAWaitEnded() async throws {
        let rest = #","next":"6","hasMore":false,"hasGap":true"#
        let answers = ["", #","outcome":"complete""#, #","outcome":"timeout""#, #","outcome":"stopping""#]
        try await FakeGateway.with(answers.map { (200, Self.events + rest + $0 + "}") }) { _, client in
            let plain = try await CommandTests.run(["events", "phone"], with: client)
            #expect(
                plain == CommandResult(Self.eventTable, remark: "Some requested events have been evicted."))
            let waiting = ["events", "phone", "--wait", "0s", "--count", "4"]
            #expect(try await CommandTests.run(waiting, with: client).status == .ok)
            let late = try await CommandTests.run(waiting, with: client)
            let remark = "timed out after 0s: 3 of 4 matched"
            #expect(late == CommandResult(Self.eventTable, remark: remark, status: .timedOut))
            let stopped = try await CommandTests.run(waiting, with: client)
            #expect(stopped.status == .failed)
        }
    }

    @Test func eventsRetryUntilTheTimeout() async throws {
        let late = #"{"events":[],"next":"0","hasMore":false,"hasGap":false,"outcome":"timeout"}"#
        let complete = Self.events + #","outcome":"complete"}"#
        try await FakeGateway.with([(200, late), (200, complete)]) { gateway, client in
            let result = try await CommandTests.run(["events", "phone", "--wait", "1h"], with: client)
            #expect(result == CommandResult(Self.eventTable))
            #expect(gateway.asked.count == 2)
        }
    }

    @Test func explainPrintsTheGatewaysSentences() async throws {
        try await FakeGateway.with([(200, "Active, silenced by the Focus.\n")]) { gateway, client in
            let result = try await CommandTests.run(["explain", "17"], with: client)
            #expect(result == CommandResult("Active, silenced by the Focus.\n"))
            #expect(gateway.asked.map(\.line) == ["GET /api/v1/notifications/17/explanation"])
        }
    }

    @Test func theClockIsShownWithItsMode() async throws {
        let due = #"","nextDue":"2026-12-24T19:00:00.000Z"#
        let answers = ["manual" + due, "real"].map { (200, #"{"now":"2026-12-24T18:00:00.000Z","mode":"\#($0)"}"#) }
        try await FakeGateway.with(answers) { _, client in
            let stopped = try await CommandTests.run(["clock", "stop"], with: client)
            #expect(
                stopped
                    == CommandResult(
                        "2026-12-24T18:00:00.000Z  stopped; next due at 2026-12-24T19:00:00.000Z"))
            let running = try await CommandTests.run(["clock"], with: client)
            #expect(running == CommandResult("2026-12-24T18:00:00.000Z  follows real time"))
        }
    }

    @Test func aDeviceIsShownWithItsConditions() async throws {
        let device = """
            {"name":"phone","notificationCount":2,"isLocked":false,"timeZone":"UTC","of another version":1,"focus":{"active":"work","modes":
            [{"id":"work"}]},"registrations":[{"token":"00ff","device":"phone","topic":"com.example.app",
            "environment":"sandbox","kind":"app","status":"active","registeredAt":"2026-11-21T07:14:21.000Z"}],"apps":{"com.example.app":{"sound":"disabled","alertStyle":"none",
            "badgeCount":3,"prompt":"provisional","isTerminated":false},"com.example.b":
            {"badgeCount":0,"isTerminated":false}}}
            """
        try await FakeGateway.with([(200, device)]) { _, client in
            let text = try await CommandTests.run(["device", "phone"], with: client).output
            let lines = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
            #expect(lines.first == "phone")
            #expect(lines.contains("isLocked false"))
            #expect(lines.contains("timeZone UTC"))
            #expect(lines.contains("focus.active work"))
            #expect(lines.contains { $0.hasPrefix(#"focus.modes [{"id":"work""#) })
            #expect(lines.contains("com.example.app 3 provisional sound=disabled alertStyle=none"))
            #expect(lines.contains("com.example.b 0 -"))
            #expect(lines.last == "com.example.app sandbox app active 00ff")
        }
    }

    @Test func theInboxSaysWhyAPushIsMissing() async throws {
        let reasons = [
            #""state":"stored","holdReason":"offline""#, #""state":"discarded","discardReason":"expired""#,
            #""state":"delivered","timing":"silencedByFocus""#,
        ]
        let list = reasons.enumerated().map { index, words in
            #"{"id":\#(index + 1),"device":"phone","topic":"t","receivedAt":"2026-01-05T07:00:00.000Z",\#(words)}"#
        }
        let page =
            #"{"notifications":[\#(list.reversed().joined(separator: ","))],"next":"3","hasMore":false,"dropped":0,"hasGap":false}"#
        try await FakeGateway.with([(200, page)]) { _, client in
            let result = try await CommandTests.run(["inbox"], with: client)
            #expect(
                result.output == """
                    ID  RECEIVED                  DEVICE  TOPIC  TYPE  STATE               TIMING           TEXT
                    1   2026-01-05T07:00:00.000Z  phone   t      -     stored: offline     -
                    2   2026-01-05T07:00:00.000Z  phone   t      -     discarded: expired  -
                    3   2026-01-05T07:00:00.000Z  phone   t      -     delivered           silencedByFocus
                    """)
        }
    }

    @Test func theScreenIsDescribedInText() async throws {
        let screen = #"""
            {"at":"2026-01-05T07:00:00.000Z","timeZone":"UTC","locale":"en","isPoweredOn":true,"isLocked":true,"isScreenOn":false,"focus":{"id":"work","name":"Work"},"lockScreen":[{"app":"a",
            "count":1,"notifications":[{"notification":4,"identifier":"push-4","at":"2026-01-05T07:04:00.000Z","appName":"Post","title":"Parcel",
            "body":"It is\nhere.","label":"Time Sensitive","isHidden":false,"isCommunication":false,
            "buttons":[{"identifier":"L","title":"Later","isRed":false,"opensApp":false,"needsUnlock":false,"takesText":false},
            {"identifier":"N","title":"Note","isRed":false,"opensApp":false,"needsUnlock":false,"takesText":true}]}]}],
            "notificationCenter":[{"app":"a","count":2,"text":"1 more notification","notifications":[
            {"notification":3,"identifier":"c","at":"2026-01-05T07:03:00.000Z","appName":"Post","title":"Post","body":"Third","isHidden":false,
            "isCommunication":false},
            {"notification":2,"identifier":"d","at":"2026-01-05T07:02:00.000Z","appName":"Post","title":"Post","isHidden":false,
            "isCommunication":false}]}],
            "nextSummary":{"at":"2026-01-05T09:00:00.000Z","count":2},"badges":{"a":3},
            "prompts":[{"app":"a","prompt":"timeSensitiveIntro","text":"?","choices":["leaveOn","turnOff"]}]}
            """#
        let empty = """
            {"at":"2026-01-05T07:00:00.000Z","timeZone":"UTC","locale":"en","isPoweredOn":true,"isLocked":false,"isScreenOn":true,"foregroundApp":"a","lockScreen":[],"notificationCenter":[],
            "nextSummary":{"count":0},"badges":{},"prompts":[]}
            """
        try await FakeGateway.with([(200, screen), (200, empty)]) { _, client in
            let text = try await CommandTests.run(["screen", "phone"], with: client).output
            #expect(
                text == """
                    phone  2026-01-05T07:00:00.000Z  locked, screen off, Focus: Work

                    LOCK SCREEN
                      4  Post  [Time Sensitive]  2026-01-05T07:04:00.000Z
                          Parcel
                          It is here.
                          (Later) (Note…)

                    NOTIFICATION CENTER
                      3  Post  2026-01-05T07:03:00.000Z
                          Third
                          1 more notification: 2

                    NEXT SUMMARY  2026-01-05T09:00:00.000Z
                      2 waiting

                    BADGES
                      a: 3

                    THE SYSTEM ASKS
                      a: timeSensitiveIntro (leaveOn, turnOff)
                    """)
            #expect(
                try await CommandTests.run(["screen", "phone"], with: client).output == """
                    phone  2026-01-05T07:00:00.000Z  unlocked, screen on, a in front

                    NOTIFICATION CENTER
                      (empty)
                    """)
        }
    }

    @Test("S3-22 the screen and the inbox show the sender") func peopleAreShown() async throws {
        let screen = #"""
            {"at":"2026-01-05T07:00:00.000Z","timeZone":"UTC","locale":"en","isPoweredOn":true,"isLocked":false,"isScreenOn":true,"lockScreen":[],"notificationCenter":[{"app":"a","count":1,
            "notifications":[{"notification":3,"identifier":"c","at":"2026-01-05T07:03:00.000Z","appName":"Chat","title":"Neko Neko",
            "subtitle":"Team","body":"Hi","isHidden":false,"isCommunication":true,"avatar":{"monogram":"NN"},
            "suggestion":{"kind":"contactAssociation","person":"person:a/n","name":"Neko Neko","contact":"C1","app":"a"}}]},
            {"app":"a","count":1,"notifications":[{"notification":2,"identifier":"d","at":"2026-01-05T07:02:00.000Z","appName":"Chat",
            "title":"Chat","isHidden":false,"isCommunication":true,"avatar":{"image":"/api/v1/devices/phone/images/00"}}]}],
            "badges":{},"prompts":[]}
            """#
        let list = #"""
            {"notifications":[{"id":3,"device":"phone","topic":"t","state":"delivered","receivedAt":"2026-01-05T07:00:00.000Z","timing":"now",
            "isCommunication":true,"sender":"Neko Neko","title":"Push","body":"Hi"}],
            "next":"3","hasMore":false,"dropped":0,"hasGap":false}
            """#
        try await FakeGateway.with([(200, screen), (200, list)]) { _, client in
            #expect(
                try await CommandTests.run(["screen", "phone"], with: client).output == """
                    phone  2026-01-05T07:00:00.000Z  unlocked, screen on

                    NOTIFICATION CENTER
                      3  Chat  2026-01-05T07:03:00.000Z
                          (NN) Neko Neko
                          Team
                          Hi
                          Is this Neko Neko of Contacts (C1)?
                      2  Chat  2026-01-05T07:02:00.000Z
                          (picture) Chat
                    """)
            let inbox = try await CommandTests.run(["inbox"], with: client).output
            #expect(inbox.contains("Neko Neko | Hi"))
        }
    }

    static let examples: [(arguments: [String], example: String)] = [
        (["device", "phone", "set"], "isLocked=false"), (["device", "phone", "set", "word"], "isLocked=false"),
        (["device", "phone", "set", "--app", "com.example.app"], "sound=disabled"),
        (["device", "phone", "set", "--app", "com.example.app", "=1"], "sound=disabled"),
        (["fault", "apply", "G4", "--match", "word"], "device=phone"),
        (["fault", "apply", "G4", "--match", "=1"], "device=phone"),
    ]

    @Test("the command accepts the example in its error message", arguments: examples)
    func givesAnExample(_ row: (arguments: [String], example: String)) {
        #expect {
            _ = try PushcoteCommand.parseAsRoot(row.arguments)
        } throws: { error in
            PushcoteCommand.message(for: error).hasSuffix("such as \(row.example)")
        }
    }

    /// `CommandTests.invalidCommandLinesPrintUsage` reads them.
    static let wrong: [[String]] = [
        ["device", "phone", "get"], ["device", "phone", "set"], ["device", "phone", "set", "isLocked"],
        ["device", "phone", "set", "=1"], ["device", "phone", "set", "a..b=1"], ["device", "phone", "--app", "a"],
        ["device", "phone", "set", "a=1", "a=2"], ["device", "phone", "set", "a=1", "a.b=2"],
        ["device", "phone", "set", "a.b=1", "a=2"], ["clock", "set"], ["clock", "set", "noon"], ["clock", "advance"],
        ["clock", "scale"], ["clock", "scale", "fast"],
        ["clock", "advance", "1"], ["clock", "stop", "1h"], ["clock", "back"], ["events", "phone", "--count", "2"],
        ["events", "phone", "--wait", "1s", "--count", "0"], ["explain", "x"], ["act", "phone"], ["lint"],
        ["lint", "-", "--silence", "title.lang"], ["lint", "-", "--push-type", "alarm"],
        ["local", "add", "phone", "a", "--app", "x", "--repeats"],
    ]
}

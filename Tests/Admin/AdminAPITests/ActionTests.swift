import DeviceModel
import DeviceSimulator
import Gateway
import Testing

/// Acts of people and apps over HTTP.
@Suite(.admin) struct ActionTests {
    static let path = "/api/v1/devices/phone/actions"
    static let category =
        #"{"categories":[{"identifier":"M","actions":[{"identifier":"R","title":"Reply","textInput":{"buttonTitle":"Send"}},"#
        + #"{"identifier":"L","title":"Like"}]}],"#
        + #""entitlements":["com.apple.developer.usernotifications.time-sensitive"]}"#

    /// A device with notifications 1 and 2 of a known category; the second one caused a prompt.
    private func prepare(_ admin: AdminFixture) async throws {
        let app = try await admin.send("PUT", "/api/v1/apps/com.example.app", Self.category)
        #expect(app.status == 201, "\(app.text)")
        let focus = #"{"focus":{"modes":[{"id":"work","name":"Work"}]}}"#
        _ = try await admin.send("PUT", "/api/v1/devices/phone", focus)
        let token = try admin.register()
        let payload = #"{"aps":{"alert":"Hi","category":"M","badge":2}}"#
        let urgent = #"{"aps":{"alert":"Now","category":"M","interruption-level":"time-sensitive"}}"#
        #expect(admin.push(token, payload, fields: [("apns-push-type", "alert"), ("apns-collapse-id", "c")]) == 200)
        #expect(admin.push(token, urgent) == 200)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        /// Without the braces.
        var body: String
        /// The expected events, in order.
        var events: [String]

        init(_ body: String, _ events: String...) {
            self.body = body
            self.events = events
        }

        var testDescription: String { body }
    }

    static let rows = [
        Row(#""action":"lock""#, "act"), Row(#""action":"unlock""#, "act"), Row(#""action":"wake""#, "act"),
        Row(#""action":"open""#, "act"), Row(#""action":"open","app":"com.example.app""#, "act", "appLaunch"),
        Row(#""action":"terminate","app":"com.example.app""#, "act"), Row(#""action":"restart""#, "act"),
        Row(#""action":"uninstall","app":"com.example.app""#, "act", "removed", "removed", "badge"),
        Row(#""action":"tap","notification":1"#, "act", "removed", "appLaunch", "response"),
        Row(#""action":"dismiss","notification":1"#, "act", "removed"),
        Row(#""action":"clear""#, "act", "removed", "removed"),
        Row(#""action":"clear","app":"com.example.app""#, "act", "removed", "removed"),
        Row(#""action":"perform","notification":1,"actionIdentifier":"L""#, "act", "removed", "appLaunch", "response"),
        Row(
            #""action":"perform","notification":1,"actionIdentifier":"R","text":"Yes""#, "act", "removed", "appLaunch",
            "response"),
        Row(#""action":"switchFocus","focus":"work""#, "act", "focusStarted"),
        Row(#""action":"switchFocus","focus":null"#, "act"),
        Row(#""action":"answer","app":"com.example.app","choice":"turnOff""#, "act", "settingsChanged"),
        Row(#""action":"setBadge","app":"com.example.app","count":7"#, "act", "badge"),
        Row(#""action":"setBadge","app":"com.example.app","count":0"#, "act", "badge", "removed", "removed"),
        Row(#""action":"removeDelivered","app":"com.example.app","identifiers":["c"]"#, "act", "removed"),
        Row(#""action":"removeAllDelivered","app":"com.example.app""#, "act", "removed", "removed"),
    ]

    @Test(arguments: rows) func anActAnswersWithItsEvents(_ row: Row) async throws {
        try await prepare(admin)
        let before = try #require(admin.gateway.simulator.device(named: "phone")).eventCount
        let answer = try await admin.send("POST", Self.path, "{\(row.body)}")
        #expect(answer.status == 200, "\(answer.text)")
        let events = admin.gateway.simulator.events(EventQuery(device: "phone", since: before)).items
        #expect(events.map(\.kind.rawValue) == row.events)
        let numbers = events.map { #""number":\#($0.number)"# }
        #expect(numbers.allSatisfy(answer.text.contains))
        let listed = try await admin.get("/api/v1/devices/phone/events?since=\(before)").text
        #expect(listed.hasPrefix(answer.text.dropLast(2)))
    }

    @Test func aDeviceThatIsOffRejectsEveryAct() async throws {
        try await prepare(admin)
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isPoweredOn":false}"#)
        let paths = ["", "/events?limit=1000", "/screen"].map { "/api/v1/devices/phone" + $0 }
        var before: [String] = []
        for path in paths { before.append(try await admin.get(path).text) }
        for row in Self.rows {
            let answer = try await admin.send("POST", Self.path, "{\(row.body)}")
            #expect(answer.status == 409, "\(row.body)")
            #expect(answer.text.contains("'phone' is switched off"), "\(answer.text)")
        }
        for (path, text) in zip(paths, before) { #expect(try await admin.get(path).text == text) }
        _ = try await admin.send("PATCH", "/api/v1/devices/phone", #"{"isPoweredOn":true}"#)
        #expect(try await admin.send("POST", Self.path, #"{"action":"wake"}"#).status == 200)
    }

    @Test func everyActHasARow() {
        let words = Set(Self.rows.map { $0.body.split(separator: "\"")[2] })
        #expect(words.count == 16)
    }

    static let refusals: [(body: String, status: Int, words: String)] = [
        ("", 400, "'action' is missing; accepted: lock"),
        (#""action":"swipe""#, 400, "'action' is 'swipe'; accepted: lock, unlock, wake"),
        (#""action":"tap""#, 400, "'tap' needs 'notification': a notification's number."),
        (#""action":"tap","notification":"1""#, 400, "'notification' is '1'; accepted: a whole number, 0 or more."),
        (#""action":"tap","notification":-1"#, 400, "'notification' is -1; accepted: a whole number, 0 or more."),
        (
            #""action":"tap","notification":1,"text":"x""#, 400,
            "'tap' does not accept 'text'; it accepts 'notification'"
        ),
        (#""action":"lock","app":"a""#, 400, "'lock' does not accept 'app'; it accepts no member."),
        (#""action":"tap","notifcation":1"#, 400, "'notifcation' is unknown; did you mean notification?"),
        (#""action":"tap","notification":9"#, 409, "no notification 9"),
        (#""action":"perform","notification":1"#, 400, "'perform' needs 'actionIdentifier'"),
        (#""action":"perform","notification":1,"actionIdentifier":"X""#, 400, "accepted are R, L"),
        (#""action":"perform","notification":1,"actionIdentifier":"R""#, 400, "The action 'R' takes a text."),
        (#""action":"perform","notification":1,"actionIdentifier":"L","text":"x""#, 400, "takes no text"),
        (#""action":"switchFocus","focus":"sleep""#, 400, "no Focus 'sleep'; accepted are work"),
        (#""action":"open","app":"com.other""#, 409, "no app 'com.other'; it has com.example.app; a registration"),
        (#""action":"terminate","app":"com.other""#, 409, "no app 'com.other'"),
        (#""action":"uninstall","app":"com.other""#, 409, "no app 'com.other'"),
        (#""action":"clear","app":"com.other""#, 409, "no app 'com.other'"),
        (#""action":"answer","app":"com.other","choice":"keep""#, 409, "no app 'com.other'"),
        (#""action":"setBadge","app":"com.other","count":1"#, 409, "no app 'com.other'"),
        (#""action":"removeDelivered","app":"com.other","identifiers":["c"]"#, 409, "no app 'com.other'"),
        (#""action":"removeAllDelivered","app":"com.other""#, 409, "no app 'com.other'"),
        (#""action":"answer","app":"com.example.app","choice":"keep""#, 400, "accepted are leaveOn, turnOff"),
        (
            #""action":"answer","app":"com.example.app","choice":"no""#, 400,
            "'choice' is 'no'; accepted: leaveOn, turnOff"
        ),
        (#""action":"setBadge","app":"com.example.app","count":-2"#, 400, "0 or more, not -2"),
        (#""action":"setBadge","app":"com.example.app""#, 400, "'setBadge' needs 'count': a whole number."),
        (#""action":"open","app":"a b""#, 400, "'app' is 'a b'"),
        (#""action":"uninstall""#, 400, "'uninstall' needs 'app': a bundle identifier."),
    ]

    @Test(arguments: refusals)
    func invalidActsAreRejectedAndChangeNothing(_ row: (body: String, status: Int, words: String)) async throws {
        try await prepare(admin)
        let before = try await admin.get("/api/v1/devices/phone").text
        let answer = try await admin.send("POST", Self.path, "{\(row.body)}")
        #expect(answer.status == row.status)
        #expect(answer.text.contains(row.words), "\(answer.text)")
        #expect(try await admin.get("/api/v1/devices/phone").text == before)
    }

    @Test func aRegistrationReinstallsAnApp() async throws {
        try await prepare(admin)
        let open = #"{"action":"open","app":"com.example.app"}"#
        let uninstall = #"{"action":"uninstall","app":"com.example.app"}"#
        #expect(try await admin.send("POST", Self.path, uninstall).status == 200)
        let refused = try await admin.send("POST", Self.path, open)
        #expect(refused.status == 409 && refused.text.contains("it has none"), "\(refused.text)")
        #expect(try await admin.send("POST", Self.path, uninstall).status == 409)
        try admin.register()
        #expect(try await admin.send("POST", Self.path, open).status == 200)
        // Apple's apps need no registration.
        let calendar = #"{"action":"open","app":"com.apple.mobilecal"}"#
        #expect(try await admin.send("POST", Self.path, calendar).status == 200)
    }
}

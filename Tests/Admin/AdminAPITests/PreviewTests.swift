import APNs
import DeviceSimulator
import Gateway
import JSON
import Testing

/// Previews: the result a push would have, without sending it.
@Suite(.admin) struct PreviewTests {
    static let topic = "com.example.app"

    /// A push, and the device's events before it.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var payload: String
        var query = ""
        var device = "{}"
        var settings = "{}"
        var app = "{}"
        /// How many equal pushes come first.
        var earlier = 0
        var isTerminated = false

        var testDescription: String { name }
    }

    static let alert = #"{"aps":{"alert":{"title":"Tea","body":"is ready"},"sound":"default"}}"#
    static let urgent = #"{"aps":{"alert":"Now","interruption-level":"time-sensitive"}}"#
    static let silent = #"{"aps":{"content-available":1}}"#
    static let work = #"{"focus":{"modes":[{"id":"work","name":"Work"}],"active":"work"}}"#
    static let mayUrge = #"{"entitlements":["com.apple.developer.usernotifications.time-sensitive"]}"#
    static let mayCriticalize = #"{"entitlements":["com.apple.developer.usernotifications.critical-alerts"]}"#
    static let summary = #"{"summary":{"isEnabled":true,"times":["18:00"]}}"#

    static let rows: [Row] = [
        Row(name: "alert", payload: alert),
        Row(name: "alert, unlocked", payload: alert, device: #"{"isLocked":false,"isScreenOn":true}"#),
        Row(name: "in the foreground", payload: alert, device: #"{"isLocked":false,"foregroundApp":"\#(topic)"}"#),
        Row(name: "silent switch", payload: alert, device: #"{"ringSwitch":"silent"}"#),
        Row(name: "Focus", payload: alert, device: work),
        Row(name: "passive", payload: #"{"aps":{"alert":"Hi","interruption-level":"passive"}}"#),
        Row(name: "summary", payload: alert, device: summary, settings: #"{"scheduledDelivery":"enabled"}"#),
        Row(name: "time sensitive, first", payload: urgent, device: work, app: mayUrge),
        Row(name: "time sensitive, second", payload: urgent, app: mayUrge, earlier: 1),
        Row(name: "time sensitive, not entitled", payload: urgent, device: work),
        Row(
            name: "critical", payload: #"{"aps":{"alert":"Fire","sound":{"critical":1,"name":"a.caf","volume":0.5}}}"#,
            device: work, settings: #"{"criticalAlert":"enabled"}"#, app: mayCriticalize),
        Row(name: "provisional, first", payload: alert, settings: #"{"authorizationStatus":"provisional"}"#),
        Row(
            name: "provisional, second", payload: alert, settings: #"{"authorizationStatus":"provisional"}"#,
            earlier: 1),
        Row(name: "denied", payload: alert, settings: #"{"authorizationStatus":"denied"}"#),
        Row(name: "no alerts", payload: alert, settings: #"{"alert":"disabled"}"#),
        Row(name: "badge only", payload: #"{"aps":{"badge":3}}"#),
        Row(name: "no JSON", payload: #"{"aps":[]}"#),
        Row(name: "hidden", payload: alert, device: #"{"showPreviews":"never"}"#),
        Row(name: "offline", payload: alert, device: #"{"isOnline":false}"#),
        Row(name: "off", payload: alert, device: #"{"isPoweredOn":false}"#),
        Row(name: "saves power", payload: alert, query: "&priority=5", device: #"{"isSavingPower":true}"#),
        Row(name: "asleep", payload: alert, query: "&priority=1", device: #"{"isScreenOn":false}"#),
        Row(name: "collapsed", payload: alert, query: "&collapseId=x", earlier: 1),
        Row(name: "superseding", payload: alert, query: "&collapseId=x", device: #"{"isOnline":false}"#, earlier: 1),
        Row(name: "background", payload: silent, query: "&pushType=background&priority=5", earlier: 2),
        Row(name: "background, budget", payload: silent, query: "&pushType=background&priority=5", earlier: 3),
        Row(
            name: "background, terminated", payload: silent, query: "&pushType=background&priority=5",
            isTerminated: true),
        Row(name: "wakes the app", payload: #"{"aps":{"alert":"Hi","content-available":1}}"#),
        Row(
            name: "wakes the app although denied", payload: #"{"aps":{"alert":"Hi","content-available":1}}"#,
            settings: #"{"authorizationStatus":"denied"}"#),
        Row(
            name: "wakes no terminated app", payload: #"{"aps":{"alert":"Hi","content-available":1}}"#,
            settings: #"{"authorizationStatus":"denied"}"#, isTerminated: true),
        Row(name: "mutable without extension", payload: #"{"aps":{"alert":"Hi","mutable-content":1}}"#),
    ]

    @Test(arguments: rows) func aPushHasTheOutcomeOfItsPreviews(_ row: Row) async throws {
        try await Self.prepare(admin, row)
        for _ in 0..<row.earlier { try await Self.push(admin, row) }
        let before = try await Self.preview(admin, row.form)
        let pushed = try await Self.push(admin, row)
        let id = try #require(pushed["id"])
        let after = try await Self.preview(admin, ["notification": id])
        for previewed in [before, after] { #expect(previewed.map(\.text) == [pushed.withoutRecord.text]) }
    }

    /// A row's setup is the change under test.
    @Test(arguments: rows.filter { $0.earlier == 0 && !$0.isTerminated })
    func aChangeMergesAsAPatchDoes(_ row: Row) async throws {
        let plain = Row(name: "", payload: row.payload, query: row.query)
        try await Self.prepare(admin, plain)
        let change = row.change
        let new = try await Self.preview(admin, plain.form.adding(["changes": .array([change])]))
        let id = try #require(try await Self.push(admin, plain)["id"])
        let recorded = try await Self.preview(admin, ["notification": id, "changes": .array([[:], change])])
        try await Self.prepare(admin, row, device: "other")
        let pushed = try await Self.push(admin, row, device: "other").withoutRecord
        #expect(new.map { $0.named("other").text } == [pushed.text])
        #expect(try #require(recorded.last).named("other").text == pushed.text)
    }

    @Test func anOfflineDeviceDiscardsWhatIsNotStored() async throws {
        let row = Row(name: "", payload: Self.alert, device: #"{"isOnline":false}"#)
        try await Self.prepare(admin, row)
        let discarded = try await Self.preview(admin, row.form.adding(["expiration": .integer(0)]))
        #expect(discarded[0]["state"] == .string("discarded"))
        #expect(discarded[0]["discardReason"] == .string("notStored"))
    }

    @Test func aPreviewKnowsTheDevicesTokensAndChannels() async throws {
        let channel = try admin.gateway.createChannel(for: Self.topic, in: .sandbox, .none)
        _ = try await admin.send("PUT", "/api/v1/devices/phone", "{}")
        let payload =
            #"{"aps":{"event":"start","timestamp":1795244400,"attributes-type":"Ride","attributes":{},"#
            + #""content-state":{},"input-push-channel":"\#(channel)","alert":{"title":"Tea","body":"is ready"}}}"#
        let topic = Self.topic + ".push-type.liveactivity"
        let new = try await Self.preview(
            admin,
            [
                "device": .string("phone"), "topic": .string(topic), "pushType": .string("liveactivity"),
                "payload": .string(payload),
            ])
        #expect(new.map { $0["state"] } == [.string("delivered")])
        let path = "/api/v1/devices/phone/push?topic=\(topic)&pushType=liveactivity"
        #expect(try await admin.send("POST", path, payload).status == 201)
        let recorded = try await Self.preview(admin, ["notification": .integer(1)])
        #expect(recorded.map { $0["state"] } == [.string("delivered")])
    }

    // MARK: No effect

    @Test func aPreviewHasNoEffect() async throws {
        for (index, row) in Self.rows.enumerated() {
            try await Self.prepare(admin, row, device: "phone-\(index)")
            try await Self.push(admin, row, device: "phone-\(index)")
        }
        let before = try await Self.everything(admin)
        for (index, row) in Self.rows.enumerated() {
            let form = row.form.named("phone-\(index)")
            let id: JSONValue = .integer(index + 1)
            // Last, so that no later change undoes its possible side effects.
            let other = Row(name: "", payload: "", device: Self.work, app: #"{"displayName":"Other"}"#).change
            let changes: JSONValue = ["changes": .array(Self.rows.map(\.change).suffix(31) + [other])]
            #expect(try await Self.preview(admin, form.adding(changes)).count == 32)
            _ = try await Self.preview(admin, changes.adding(["notification": id]))
        }
        let large = Row(name: "", payload: #"{"aps":"\#(String(repeating: "a", count: 5000))"}"#).form
        #expect(try await Self.send(admin, large.named("phone-0")).status == 413)
        // A topic without a token on the device.
        _ = try await Self.preview(
            admin, Self.rows[0].form.named("phone-0").adding(["topic": .string("com.example.other")]))
        #expect(try await Self.everything(admin) == before)
        #expect(admin.gateway.simulator.takeExtensionRequests().isEmpty)
    }

    private static func everything(_ admin: AdminFixture) async throws -> [String] {
        var answers: [String] = []
        for path in [
            "/api/v1/state", "/api/v1/requests", "/metrics", "/api/v1/info", "/api/v1/devices?limit=1000",
            "/api/v1/connections", "/api/v1/devices/phone-0/events", "/api/v1/notifications?limit=1000",
        ] {
            let answer = try await admin.get(path)
            #expect(answer.status == 200)
            answers.append(answer.text)
        }
        return answers
    }

    // MARK: Service extensions

    @Test func theRecordedAnswerReplacesTheExtensionRun() async throws {
        let id = try await admin.push(changedBy: PeopleTests.message())
        let recorded = try await Self.detail(admin, id)
        let number: JSONValue = ["notification": .integer(id)]
        #expect(try await Self.preview(admin, number).map(\.text) == [recorded.withoutRecord.text])
        let without: JSONValue = ["app": ["extension": .some(.null)]]
        let offline: JSONValue = ["device": ["isOnline": .bool(false)]]
        let changes: JSONValue = ["changes": .array([[:], without, offline])]
        let after = try await Self.preview(admin, number.adding(changes).adding(["extension": .string("after")]))
        #expect(after.map { $0["isCommunication"] } == [.bool(true), .bool(false), nil])
        let states: [JSONValue?] = [.string("finished"), .string("notEmployed"), .string("waiting")]
        #expect(after.map { $0["extension"]?["state"] } == states)
        let original = try await Self.preview(admin, number.adding(["extension": .string("original")]))
        #expect(original[0]["extension"]?["state"] == .string("notRun"))
        #expect(original[0]["isCommunication"] == .bool(false))
        let new = Row(name: "", payload: #"{"aps":{"alert":"Hi","mutable-content":1}}"#).form
        #expect(try await Self.preview(admin, new)[0]["extension"]?["state"] == .string("notRun"))
    }

    // MARK: Rejected

    static let refusedPushes: [(query: String, form: JSONValue, payload: String, reason: String)] = [
        ("topic=\(topic)", [:], #"{"aps":"\#(String(repeating: "a", count: 4087))"}"#, "PayloadTooLarge"),
        ("topic=a%20b", ["topic": .string("a b")], alert, "BadTopic"),
        ("topic=\(topic)&priority=7", ["priority": .integer(7)], alert, "BadPriority"),
        ("topic=\(topic)&pushType=x", ["pushType": .string("x")], alert, "InvalidPushType"),
        (
            "topic=\(topic)&collapseId=\(String(repeating: "c", count: 65))",
            ["collapseId": .string(String(repeating: "c", count: 65))], alert, "BadCollapseId"
        ),
        ("topic=\(topic)", [:], "{", "not valid JSON"),
        ("topic=\(topic)", [:], "[]", "must be a JSON object"),
    ]

    @Test func aRejectedPushHasTheSameReasonInAPreview() async throws {
        try admin.register()
        for row in Self.refusedPushes {
            let pushed = try await admin.send("POST", "/api/v1/devices/phone/push?\(row.query)", row.payload)
            let form: JSONValue = [
                "device": .string("phone"), "topic": .string(Self.topic), "payload": .string(row.payload),
            ]
            let previewed = try await Self.send(admin, form.adding(row.form))
            #expect(pushed.status >= 400 && pushed.text.contains(row.reason), "\(pushed.text)")
            #expect(previewed.status == pushed.status && previewed.text == pushed.text)
        }
        let largest = #"{"aps":"\#(String(repeating: "a", count: 4085))"} "#
        let fits: JSONValue = [
            "device": .string("phone"), "topic": .string(Self.topic), "payload": .string(largest),
        ]
        #expect(try await Self.send(admin, fits).status == 200)
        #expect(try await Self.send(admin, fits.adding(["payload": .string(largest + " ")])).status == 413)
    }

    static let refusedForms: [(form: String, status: Int, names: String)] = [
        (#"{}"#, 400, "'device' is missing"),
        (#"{"notification":1,"device":"phone"}"#, 400, "'notification' and 'device'"),
        (#"{"notification":0}"#, 400, "'notification'"),
        (#"{"notification":99}"#, 404, "99"),
        (#"{"notification":1,"extension":"after"}"#, 400, "'extension' is 'after'"),
        (#"{"notification":1,"extension":"x"}"#, 400, "original or after"),
        (#"{"device":"nobody","topic":"a","payload":{}}"#, 404, "nobody"),
        (#"{"device":"phone","topic":"a"}"#, 400, "'payload' is missing"),
        (#"{"device":"phone","payload":{}}"#, 400, "The app is missing"),
        (#"{"device":"phone","topic":"a","payload":{},"extension":"after"}"#, 400, "'extension' is 'after'"),
        (#"{"notification":1,"changes":{}}"#, 400, "'changes'"),
        (#"{"notification":1,"changes":[3]}"#, 400, "'changes[0]'"),
        (#"{"notification":1,"changes":[{},{"isLocked":false}]}"#, 400, "'changes[1].isLocked'"),
        (#"{"notification":1,"changes":[{"device":{"isLocked":3}}]}"#, 400, "'changes[0].device.isLocked'"),
        (#"{"notification":1,"changes":[{"device":null}]}"#, 400, "'changes[0].device'"),
        (#"{"notification":1,"changes":[{"settings":{"alert":"x"}}]}"#, 400, "'changes[0].settings.alert'"),
        (#"{"notification":1,"changes":[{"app":{"bundleId":"x"}}]}"#, 400, "'changes[0].app.bundleId'"),
        (#"{"notification":1,"changes":[\#(Array(repeating: "{}", count: 33).joined(separator: ","))]}"#, 400, "32"),
    ]

    @Test func anErrorNamesItsPlace() async throws {
        try await Self.push(admin, Self.rows[0])
        for row in Self.refusedForms {
            let answer = try await admin.send("POST", "/api/v1/preview", row.form)
            #expect(answer.status == row.status && answer.text.contains(row.names), "\(row.form): \(answer.text)")
        }
        let most = "[" + Array(repeating: "{}", count: 32).joined(separator: ",") + "]"
        let answer = try await admin.send("POST", "/api/v1/preview", #"{"notification":1,"changes":\#(most)}"#)
        #expect(answer.status == 200)
    }

    // MARK: Fixture

    private static func prepare(_ admin: AdminFixture, _ row: Row, device: String = "phone") async throws {
        #expect(try await admin.send("PUT", "/api/v1/apps/\(topic)", row.app).status < 300)
        try admin.register(device)
        let edit = try #require(JSONValue(row.device)).adding(["apps": [topic: JSONValue(row.settings)]])
        let patched = try await admin.send("PATCH", "/api/v1/devices/\(device)", edit.text)
        #expect(patched.status == 200, "\(patched.text)")
        guard row.isTerminated else { return }
        let act = #"{"action":"terminate","app":"\#(topic)"}"#
        #expect(try await admin.send("POST", "/api/v1/devices/\(device)/actions", act).status == 200)
    }

    @discardableResult
    private static func push(_ admin: AdminFixture, _ row: Row, device: String = "phone") async throws -> JSONValue {
        let path = "/api/v1/devices/\(device)/push?topic=\(topic)\(row.query)"
        let answer = try await admin.send("POST", path, row.payload)
        #expect(answer.status == 201, "\(answer.text)")
        let id = try #require(admin.gateway.simulator.notifications(.init(limit: .max)).items.last?.sequence)
        return try await detail(admin, id)
    }

    private static func detail(_ admin: AdminFixture, _ id: UInt64) async throws -> JSONValue {
        try #require(JSONValue(try await admin.get("/api/v1/notifications/\(id)").text))
    }

    private static func send(_ admin: AdminFixture, _ form: JSONValue) async throws -> Answer {
        try await admin.send("POST", "/api/v1/preview", form.text)
    }

    private static func preview(_ admin: AdminFixture, _ form: JSONValue) async throws -> [JSONValue] {
        let answer = try await send(admin, form)
        #expect(answer.status == 200, "\(answer.text)")
        guard case .array(let outcomes) = JSONValue(answer.text)?["outcomes"] else { return [] }
        return outcomes
    }
}

extension PreviewTests.Row {
    /// The push for `POST /preview`.
    fileprivate var form: JSONValue {
        var form: JSONValue = [
            "device": .string("phone"), "topic": .string(PreviewTests.topic), "payload": .string(payload),
        ]
        for part in query.split(separator: "&") {
            let halves = part.split(separator: "=").map(String.init)
            let value = Int(halves[1]).map { JSONValue.integer($0) } ?? .string(halves[1])
            form = form.adding([halves[0]: value])
        }
        return form
    }

    fileprivate var change: JSONValue {
        ["device": JSONValue(device), "settings": JSONValue(settings), "app": JSONValue(app)]
    }
}

extension JSONValue {
    fileprivate init?(_ text: String) { self.init(Array(text.utf8).span.bytes) }

    fileprivate var text: String { String(decoding: bytes, as: UTF8.self) }

    fileprivate func named(_ device: String) -> JSONValue { adding(["device": .string(device)]) }

    /// The members of a notification that a preview has.
    fileprivate var withoutRecord: JSONValue {
        let recorded = ["id", "identifier", "token", "apnsId", "apnsUniqueId", "request", "timeline"]
        guard case .object(let members) = self else { return self }
        return .object(members.filter { !recorded.contains($0.key) })
    }
}

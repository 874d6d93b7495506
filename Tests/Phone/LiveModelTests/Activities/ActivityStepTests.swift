import APNs
import DeviceModel
import Fields
import JSON
import LiveModel
import TestSupport
import Testing
import Time

/// Steps of a start, versions of iOS and budgets (live.md L1.1, L1.2, L1.5, L1.6).
@Suite struct ActivityStepTests {
    static let channel = #","input-push-channel":"AAAA""#

    private func appStart(_ edit: (inout ActivityStart) -> Void = { _ in }) -> ActivityInput {
        .start(
            Phone.appStart {
                $0.isIntent = true
                edit(&$0)
            })
    }

    @Test("T1 a push-to-start token is issued without any activity, and accepts starts only")
    func pushToStart() throws {
        var phone = try Phone()
        try phone.act(.issuePushToStart(app: Phone.app, .sandbox))
        #expect(phone.table.settings(of: Phone.app).pushToStart.count == 1 && phone.table.activities.isEmpty)
        let update = phone.push(#"{"event":"update"}"#, to: .pushToStart(isStale: false, type: nil))
        #expect(update.reason == .eventNotForToken)
        #expect(update.notes.map(\.id) == ["la.tokenKind"])
    }

    @Test("T10 push-to-start tokens belong to an environment") func environments() throws {
        var phone = try Phone()
        try phone.act(.issuePushToStart(app: Phone.app, .sandbox))
        try phone.act(.issuePushToStart(app: Phone.app, .production))
        #expect(phone.table.settings(of: Phone.app).pushToStart.map(\.environment) == [.sandbox, .production])
    }

    @Test("S4 S5 S6 a start requests a token or names a known channel, never both")
    func inputs() throws {
        var phone = try Phone()
        phone.channels = ["AAAA"]
        phone.start()
        phone.start(more: #","input-push-token":1"#)
        phone.start(more: Self.channel)
        #expect(phone.table.activities.map(\.push.kind) == [.token, .token, .channel])
        #expect(phone.start(more: #","input-push-token":1"# + Self.channel).reason == .inputBoth)
        #expect(phone.start(more: #","input-push-channel":"BBBB""#).reason == .channelUnknown)
    }

    @Test("S8 a start wakes the app in the background, unless it is in the foreground") func wakes() throws {
        var phone = try Phone.started()
        #expect(phone.details(of: .appLaunch)?["state"] == .string("background"))
        phone.events = []
        phone.unlock(in: Phone.app)
        phone.start()
        #expect(!phone.kinds.contains(.appLaunch))
    }

    @Test("S9 only an activity started by a push, with a token, waits for consent") func consent() throws {
        var phone = try Phone(setting: .undecided)
        phone.start()
        phone.start(more: Self.channel)
        try phone.act(appStart { $0.push = .token })
        #expect(phone.table.activities.map(\.push.consentPending) == [true, false, false])
        #expect(phone.table.activities.map { $0.push.token != nil } == [false, false, true])
        try phone.act(.answer(app: Phone.app, .allow))
        #expect(phone.first.push.token != nil)
    }

    @Test("S11 two equal starts make two activities") func twice() throws {
        var phone = try Phone.started()
        #expect(phone.start().notes.contains { $0.id == "la.start.duplicate" })
        #expect(Set(phone.table.activities.map(\.id)).count == 2)
        phone.channels = ["AAAA"]
        let dropped = phone.start(more: #","input-push-token":1"# + Self.channel)
        #expect(dropped.reason == .inputBoth && !dropped.notes.contains { $0.id == "la.start.duplicate" })
    }

    @Test("S11 a start with other attributes is no duplicate") func otherOrder() throws {
        var phone = try Phone.started()
        let other =
            #"{"event":"start","timestamp":1800000000,"attributes-type":"Delivery","attributes":{"orderId":"8"},"#
        let decision = phone.push(
            other + #""content-state":\#(Phone.cs1),"alert":{"title":"On its way"}}"#,
            to: .pushToStart(isStale: false, type: nil))
        #expect(decision.reason == nil && !decision.notes.contains { $0.id == "la.start.duplicate" })
    }

    @Test("HIG five alerts of updates are too many; those of starts, and of dropped pushes, do not count")
    func alerts() throws {
        var phone = try Phone()
        for _ in 1...4 { phone.start() }
        func hasNote(_ decision: ActivityDecision) -> Bool {
            decision.notes.contains { $0.id == "la.alert.everyUpdate" }
        }
        let alert = #","alert":{"title":"Near","sound":"default"}"#
        for second in 1...4 { #expect(!hasNote(phone.update(at: Double(second), more: alert))) }
        #expect(hasNote(phone.update(at: 5, more: alert)))
        #expect(!hasNote(phone.update(at: 1, more: alert)))
        #expect(!hasNote(phone.update(at: 6)))
        phone.now = phone.now.advanced(by: .seconds(601))
        #expect(!hasNote(phone.update(at: 7, more: alert)), "only one in ten minutes")
    }

    @Test("9 an update that is too large with the activity's attributes has its size", arguments: [4081, 4082])
    func size(_ byteCount: Int) throws {
        var phone = try Phone.started()
        let rest = #"{"eta":0,"step":2,"t":""}"#.utf8.count
        let text = String(repeating: "x", count: byteCount - rest)
        let update = phone.update(at: 1, state: #"{"eta":0,"step":2,"t":"\#(text)"}"#)
        #expect(update.reason == (byteCount == 4081 ? nil : .tooLarge))
        #expect(
            update.notes.filter { $0.id == "la.size.4k" }.map(\.detail) == (byteCount == 4081 ? [] : ["4097 bytes"]))
    }

    @Test("B9 a reordered older broadcast changes nothing") func reordered() throws {
        var phone = try Phone()
        phone.start(more: Self.channel)
        var effects = DeviceEffects()
        for (second, step) in [(60, 2), (30, 1)] {
            let update =
                #"{"event":"update","timestamp":\#(1_800_000_000 + second),"content-state":{"eta":0,"step":\#(step)}}"#
            var message = BroadcastReceiptTests.message(update, phone)
            _ = phone.table.receive(&message, phone.context, &effects)
        }
        #expect(phone.step == .integer(2))
        #expect(effects.events.last?.details["reason"] == .string("timestampOlder"))
    }

    @Test("7a 7b an old timestamp: updates within the skew limit apply, an end always applies unless assumed otherwise")
    func old() throws {
        var phone = try Phone.started()
        phone.assumptions.maxPastSkew = 60_000
        phone.advance(to: 100)
        #expect(phone.update(at: 40).reason == nil)
        #expect(phone.update(at: 40 - 0.001).reason == .timestampOlder)
        phone.advance(to: 101)
        #expect(phone.update(at: 40).reason == .timestampPast)
        phone.assumptions.endIgnoresTimestamp = false
        #expect(phone.update(at: 10, "end").trace.steps.last?.rule == "7b")
        phone.assumptions.endIgnoresTimestamp = true
        #expect(phone.update(at: 10, "end").reason == nil)
    }

    @Test("L-7 an update in the second of the app's start, or of its own update, is applied") func sameSecond() throws {
        var phone = try Phone()
        phone.advance(to: 0.865)
        try phone.act(appStart { $0.push = .token })
        #expect(phone.update(at: 0).reason == nil)
        #expect(phone.update(at: -1).reason == .timestampOlder)
        phone.advance(to: 5.5)
        let update = ActivityUpdate.with { $0.content = ["eta": .integer(821_692_800), "step": .integer(3)] }
        try phone.act(.update(phone.first.id, update))
        #expect(phone.update(at: 5).reason == nil)
        // A reset of the clock leaves it in the second that it is then.
        let clock = ClockReturn(to: Instant(seconds: Phone.t0 + 2.7), from: phone.now)
        var state = LiveState()
        state.activities = phone.table
        state.setBack(clock, phone.context)
        (phone.table, phone.now) = (state.activities, clock.now)
        #expect(phone.update(at: 2).reason == nil)
    }

    @Test("an app's end has a timestamp, too") func ends() throws {
        var phone = try Phone.started()
        var end = ActivityEnd.with { $0.timestamp = Instant(seconds: Phone.t0 - 1) }
        phone.assumptions.endIgnoresTimestamp = false
        try phone.act(.end(phone.first.id, end))
        #expect(phone.first.state == .active && phone.first.log.last?.reason == .timestampOlder)
        end.timestamp = Instant(seconds: Phone.t0 + 1)
        end.content = ["eta": .integer(0), "step": .integer(3)]
        try phone.act(.end(phone.first.id, end))
        #expect(phone.first.state == .ended && phone.first.lastTimestamp == Phone.t0 + 1)
    }

    @Test("a scheduled start alerts even if it is due at once") func startsAtOnce() throws {
        var phone = try Phone()
        try phone.act(appStart { ($0.startsAt, $0.alert) = (phone.now, .with { $0.title = "On its way" }) })
        #expect(phone.first.state == .active)
        #expect(phone.kinds.filter { $0 == .activityAlert }.count == 1)
    }

    // MARK: Versions

    static let versions: [(OSVersion, more: String, reason: DiscardReason?)] = [
        (OSVersion(17, 1), "", .unsupported), (OSVersion(17, 2), "", nil),
        (OSVersion(17, 9), channel, .unsupported), (OSVersion(18), channel, nil),
    ]

    @Test("L1.6 S4 starts by push require iOS 17.2, channels iOS 18", arguments: versions.indices)
    func version(_ index: Int) throws {
        let row = Self.versions[index]
        var phone = try Phone()
        phone.device.osVersion = row.0
        let decision = phone.start(more: row.more)
        #expect(decision.reason == row.reason)
        let trace = decision.trace
        #expect(trace.steps[trace.decisive].rule == (row.reason == nil ? "S8" : "4.version"))
    }

    @Test("L1.6 errors of the app's calls name the version that a feature requires") func appVersions() throws {
        var phone = try Phone()
        let startsAt = phone.now.advanced(by: 1000)
        let rows: [(OSVersion, OSVersion, ActivityInput)] = [
            (OSVersion(16, 0), OSVersion(16, 1), appStart()),
            (OSVersion(16, 1), OSVersion(16, 2), appStart { $0.staleDate = startsAt }),
            (OSVersion(16, 1), OSVersion(16, 2), appStart { $0.relevance = 5 }),
            (OSVersion(17, 9), OSVersion(18), appStart { $0.push = .channel("AAAA") }),
            (OSVersion(18, 6), OSVersion(26), appStart { ($0.startsAt, $0.alert) = (startsAt, ActivityAlertText()) }),
            (OSVersion(17, 1), OSVersion(17, 2), .issuePushToStart(app: Phone.app, .sandbox)),
        ]
        for (old, new, input) in rows {
            phone.device.osVersion = old
            #expect { try phone.act(input) } throws: { error in
                (error as? DeviceError)?.message.contains("need iOS \(new), and the device has iOS \(old);") == true
            }
            phone.device.osVersion = new
            try phone.act(input)
        }
    }

    @Test("L1.6 iOS 16.1 ignores stale dates and relevance scores, and has no frequent updates")
    func refinements() throws {
        var phone = try Phone()
        phone.apps[Phone.app]?.liveActivities?.frequentKey = true
        phone.device.osVersion = OSVersion(16, 1)
        try phone.act(appStart { $0.push = .token })
        for (version, stale, relevance) in [
            (OSVersion(16, 1), LiveActivity.State.active, 0.0), (OSVersion(16, 2), .stale, 7),
        ] {
            phone.device.osVersion = version
            phone.update(at: 1, more: #","stale-date":\#(Int(Phone.t0)),"relevance-score":7"#)
            #expect(phone.first.state == stale && phone.first.relevance == relevance)
        }
        let app = try #require(phone.apps[Phone.app])
        let settings = phone.table.settings(of: Phone.app)
        #expect(settings.updateLimit(app, on: OSVersion(16, 1), Assumptions()) == Assumptions().updateBudget)
        #expect(settings.updateLimit(app, on: OSVersion(16, 2), Assumptions()) == Assumptions().frequentUpdateBudget)
    }

    @Test("L1.6 the watch shows activities from iOS 18, CarPlay from iOS 26") func surfaces() throws {
        var phone = try Phone()
        phone.device.isCarPlayConnected = true
        phone.start()
        for (version, counts) in [(OSVersion(17, 9), [0, 0]), (OSVersion(18), [1, 0]), (OSVersion(26), [1, 1])] {
            phone.device.osVersion = version
            let screen = phone.table.surfaces(phone.context)
            #expect([screen.watch.count, screen.carPlay.count] == counts)
            #expect((screen.watchAlert == nil) == screen.watch.isEmpty)
        }
    }

    @Test(
        "versions are parsed as two numbers",
        arguments: [("17.2", true), ("26.0", true), ("26", false), ("17.02", false)])
    func versionText(_ text: String, _ isValid: Bool) {
        var device = DeviceConditions()
        #expect((try? device.apply(["osVersion": .string(text)])) != nil || !isValid)
        #expect((device.osVersion.description == text) == isValid)
    }

    @Test("L1.4 a locked device dims its cards until unlocked if assumed") func greys() throws {
        var phone = try Phone.started()
        #expect(phone.table.surfaces(phone.context).lockScreen.map(\.isGreyed) == [false])
        phone.device.showsActivitiesWhenLocked = false
        let card = try #require(phone.table.surfaces(phone.context).lockScreen.first)
        #expect(card.isGreyed && card.title.isEmpty && card.lines.isEmpty)
        phone.unlock(in: nil)
        #expect(phone.table.surfaces(phone.context).lockScreen.map(\.title) == ["Order 7"])
    }

    @Test("numbers too large for a Double can be explained and stored", arguments: ["-1e30", "-1e999", "1e999"])
    func hugeNumbers(_ number: String) throws {
        var phone = try Phone()
        phone.start(more: #","relevance-score":\#(number)"#)
        let decision = phone.push(#"{"event":"end","timestamp":\#(number)}"#, to: .activity(phone.first.id))
        #expect(decision.trace.steps.allSatisfy { !$0.facts.isEmpty })
        #expect(phone.first.relevance.isFinite && decision.timestamp?.isFinite == true)
        #expect(throws: FieldError.self) { try ActivityStart(json: ["relevance": .number(.infinity)]) }
    }

    @Test("L1.4 the watch shows the latest alert that no Focus suppressed") func watchAlert() throws {
        var phone = try Phone.started()
        try phone.device.apply(["focus": ["modes": .array([["id": .string("work")]]), "active": .string("work")]])
        phone.update(at: 1, more: #","alert":{"title":"Quiet","body":"Now"}"#)
        #expect(phone.details(of: .activityAlert)?["suppressedBy"] == .string("focus"))
        #expect(phone.table.surfaces(phone.context).watchAlert?.title == "On its way")
    }

    // MARK: Budgets

    private func held() throws -> Phone {
        var phone = try Phone()
        phone.assumptions.enforceActivityBudgets = true
        phone.assumptions.holdUntilRefill = true
        phone.assumptions.updateBudget = 2
        phone.start()
        for step in 2...3 { phone.update(at: 0, state: #"{"eta":0,"step":\#(step)}"#) }
        return phone
    }

    @Test("L1.5 holdUntilRefill: an update beyond the budget is applied when the budget has refilled")
    func holds() throws {
        var phone = try held()
        let decision = phone.update(at: 0, state: #"{"eta":0,"step":4}"#)
        #expect(decision.reason == nil && decision.trace.steps.last?.rule == "10.hold")
        #expect(decision.sentence == "Held the update until the app's budget refills.")
        #expect(phone.first.held?.until == phone.now.advanced(by: 1_800_000) && phone.step == .integer(3))
        phone.advance(to: 1799.999)
        #expect(phone.step == .integer(3))
        phone.advance(to: 1800)
        #expect(phone.step == .integer(4) && phone.first.held == nil)
        #expect(phone.table.decision(about: 4)?.sentence.hasPrefix("Updated the Live Activity") == true)
        #expect(phone.update(at: 1800).reason == nil && phone.first.held != nil, "the held one has used the refill")
    }

    @Test("L1.5 holdUntilRefill: a newer update replaces the held one, and an end discards it") func replaces() throws {
        var phone = try held()
        for step in 4...5 { phone.update(at: 0, state: #"{"eta":0,"step":\#(step)}"#) }
        #expect(phone.first.log.last?.reason == .throttled)
        #expect(phone.table.decision(about: 4)?.reason == .throttled)
        phone.advance(to: 1800)
        #expect(phone.step == .integer(5))
        phone.update(at: 1800)
        try phone.act(.end(phone.first.id, ActivityEnd()))
        #expect(phone.first.held == nil && phone.table.decision(about: 6)?.reason == .activityEnded)
        phone.advance(to: 7200)
        #expect(phone.step == .integer(5))
    }
}

import APNs
import DeviceModel
import JSON
import LiveModel
import TestSupport
import Testing
import Time

@Suite struct ActivityRuleTests {
    /// The cause of each reason.
    typealias Row = (
        reason: DiscardReason, prepare: @Sendable (inout Phone) -> Void,
        push: @Sendable (inout Phone) -> ActivityDecision
    )

    private static func p2s(_ isStale: Bool = false, _ type: String? = nil) -> ActivityAddress {
        .pushToStart(isStale: isStale, type: type)
    }

    static let rows: [Row] = [
        (.malformed, { _ in }, { $0.push("1", to: .activity("")) }),
        (.eventUnknown, { _ in }, { $0.push(#"{"event":"finish"}"#, to: .activity("")) }),
        (.eventNotForToken, { _ in }, { $0.push(#"{"event":"update"}"#, to: p2s()) }),
        (.eventNotForToken, { _ in }, { $0.push(#"{"event":"start"}"#, to: .activity("")) }),
        (.p2sTokenStale, { _ in }, { $0.push(#"{"event":"start"}"#, to: p2s(true)) }),
        (
            .wrongActivityType, { _ in },
            { $0.push(#"{"event":"start","attributes-type":"Delivery"}"#, to: p2s(false, "Ride")) }
        ),
        (.unsupported, { $0.apps[Phone.app]?.liveActivities?.supported = false }, { $0.start() }),
        (.denied, { $0.deny() }, { $0.start() }),
        (.timestampMissing, { _ in }, { $0.push(#"{"event":"update"}"#, to: .activity("")) }),
        (.timestampFuture, { _ in }, { $0.start(at: 8 * 3600 + 1) }),
        // L-11: milliseconds.
        (.timestampFuture, { _ in }, { $0.push(#"{"event":"update","timestamp":1800000000000}"#, to: .activity("")) }),
        (.timestampOlder, { $0.start() }, { $0.update(at: -1) }),
        (
            .timestampPast,
            {
                $0.assumptions.maxPastSkew = 60_000
                $0.start()
                $0.advance(to: 100)
            }, { $0.update(at: 39) }
        ),
        // L-2
        (.startWithoutAlert, { _ in }, { $0.start(alert: nil) }),
        (.unknownAttributesType, { _ in }, { $0.start(type: "Ride") }),
        (
            .attributesDecodeFailed, { _ in },
            {
                $0.push(
                    #"{"event":"start","timestamp":1800000000,"attributes-type":"Delivery","attributes":{},"#
                        + #""content-state":\#(Phone.cs1),"alert":{"title":"A"}}"#, to: p2s())
            }
        ),
        (.contentDecodeFailed, { _ in }, { $0.start(state: "{}") }),
        // L-4
        (.inputBoth, { _ in }, { $0.start(more: #","input-push-token":1,"input-push-channel":"AA""#) }),
        (.channelUnknown, { $0.channels = [] }, { $0.start(more: #","input-push-channel":"AA""#) }),
        (.limitApp, { $0.assumptions.activitiesPerApp = 0 }, { $0.start() }),
        (.limitDevice, { $0.assumptions.activitiesPerDevice = 0 }, { $0.start() }),
        (
            .p2sBudget,
            {
                ($0.assumptions.enforceActivityBudgets, $0.assumptions.startBudget) = (true, 1)
                $0.start()
            }, { $0.start() }
        ),
        (
            .activityEnded,
            {
                $0.start()
                $0.update(at: 1, "end")
            }, { $0.update(at: 2) }
        ),
        (.tooLarge, { $0.apps = [:] }, { $0.start(state: #"{"t":"\#(String(repeating: "x", count: 4096))"}"#) }),
        (
            .throttled,
            {
                ($0.assumptions.enforceActivityBudgets, $0.assumptions.updateBudget) = (true, 1)
                $0.start()
                $0.update(at: 1)
            }, { $0.update(at: 2) }
        ),
    ]

    @Test("L1.2 each reason has a push that produces it", arguments: rows.indices) func drops(_ index: Int) throws {
        var phone = try Phone()
        let (reason, prepare, push) = Self.rows[index]
        prepare(&phone)
        let activities = phone.table.activities.map(\.id)
        let decision = push(&phone)
        #expect(decision.reason == reason && phone.table.activities.map(\.id) == activities)
        #expect(phone.details(of: .activityPushDropped)?["reason"] == .string(reason.rawValue))
        let trace = decision.trace
        let step = trace.steps[trace.decisive]
        #expect(step.answer?.contains(reason.rawValue) == true)
        #expect(!step.facts.contains("Optional"))
    }

    @Test("every reason is covered") func isComplete() {
        #expect(Set(Self.rows.map(\.0)) == Set(DiscardReason.allCases.filter(\.isOfActivities)))
    }

    @Test("rule names are unique, and every fact is used by a rule or shown") func names() {
        for table in [addressTable, startTable, updateTable] {
            let names = table.rows.map(\.name)
            #expect(Set(names).count == names.count)
        }
        #expect(ActivityFact.allCases.count <= 128)
    }

    @Test("L-18 an end whose content does not decode keeps the content (11a)") func endKeeps() throws {
        var phone = try Phone.started()
        let decision = phone.update(at: 1, "end", state: "{}")
        #expect(decision.reason == nil && phone.first.state == .ended && phone.step == .integer(1))
    }

    @Test("the budget refills evenly, and priority 5 does not count") func budget() throws {
        var phone = try Phone()
        (phone.assumptions.enforceActivityBudgets, phone.assumptions.updateBudget) = (true, 2)
        phone.start()
        for second in 1...9 {
            #expect(phone.update(at: Double(second), priority: .powerConserving).reason == nil)
        }
        #expect(phone.update(at: 10).reason == nil)
        #expect(phone.update(at: 11).reason == nil)
        #expect(phone.update(at: 12).reason == .throttled)
        phone.advance(to: 1800)
        #expect(phone.update(at: 1800).reason == nil)
        #expect(phone.update(at: 1801).reason == .throttled)
    }

    @Test("T3 a token is issued late if assumed") func delayedToken() throws {
        var phone = try Phone()
        phone.assumptions.updateTokenDelay = 5000
        phone.start()
        #expect(phone.first.push.token == nil)
        phone.advance(to: 5)
        #expect(phone.first.push.token != nil)
    }

    @Test("T4 rotation keeps the former tokens") func rotates() throws {
        var phone = try Phone.started()
        let former = phone.first.push.token
        try phone.act(.rotateToken(phone.first.id))
        #expect(phone.first.push.token != former && phone.first.push.previous == [former])
    }

    @Test("T7 a start rotates the push-to-start token if assumed") func rotatesOnStart() throws {
        var phone = try Phone()
        phone.assumptions.p2sRotateOnStart = true
        phone.start()
        #expect(phone.requests.contains { if case .issue(let use) = $0 { use.kind == .pushtostart } else { false } })
        #expect(phone.table.settings(of: Phone.app).pushToStart.count == 1)
    }

    @Test("S10 a start's alert may also reach willPresent of the app in the foreground", arguments: [false, true])
    func startInForeground(_ isOn: Bool) throws {
        var phone = try Phone()
        phone.assumptions.startReachesForegroundApp = isOn
        phone.start()
        #expect(!phone.kinds.contains(.willPresent), "the phone is locked")
        phone.unlock(in: Phone.app)
        phone.apps[Phone.app]?.presentationOptions = [.banner, .sound]
        phone.start()
        #expect(phone.kinds.contains(.willPresent) == isOn)
        let details = phone.details(of: .willPresent)
        #expect(details?["options"] == (isOn ? .strings(["banner", "sound"]) : nil))
        #expect(details?["activity"] == (isOn ? .string(phone.table.activities[1].id) : nil))
    }

    @Test("T2 push-to-start tokens are issued by type if assumed") func tokensByType() throws {
        var phone = try Phone()
        phone.assumptions.p2sScope = .type
        try phone.act(.issuePushToStart(app: Phone.app, .sandbox))
        #expect(phone.table.settings(of: Phone.app).pushToStart.map(\.type) == ["Delivery"])
    }

    @Test("the app starts only in the foreground") func visibility() throws {
        var phone = try Phone()
        #expect { try phone.act(.start(Phone.appStart())) } throws: {
            ($0 as? DeviceError)?.message.contains("visibility") == true
        }
        phone.unlock(in: Phone.app)
        try phone.act(.start(Phone.appStart { $0.push = .token }))
        #expect(phone.first.push.token != nil)
        #expect {
            try phone.act(.update(phone.first.id, .with { $0.content = ["eta": .integer(0), "step": .string("2")] }))
        } throws: {
            ($0 as? DeviceError)?.message == "it does not decode: content.step is \"2\", not an Int"
        }
    }

    @Test("with two apps' activities both are minimal, the one that alerted last is attached") func minimal() throws {
        var phone = try Phone()
        phone.apps["com.other"] = App(bundleID: "com.other")
        phone.start()
        phone.advance(to: 1)
        phone.start(at: 1, bundleID: "com.other")
        let screen = phone.table.surfaces(phone.context)
        #expect(screen.island.minimal.map(\.app) == ["com.other", Phone.app])
        #expect(screen.standBy?.app == "com.other" && screen.watchAlert?.title == "On its way")
        phone.unlock(in: "com.other")
        #expect(phone.table.surfaces(phone.context).island.compact?.app == Phone.app)
        #expect(phone.table.surfaces(phone.context).carPlay.isEmpty)
    }

    @Test("an alert follows the ring switch and its settings") func sounds() throws {
        var phone = try Phone()
        phone.device.ringSwitch = .silent
        #expect(phone.start().alert?.sound == nil && phone.table.activities.count == 1)
        phone.device.ringSwitch = .ring
        phone.assumptions.alertWithoutSound = .silent
        #expect(phone.update(at: 1, more: #","alert":{"title":"A"}"#).alert?.sound == nil)
        #expect(phone.update(at: 2, more: #","alert":{"body":"A","sound":"x"}"#).alert?.suppressedBy == "noTitle")
        let passive = phone.update(at: 3, more: #","alert":{"title":"A"},"interruption-level":"passive""#)
        #expect(passive.alert?.suppressedBy == "passive")
    }

    private static func transient(_ edit: (inout ActivityStart) -> Void = { _ in }) -> ActivityStart {
        Phone.appStart {
            $0.style = .transient
            edit(&$0)
        }
    }

    private static let ends: [(String, LiveActivity.State, @Sendable (inout DeviceConditions) -> Void)] = [
        ("locked", .dismissed, { $0.isLocked = true }),
        ("another app is opened", .dismissed, { $0.foregroundApp = "com.ex.other" }),
        ("its app is left", .active, { $0.foregroundApp = nil }),
    ]

    @Test("a transient activity ends when the device is locked or another app is opened", arguments: ends.indices)
    func transient(_ row: Int) throws {
        let (_, state, edit) = Self.ends[row]
        var phone = try Phone()
        phone.unlock(in: Phone.app)
        try phone.act(.start(Self.transient()))
        let old = phone.device
        edit(&phone.device)
        var effects = DeviceEffects()
        phone.table.adapt(from: old, phone.context, &effects)
        #expect(phone.first.state == state)
    }

    @Test("a transient activity that begins on a locked device ends without an alert, and needs iOS 18")
    func transientBegins() throws {
        var phone = try Phone()
        phone.unlock(in: Phone.app)
        let start = Self.transient { start in
            start.startsAt = Instant(seconds: Phone.t0 + 60)
            (start.alert, start.push) = (.with { $0.title = "Now" }, .token)
        }
        try phone.act(.start(start))
        phone.device.isLocked = true
        phone.advance(to: 60)
        #expect(phone.first.state == .dismissed)
        #expect(!phone.kinds.contains(.activityAlert))
        phone.device.isLocked = false
        phone.device.osVersion = OSVersion(17, 7)
        #expect(throws: DeviceError.self) { try phone.act(.start(Self.transient())) }
    }

    @Test("an update with an alert does not alert about an activity that starts later") func pending() throws {
        var phone = try Phone()
        phone.unlock(in: Phone.app)
        let start = Phone.appStart { start in
            (start.startsAt, start.alert) = (Instant(seconds: Phone.t0 + 60), .with { $0.title = "Now" })
        }
        try phone.act(.start(start))
        let update = phone.update(at: 1, more: #","alert":{"title":"Later"}"#)
        #expect(update.reason == nil && update.alert?.suppressedBy == "pending")
        #expect(phone.details(of: .activityAlert)?["lit"] == .bool(false))
        #expect(phone.table.surfaces(phone.context) == ActivitySurfaces())
        phone.advance(to: 60)
        #expect(phone.details(of: .activityAlert)?["lit"] == .bool(true))
    }

    @Test(
        "L-8 the screen shows what activityAlert says for five seconds, on an island or as a banner",
        arguments: [true, false])
    func alertOnScreen(_ hasIsland: Bool) throws {
        var phone = try Phone()
        phone.device.hasDynamicIsland = hasIsland
        phone.start()
        phone.advance(to: 10)
        phone.unlock(in: "com.ex.other")
        #expect(!phone.table.surfaces(phone.context).island.isExpanded)
        phone.update(at: 10, more: #","alert":{"title":"A"}"#)
        #expect(phone.details(of: .activityAlert)?["presentation"] == .string(hasIsland ? "expanded" : "banner"))
        for (seconds, isShown) in [(10.0, true), (14.999, true), (15, false)] {
            phone.advance(to: seconds)
            let screen = phone.table.surfaces(phone.context)
            #expect(screen.island.isExpanded == (isShown && hasIsland))
            #expect((screen.banner?.activity == phone.first.id) == (isShown && !hasIsland))
        }
        // The app shows its own activity.
        phone.update(at: 16, more: #","alert":{"title":"A"}"#)
        phone.unlock(in: Phone.app)
        #expect(!phone.table.surfaces(phone.context).island.isExpanded)
        #expect(phone.table.surfaces(phone.context).banner == nil)
    }

    @Test(
        "L-8 an alert that the app or the lock screen showed is not shown over another app", arguments: [true, false])
    func alertShownElsewhere(_ hasIsland: Bool) throws {
        var phone = try Phone()
        phone.device.hasDynamicIsland = hasIsland
        phone.start()
        phone.advance(to: 10)
        phone.unlock(in: Phone.app)
        phone.update(at: 10, more: #","alert":{"title":"A"}"#)
        #expect(phone.details(of: .activityAlert)?["presentation"] == .string("none"))
        phone.unlock(in: "com.ex.other")
        #expect(!phone.table.surfaces(phone.context).island.isExpanded)
        #expect(phone.table.surfaces(phone.context).banner == nil)
        phone.device.isLocked = true
        phone.update(at: 11, more: #","alert":{"title":"B"}"#)
        #expect(phone.details(of: .activityAlert)?["presentation"] == .string("lockScreen"))
        phone.unlock(in: "com.ex.other")
        #expect(!phone.table.surfaces(phone.context).island.isExpanded)
        #expect(phone.table.surfaces(phone.context).banner == nil)
        phone.update(at: 12, more: #","alert":{"title":"C"}"#)
        #expect(phone.table.surfaces(phone.context).island.isExpanded == hasIsland)
        #expect((phone.table.surfaces(phone.context).banner != nil) == !hasIsland)
    }

    @Test("uninstalling removes all activities and unregisters their tokens") func uninstalls() throws {
        var phone = try Phone.started()
        let use = phone.first.use
        var effects = DeviceEffects()
        phone.table.uninstall(Phone.app, phone.context, &effects)
        #expect(phone.table.activities.isEmpty)
        #expect(effects.requests.first == .retire(use, .unregistered(since: phone.now)))
    }
}

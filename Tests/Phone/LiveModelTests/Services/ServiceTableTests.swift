import APNs
import DeviceModel
import JSON
import TestSupport
import Testing

@testable import LiveModel

/// Effects of non-alert pushes on the device, and the state they leave (L3).
@Suite struct ServiceTableTests {
    static let magic = "NSFileProviderWorkingSetContainerItemIdentifier"

    // MARK: VoIP

    @Test("L-32 an app that reports no call is killed, and gets no VoIP pushes after four times") func withholds() {
        var fixture = ServiceFixture()
        fixture.reply { $0.voip = .replying(.nothing) }
        for count in 1...4 {
            let result = fixture.push(.voip)
            #expect(result.events.map(\.kind) == [.appKilled])
            #expect(result.events.first?.details["unreported"] == .integer(count))
            #expect(result.events.first?.text("reason")?.contains("never posted an incoming call") == true)
        }
        let fifth = fixture.push(.voip)
        #expect(fifth.reason == .voipWithheld)
        #expect(fifth.events.map(\.kind) == [.voipWithheld])
        // The app cannot fix it; reinstalling does.
        fixture.reply { $0.voip = nil }
        #expect(fixture.push(.voip).reason == .voipWithheld)
        var effects = DeviceEffects()
        fixture.table.uninstall(ServiceFixture.app, &effects)
        fixture.app.pushkit = .with { $0.voip = true }
        #expect(fixture.push(.voip).verdict == .delivered(.rings))
    }

    @Test("L3 a VoIP handler that does not return is killed after seven seconds") func killsLater() {
        var fixture = ServiceFixture()
        fixture.reply { $0.voip = .replying(.timeout) }
        #expect(fixture.push(.voip).events.isEmpty)
        #expect(fixture.wait(6999).isEmpty)
        let killed = fixture.wait(1)
        #expect(killed.map(\.kind) == [.appKilled])
        #expect(killed.first?.text("code") == "0xbaadca11")
        #expect(killed.first?.notification == 1)
        #expect(fixture.voip.unreported == 1)
    }

    @Test("L3 a reported call rings with its handle and becomes active when answered") func rings() throws {
        var fixture = ServiceFixture()
        fixture.reply { $0.voip = .with { ($0.reply, $0.handle, $0.video) = (.reportCall, "+81 3 1234 5678", true) } }
        let result = fixture.push(.voip)
        #expect(result.events.map(\.kind) == [.callReported])
        #expect(result.events.first?.text("handle") == "+81 3 1234 5678")
        #expect(result.events.first?.details["video"] == .bool(true))
        #expect(fixture.settings.call == .ringing)
        #expect(fixture.table.result(of: 1)?.sentence == "The phone rings: +81 3 1234 5678.")
        try fixture.set { $0.call = .active }
        #expect(fixture.settings.call == .active)
    }

    @Test("L3 during a Focus reporting fails, but counts as a report") func filters() {
        var fixture = ServiceFixture()
        fixture.device.focus.switchOn { $0.allowsCallsFrom = .contacts }
        fixture.reply { $0.voip = .replying(.reportCall) }
        let result = fixture.push(.voip)
        #expect(result.events.first?.text("error") == "filteredByDoNotDisturb")
        #expect(fixture.voip.unreported == 0 && fixture.settings.call == .none)
    }

    @Test("L3 a Focus lets calls from favorites and repeated calls through") func letsCallsThrough() {
        var fixture = ServiceFixture()
        fixture.device.contacts = [.with { ($0.id, $0.phones, $0.isFavorite) = ("ann", ["+15551234567"], true) }]
        fixture.device.focus.switchOn { $0.allowsCallsFrom = .favorites }
        fixture.reply { $0.voip = .with { ($0.reply, $0.handle) = (.reportCall, "+15551234567") } }
        #expect(fixture.push(.voip).verdict == .delivered(.rings))
        fixture.reply { $0.voip?.handle = "+15557654321" }
        #expect(fixture.push(.voip).verdict == .delivered(.filtered))
        _ = fixture.wait(60_000)
        fixture.reply { $0.voip?.handle = "+15550000000" }
        #expect(fixture.push(.voip).verdict == .delivered(.filtered))
        fixture.reply { $0.voip?.handle = "+15557654321" }
        #expect(fixture.push(.voip).verdict == .delivered(.rings))
    }

    @Test("L3 voipReportForgives: a reported call resets the count") func forgives() {
        for (forgives, count) in [(false, 1), (true, 0)] {
            var fixture = ServiceFixture()
            fixture.assumptions.voipReportForgives = forgives
            fixture.reply { $0.voip = .replying(.nothing) }
            _ = fixture.push(.voip)
            fixture.reply { $0.voip = .replying(.reportCall) }
            _ = fixture.push(.voip)
            #expect(fixture.voip.unreported == count)
        }
    }

    // MARK: Push to Talk

    @Test("L3 joining requires the foreground and a device without a channel; each join issues a new token")
    func joins() throws {
        var fixture = ServiceFixture()
        #expect(throws: DeviceError.self) { try fixture.set { $0.channel = "Team" } }
        #expect(fixture.table == ServiceTable())
        fixture.open(ServiceFixture.app)
        try fixture.set { $0.channel = "Team" }
        #expect(fixture.requests() == [.issue(fixture.use(.pushtotalk))])
        fixture.open("com.example.other")
        #expect(throws: DeviceError.self) { try fixture.set("com.example.other") { $0.channel = "Else" } }
        try fixture.set { $0.channel = nil }
        #expect(fixture.requests() == [.retire(fixture.use(.pushtotalk), .unregistered(since: fixture.now))])
        try fixture.set("com.example.other") { $0.channel = "Else" }
        #expect(fixture.requests().count == 1)
    }

    @Test("L3 a push reports the speaking participant; leaving ends the token") func speaks() throws {
        var fixture = ServiceFixture()
        fixture.open(ServiceFixture.app)
        try fixture.set { $0.channel = "Team" }
        _ = fixture.requests()
        fixture.reply { $0.pushtotalk = .with { ($0.reply, $0.name) = (.participant, "Ada") } }
        #expect(fixture.push(.pushtotalk).events.first?.text("name") == "Ada")
        #expect(fixture.settings.speaker == "Ada")
        fixture.reply { $0.pushtotalk = .replying(.leave) }
        #expect(fixture.push(.pushtotalk).events.map(\.kind) == [.pttResult])
        #expect(fixture.settings.channel == nil && fixture.settings.speaker == nil)
        #expect(fixture.requests() == [.retire(fixture.use(.pushtotalk), .unregistered(since: fixture.now))])
        #expect(fixture.push(.pushtotalk).reason == .channelNotJoined)
    }

    // MARK: Time limits

    @Test("L3 a background handler is limited to thirty seconds") func backgroundTime() {
        var fixture = ServiceFixture()
        fixture.reply { $0.background = .timeout }
        _ = fixture.push(.background)
        #expect(fixture.wait(29_999).isEmpty)
        #expect(fixture.wait(1).map(\.kind) == [.appKilled])
        fixture.reply { $0.background = .noData }
        #expect(fixture.push(.background).events.first?.text("result") == "noData")
    }

    @Test("L3 a location extension is limited to thirty seconds") func locationTime() {
        var fixture = ServiceFixture()
        fixture.reply { $0.location = .replying(.timeout) }
        _ = fixture.push(.location)
        #expect(fixture.wait(29_999).isEmpty)
        #expect(fixture.wait(1).map(\.kind) == [.locationReported, .appKilled])
        fixture.reply { $0.location = .with { ($0.reply, $0.latitude, $0.longitude) = (.location, 35.5, 139.75) } }
        let event = fixture.push(.location).events.first
        #expect(event?.details["latitude"] == .number(35.5) && event?.details["longitude"] == .number(139.75))
    }

    @Test("handlers that never return are bounded in number; the oldest is ended first") func boundsDeadlines() {
        var fixture = ServiceFixture()
        fixture.reply { $0.location = .replying(.timeout) }
        for _ in 0..<ServiceTable.maximumDeadlineCount { _ = fixture.push(.location) }
        #expect(fixture.push(.location).events.map(\.notification) == [1, 1])
        #expect(fixture.table.deadlines.count == ServiceTable.maximumDeadlineCount)
    }

    @Test("VoIP handlers that are ended early count as unreported calls") func countsEarlyEnds() {
        var fixture = ServiceFixture()
        fixture.reply { $0.voip = .replying(.timeout) }
        for count in 1...4 {
            // The first of them is ended for the last, and the app's others end with it.
            for _ in 0...ServiceTable.maximumDeadlineCount { _ = fixture.push(.voip) }
            #expect(fixture.voip.unreported == count)
        }
        #expect(fixture.voip.isWithheld)
    }

    // MARK: Widgets and controls

    @Test("L-33 only push-enabled widgets reload; the app has one token for them") func widgets() throws {
        var fixture = ServiceFixture { $0.widgets = [PushSurface("scores"), PushSurface("still", push: false)] }
        #expect(throws: DeviceError.self) { try fixture.set { $0.widgets = [.init("w1", "score")] } }
        try fixture.set { $0.widgets = [.init("w3", "still")] }
        #expect(fixture.requests().isEmpty)
        try fixture.set { $0.widgets += [.init("w1", "scores"), .init("w2", "scores")] }
        #expect(fixture.requests() == [.ensure(fixture.use(.widgets))])
        fixture.reply { $0.widgets = ["scores": "2:1", "still": "never"] }
        let result = fixture.push(.widgets, #"{"aps":{"content-changed":true}}"#)
        #expect(result.events.map(\.kind) == [.widgetsReloaded])
        #expect(result.events.first?.details["widgets"] == .strings(["w1", "w2"]))
        #expect(fixture.settings.widgets.map(\.content) == ["", "2:1", "2:1"])
        #expect(fixture.table.result(of: 1)?.sentence == "Widgets are reloaded: 2 reloaded.")
        try fixture.set { $0.widgets = [] }
        #expect(fixture.requests() == [.retire(fixture.use(.widgets), .unregistered(since: fixture.now))])
        #expect(fixture.push(.widgets).reason == .noWidget)
    }

    @Test("L3 each widget has its own budget for 24 hours") func widgetBudget() throws {
        var fixture = ServiceFixture()
        fixture.assumptions.widgetBudget = 2
        try fixture.set { $0.widgets = [.init("w1", "k")] }
        _ = fixture.push(.widgets)
        try fixture.set { $0.widgets.append(.init("w2", "k")) }
        _ = fixture.push(.widgets)
        let third = fixture.push(.widgets)
        #expect(third.events.first?.details["widgets"] == .strings(["w2"]))
        #expect(third.events.first?.details["overBudget"] == .strings(["w1"]))
        #expect(fixture.push(.widgets).reason == .budgetExceeded)
        _ = fixture.wait(86_400_000)
        #expect(fixture.push(.widgets).verdict == .delivered(.reloaded))
    }

    @Test("L3 each control has a token, and its push reloads only that control") func controls() throws {
        var fixture = ServiceFixture()
        try fixture.set { $0.controls = [.init("c1", "door"), .init("c2", "door")] }
        #expect(fixture.requests() == ["c1", "c2"].map { .ensure(fixture.use(.controls, $0)) })
        fixture.reply { $0.controls = ["door": "locked"] }
        let result = fixture.push(.controls, subject: "c2")
        #expect(result.events.first?.text("control") == "c2" && result.events.first?.text("value") == "locked")
        #expect(fixture.settings.controls.map(\.content) == ["", "locked"])
        try fixture.set { $0.controls.removeFirst() }
        #expect(
            fixture.requests() == [
                .retire(fixture.use(.controls, "c1"), .unregistered(since: fixture.now)),
                .ensure(fixture.use(.controls, "c2")),
            ])
    }

    // MARK: Device management and files

    @Test("L3 MDM: a wake starts with Idle, and only a final NotNow causes another poll") func mdm() throws {
        var fixture = ServiceFixture()
        try fixture.set { $0.isEnrolled = true }
        #expect(fixture.requests() == [.ensure(fixture.use(.mdm))])
        for (replies, pollsAgain) in [([.notNow, .acknowledged], false), ([.acknowledged, .notNow], true)]
            as [([ServiceReplies.MDMStatus], Bool)]
        {
            fixture.reply { $0.mdm = replies }
            let event = fixture.push(.mdm, #"{"mdm":"m"}"#).events.first
            #expect(event?.details["statuses"] == .strings(["Idle"] + replies.map(\.rawValue)))
            #expect(event?.details["pollsAgain"] == .bool(pollsAgain))
        }
        fixture.device.isUnlockedSinceBoot = false
        #expect(fixture.push(.mdm).events.first?.details["statuses"] == .strings(["Idle", "NotNow", "NotNow"]))
    }

    @Test("L3 a file provider push signals its container with the changes that follow") func signals() {
        var fixture = ServiceFixture()
        fixture.reply { $0.fileprovider = ["a.txt"] }
        let push = #"{"container-identifier":"root","domain":"work"}"#
        let event = fixture.push(.fileprovider, push).events.first
        #expect(event?.text("container") == "root" && event?.text("domain") == "work")
        #expect(event?.details["changes"] == .strings(["a.txt"]))
    }

    // MARK: State

    @Test("the table reads back unchanged") func isCodable() throws {
        var fixture = try ServiceRuleTests.fixture()
        fixture.reply { $0.voip = .replying(.timeout) }
        for kind in PushType.allCases { _ = fixture.push(kind, subject: "c1") }
        let json = try JSONValue(encoding: fixture.table)
        #expect(try JSONTextDecoder.decode(ServiceTable.self, from: json.bytes) == fixture.table)
        #expect(fixture.table != ServiceTable())
    }

    @Test("uninstalling and evicting leave no state") func leavesNothing() throws {
        var fixture = try ServiceRuleTests.fixture()
        fixture.reply { $0.location = .replying(.timeout) }
        for kind in PushType.allCases { _ = fixture.push(kind) }
        var effects = DeviceEffects()
        fixture.table.uninstall(ServiceFixture.app, &effects)
        for number in 1...fixture.pushCount { fixture.table.forget(number) }
        #expect(fixture.table == ServiceTable())
    }

    @Test("changes of settings and replies are reported once") func reportsChanges() throws {
        var fixture = ServiceFixture()
        try fixture.set { $0.locationAuthorization = .denied }
        try fixture.set { $0.locationAuthorization = .denied }
        fixture.reply { $0.background = .failed }
        #expect(fixture.effects.events.map(\.kind) == [.settingsChanged, .settingsChanged])
        #expect(fixture.effects.events.first?.details["services"] == .strings(["locationAuthorization"]))
        #expect(fixture.effects.events.last?.details["replies"] == .strings(["background"]))
    }
}

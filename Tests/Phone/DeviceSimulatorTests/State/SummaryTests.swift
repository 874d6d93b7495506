import DeviceModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// The scheduled summary over the device's clock (H).
@Suite struct SummaryTests {
    /// A phone at 09:00 whose app waits for the summaries at 08:00 and 18:00.
    private func phone(_ edit: (inout DeviceConditions) -> Void = { _ in }) -> Phone {
        let phone = Phone.withSummary(edit)
        var news = App(bundleID: "com.example.news")
        news.settings.scheduledDelivery = .enabled
        phone.simulator.put(news)
        return phone
    }

    @Test("V10 S0-8 S0-9 H.3 H.4 nothing is shown until 18:00; then one silent summary lights the lock screen once")
    func waitsForItsTime() {
        let phone = phone()
        let first = phone.alert("1", #""badge":2"#)
        let second = phone.alert("2")
        #expect(phone.story(first) == [.received, .contentDelivered, .badge, .deferredToSummary])
        #expect(phone.app().badge == 2)
        #expect(phone.nextSummary == [second, first])
        #expect(phone.lockScreen.isEmpty && phone.notificationCenter.isEmpty)
        #expect(phone.simulator.nextDue == .at(18 * .hour))
        phone.wait(until: "17:59")
        #expect(phone.nextSummary.count == 2)
        phone.wait(until: "18:00")
        #expect(phone.nextSummary.isEmpty)
        #expect(Set(phone.lockScreen) == [first, second])
        #expect(Set(phone.notificationCenter) == [first, second])
        #expect(phone.events(.summaryDelivered).map(\.at) == [.at(18 * .hour)])
        #expect(phone.events(.screenLit).count == 1)
        #expect(phone.events(.sound).isEmpty)
        phone.wait(.seconds(86_400))
        #expect(phone.events(.summaryDelivered).count == 1)
    }

    @Test("S0-10 S0-11 H.5 each app's best notification comes first, then the rest by app") func features() throws {
        let phone = phone()
        func push(_ score: Double, _ app: String) -> Int {
            Int(phone.alert("Hello", #""relevance-score":\#(score)"#, app: app))
        }
        let low = push(0.1, Phone.chat)
        let high = push(0.9, Phone.chat)
        let middle = push(0.8, Phone.chat)
        let other = push(0.2, "com.example.news")
        phone.wait(until: "18:00")
        let event = try #require(phone.events(.summaryDelivered).first)
        #expect(event.numbers("featured") == [high, other])
        #expect(event.numbers("notifications") == [high, other, middle, low])
        for number in event.numbers("notifications") {
            #expect(phone.story(UInt64(number)).last == .summaryDelivered, "it belongs to each one's history")
        }
    }

    @Test("H.7 the summary omits notifications that were removed, replaced or cleared with the badge")
    func leavesOut() throws {
        let phone = phone()
        phone.alert("replaced", collapse: "a")
        let new = phone.alert("new", collapse: "a")
        let removed = phone.alert("removed")
        phone.simulator.assumptions.deliveredListsDeferred = true
        try phone.act(.removeDelivered(identifiers: ["push-\(removed)"], app: Phone.chat))
        phone.alert("news", app: "com.example.news")
        phone.alert("cleared", #""badge":0,"interruption-level":"passive""#, app: "com.example.news")
        phone.settings("com.example.news") { $0.scheduledDelivery = .enabled }
        let last = try #require(phone.nextSummary.first)
        phone.wait(until: "18:00")
        #expect(Set(phone.events(.summaryDelivered)[0].numbers("notifications")) == [Int(new), Int(last)])
    }

    @Test("H.4 without notifications no summary appears; the next one waits for the next scheduled time")
    func skipsEmptyOnes() throws {
        let phone = phone()
        phone.simulator.assumptions.deliveredListsDeferred = true
        phone.alert()
        try phone.act(.removeAllDelivered(app: Phone.chat))
        phone.change { $0.summary.times = [WallTime(hour: 20, minute: 0)] }
        let push = phone.alert()
        phone.wait(until: "18:00")
        #expect(phone.nextSummary == [push])
        phone.wait(until: "20:00")
        #expect(phone.events(.summaryDelivered).map(\.at) == [.at(20 * .hour)])
    }

    @Test(
        "H.6 a summary during a Focus goes to Notification Center; it is shown and the screen lit when the Focus ends")
    func respectsFocus() throws {
        let phone = phone { $0.focus.modes = [FocusTests.work()] }
        try phone.act(.switchFocus(id: "work"))
        let push = phone.alert()
        #expect(phone.nextSummary == [push])
        phone.wait(until: "18:00")
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [push])
        #expect(phone.events(.screenLit).isEmpty)
        let events = try phone.act(.switchFocus(id: nil))
        #expect(events.map(\.kind) == [.act, .focusEnded, .released, .screenLit])
        #expect(phone.lockScreen == [push])
    }

    @Test("H.6 a Focus that allows the app does not hold its summary back") func isAllowed() throws {
        let phone = phone { $0.focus.modes = [FocusTests.work { $0.apps.ids = [Phone.chat] }] }
        try phone.act(.switchFocus(id: "work"))
        let (allowed, held) = (phone.alert(), phone.alert(app: "com.example.news"))
        phone.wait(until: "18:00")
        #expect(phone.lockScreen == [allowed])
        #expect(phone.events(.screenLit).count == 1)
        try phone.act(.switchFocus(id: nil))
        #expect(Set(phone.lockScreen) == [allowed, held])
    }

    @Test("B.3 H.4 a summary of apps that the lock screen does not show lights no screen", arguments: [false, true])
    func lightsForTheLockScreenOnly(_ isFocusOn: Bool) throws {
        let phone = phone { $0.focus.modes = [FocusTests.work()] }
        phone.settings { $0.lockScreen = .disabled }
        if isFocusOn { try phone.act(.switchFocus(id: "work")) }
        let push = phone.alert()
        phone.wait(until: "18:00")
        try phone.act(.switchFocus(id: nil))
        #expect(phone.events(.summaryDelivered).count == 1)
        #expect(phone.notificationCenter == [push])
        #expect(phone.events(.screenLit).isEmpty)
    }

    @Test("V12 H.2 Time Sensitive notifications are shown at once, unless their switch is off") func exempts() {
        let phone = phone()
        let level = #""interruption-level":"time-sensitive""#
        let now = phone.alert("now", level)
        #expect(phone.lockScreen == [now])
        phone.settings { $0.timeSensitive = .disabled }
        let later = phone.alert("later", level)
        #expect(phone.nextSummary == [later])
        #expect(
            phone.simulator.notification(phone.alert("!", #""interruption-level":"critical""#))?.outcome?.timing == .now
        )
    }

    @Test("H.1 disabling the summary shows its notifications at once; changed times and zones apply")
    func followsItsSettings() {
        let phone = phone()
        let push = phone.alert()
        phone.change { $0.timeZone = "Asia/Tokyo" }  // It is 18:00 there, so the next summary comes at 08:00.
        #expect(phone.state.nextDue == .at(23 * .hour))
        phone.change { $0.summary.times = [WallTime(hour: 19, minute: 0)] }
        #expect(phone.state.nextDue == .at(10 * .hour))
        let events = phone.change { $0.summary.isEnabled = false }
        #expect(events.map(\.kind) == [.conditionsChanged, .summaryDelivered, .screenLit])
        #expect(phone.lockScreen == [push])
    }

    @Test("H.1 an app that leaves the summary shows its notifications at once, or when the device is on")
    func leaves() {
        for isOn in [true, false] {
            let phone = phone()
            let push = phone.alert()
            let other = phone.alert(app: "com.example.news")
            phone.change { $0.isPoweredOn = isOn }
            phone.settings { $0.scheduledDelivery = .disabled }
            #expect(phone.lockScreen == (isOn ? [push] : []))
            phone.change { $0.isPoweredOn = true }
            #expect(phone.lockScreen == [push] && phone.nextSummary == [other])
            phone.wait(until: "18:00")
            #expect(phone.events(.summaryDelivered).map(\.at) == [.at(9 * .hour), .at(18 * .hour)])
            #expect(Set(phone.lockScreen) == [push, other])
        }
    }

    @Test("H.1 an app whose default settings leave the summary shows its notifications, too") func leavesByDefault() {
        let phone = phone()
        let push = phone.alert()
        var app = phone.simulator.app(Phone.chat)!
        app.settings.scheduledDelivery = .disabled
        phone.simulator.put(app, at: phone.now)
        #expect(phone.lockScreen == [push])
    }

    @Test("F2 H.6 a summary during a Focus withholds what the Focus filter of an allowed app excludes") func filters()
        throws
    {
        let phone = phone { device in
            device.focus.modes = [
                FocusTests.work {
                    $0.apps.ids = [Phone.chat]
                    $0.filters = [.with { ($0.bundleID, $0.allowedCriteria) = (Phone.chat, ["work"]) }]
                }
            ]
        }
        try phone.act(.switchFocus(id: "work"))
        let personal = phone.alert("Hi", #""filter-criteria":"personal""#)
        let work = phone.alert("Hi", #""filter-criteria":"work""#)
        _ = try phone.loadedElsewhere()
        phone.wait(until: "18:00")
        #expect(phone.lockScreen == [work] && Set(phone.notificationCenter) == [personal, work])
        try phone.act(.switchFocus(id: nil))
        #expect(Set(phone.lockScreen) == [personal, work])
    }

    @Test("B.1 an app without permission has nothing in the summary") func leavesOutTheDenied() {
        let phone = phone()
        let removed = phone.alert("chat")
        let push = phone.alert("news", app: "com.example.news")
        phone.settings { $0.authorizationStatus = .denied }
        #expect(phone.story(removed).last == .removed)
        var news = App(bundleID: "com.example.news")
        news.settings.authorizationStatus = .denied
        phone.simulator.put(news)
        phone.wait(until: "18:00")
        #expect(phone.events(.summaryDelivered).isEmpty)
        #expect(phone.notificationCenter.isEmpty)
        #expect(phone.state(of: push) == .delivered)
    }

    @Test("H.4 on an unlocked device the summary goes to Notification Center, as the screen is already lit")
    func comesToAnUnlockedDevice() throws {
        let phone = phone()
        let push = phone.alert()
        try phone.act(.unlock)
        phone.wait(until: "18:00")
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [push])
        #expect(phone.events(.screenLit).isEmpty)
    }
}

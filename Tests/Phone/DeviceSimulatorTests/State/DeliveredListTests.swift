import DeviceModel
import TestSupport
import Testing

@testable import DeviceSimulator

/// Listed notifications: replacement, badges, removal, unlocking (I.1, I.4, I.6).
@Suite struct DeliveredListTests {
    // MARK: Replacement

    @Test("I.1 a push with the same collapse identifier replaces the shown one, alerts again and is the newest")
    func replaces() {
        let phone = Phone()
        let old = phone.alert("1:0", collapse: "score")
        let between = phone.alert("other")
        let new = phone.alert("2:0", collapse: "score")
        #expect(phone.lockScreen == [new, between])
        #expect(phone.notificationCenter == [new, between])
        #expect(phone.story(old).suffix(1) == [.replaced])
        #expect(phone.events(.replaced).first?.number("by") == Int(new))
        #expect(phone.events(.replaced).first?.text("identifier") == "score")
        #expect(phone.story(new).contains(.sound))
        #expect(phone.simulator.notification(new)?.identifier == "score")
        #expect(phone.simulator.notification(between)?.identifier == "push-\(between)")
    }

    @Test("I.1 identifiers are per app, and a removed notification is not replaced")
    func replacesOnlyWhatIsThere() throws {
        let phone = Phone()
        let mine = phone.alert("mine", collapse: "a")
        let other = phone.alert("other app", app: "com.example.mail", collapse: "a")
        #expect(phone.lockScreen == [other, mine])
        try phone.act(.dismiss(notification: mine))
        phone.alert("again", collapse: "a")
        #expect(phone.events(.replaced).isEmpty)
    }

    @Test("I.1 a push that shows nothing replaces nothing") func replacesNothingWithNothing() {
        let phone = Phone()
        let shown = phone.alert("shown", collapse: "a")
        phone.push(#"{"aps":{"badge":3}}"#, collapse: "a")
        #expect(phone.lockScreen == [shown])
        #expect(phone.app().badge == 3)
    }

    @Test func forgetsIdentifiersOfRemovedNotifications() throws {
        let phone = Phone()
        for number in 0..<200 {
            let push = phone.alert("Hello", collapse: "unique-\(number)")
            try phone.act(.dismiss(notification: push))
        }
        phone.simulator.clear(NotificationQuery())
        phone.alert("Hello", collapse: "last")
        #expect(phone.state.collapsed.count == 1)
    }

    // MARK: Badges

    @Test("I.4 a badge is absolute, a push without one does not change it, and dismissing never lowers it")
    func setsBadges() throws {
        let phone = Phone()
        let push = phone.alert("1", #""badge":3"#)
        phone.alert("2")
        #expect(phone.app().badge == 3)
        try phone.act(.dismiss(notification: push))
        try phone.act(.clear(app: nil))
        #expect(phone.app().badge == 3)
        phone.alert("3", #""badge":2"#)
        #expect(phone.app().badge == 2)
        #expect(phone.events(.badge).map { $0.number("count") } == [3, 2])
    }

    @Test("V21 S3-35 I.4 a badge of 0 removes the app's notifications, then the push that brought it is shown")
    func clearsWithTheBadge() {
        let phone = Phone()
        let old = (1...3).map { phone.alert("\($0)", #""badge":\#($0)"#) }
        let other = phone.alert("other app", app: "com.example.mail")
        let new = phone.alert("4", #""badge":0"#)
        #expect(phone.app().badge == 0)
        #expect(phone.lockScreen == [new, other])
        #expect(phone.events(.removed).map(\.notification) == old)
        #expect(phone.events(.removed).allSatisfy { $0.text("reason") == "badgeCleared" })
        #expect(phone.events(.removed).allSatisfy { $0.number < phone.events(.badge).last!.number })
    }

    @Test("S3-35 I.4 the app's setBadgeCount(0) removes its notifications, other numbers none")
    func setsBadgesByApp() throws {
        let phone = Phone()
        let push = phone.alert()
        try phone.act(.setBadge(count: 7, app: Phone.chat))
        #expect(phone.app().badge == 7)
        #expect(phone.lockScreen == [push])
        try phone.act(.setBadge(count: 0, app: Phone.chat))
        #expect(phone.app().badge == 0)
        #expect(phone.lockScreen.isEmpty)
    }

    @Test("I.4 a negative badge is rejected, or keeps the notifications if assumed") func setsNegativeBadges() throws {
        let phone = Phone(assumptions: .with { $0.negativeBadgeKeepsNotifications = true })
        let push = phone.alert("Hello", #""badge":5"#)
        try phone.act(.setBadge(count: -1, app: Phone.chat))
        #expect(phone.app().badge == 0)
        #expect(phone.lockScreen == [push])
        #expect(throws: SimulatorError.negativeBadge(-2)) { try phone.act(.setBadge(count: -2, app: Phone.chat)) }
    }

    @Test("I.4 a badge of -1 in a push changes nothing, or clears everything if assumed", arguments: [false, true])
    func receivesNegativeBadges(_ clears: Bool) throws {
        let phone = Phone(assumptions: .with { $0.negativeBadgeInPushClears = clears })
        let push = phone.alert("Hello", #""badge":5"#)
        let negative = phone.alert("Bye", #""badge":-1"#)
        #expect(phone.app().badge == (clears ? 0 : 5))
        #expect(phone.lockScreen == (clears ? [negative] : [negative, push]))
        #expect(phone.events(.removed).map { $0.text("reason") } == (clears ? ["badgeCleared"] : []))
        let finding = try #require(phone.simulator.notification(negative)).decoded.findings
        #expect(finding.map(\.message).contains { $0.hasSuffix("is the assumption negativeBadgeInPushClears") })
        // No other negative number has a meaning.
        phone.alert("Again", #""badge":-2"#)
        #expect(phone.app().badge == (clears ? 0 : 5) && phone.lockScreen.contains(negative))
    }

    @Test("S3-33 without permission a badge is unchanged; clearing needs no permission")
    func leavesBadgesAloneWithoutPermission() throws {
        let phone = Phone()
        let push = phone.alert("Hello", #""badge":5"#)
        phone.settings { $0.badge = .disabled }
        phone.alert("Hello", #""badge":6"#)
        let events = try phone.act(.setBadge(count: 7, app: Phone.chat))
        #expect(events.map(\.kind) == [.act, .diagnostic])
        #expect(phone.app().badge == 5)
        #expect(phone.lockScreen.contains(push))
        try phone.act(.setBadge(count: 0, app: Phone.chat))
        #expect(phone.app().badge == 0)
        #expect(phone.lockScreen.isEmpty)
    }

    // MARK: Removal

    @Test("I.6 an app removes its own notifications, by identifier or all") func removesByApp() throws {
        let phone = Phone()
        let plain = phone.alert("1")
        let named = phone.alert("2", collapse: "named")
        let kept = phone.alert("3")
        let other = phone.alert("4", app: "com.example.mail", collapse: "named")
        try phone.act(.removeDelivered(identifiers: ["named", "push-\(plain)", "unknown"], app: Phone.chat))
        #expect(phone.lockScreen == [other, kept])
        #expect(phone.events(.removed).map(\.notification) == [plain, named])
        #expect(phone.events(.removed).allSatisfy { $0.text("reason") == "removedByApp" })
        try phone.act(.removeAllDelivered(app: Phone.chat))
        #expect(phone.lockScreen == [other])
    }

    @Test("I.6 clearing removes the listed notifications of one app or of all") func clears() throws {
        let phone = Phone()
        phone.alert("1")
        let other = phone.alert("2", app: "com.example.mail")
        try phone.act(.clear(app: Phone.chat))
        #expect(phone.notificationCenter == [other])
        try phone.act(.clear(app: nil))
        #expect(phone.notificationCenter.isEmpty)
        #expect(phone.events(.removed).map { $0.text("reason") } == ["cleared", "cleared"])
    }

    @Test("I.6 unlocking moves the lock screen's list into Notification Center's history") func unlocks() throws {
        let phone = Phone()
        let push = phone.alert()
        #expect(phone.lockScreen == [push])
        try phone.act(.unlock)
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [push])
        let banner = phone.alert()
        #expect(phone.story(banner).contains(.banner))
        #expect(phone.lockScreen.isEmpty)
        try phone.act(.lock)
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [banner, push])
    }

    @Test func anUnlockedDeviceWithTheScreenOffHasNoLockScreenList() {
        let phone = Phone { $0.isLocked = false }
        let push = phone.alert()
        #expect(phone.story(push).contains(.screenLit))
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [push])
    }
}

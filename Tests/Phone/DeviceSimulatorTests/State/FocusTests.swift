import DeviceModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// A Focus starts and ends, by hand or by schedule, and releases held notifications (B.4).
@Suite struct FocusTests {
    static func work(_ edit: (inout Focus) -> Void = { _ in }) -> Focus {
        .with {
            $0.id = "work"
            edit(&$0)
        }
    }

    /// 09:00 to 17:00 on weekdays.
    static var officeHours: FocusSchedule { .with { $0.days = .weekdays } }

    private func phone(assumptions: Assumptions = Assumptions()) -> Phone {
        Phone(assumptions: assumptions, { $0.startWork() })
    }

    @Test(
        "V3 S3-4 B.4 a notification silenced by a Focus is in Notification Center at once, and on the lock screen without a sound when the Focus ends"
    )
    func releases() throws {
        let phone = phone()
        let push = phone.alert()
        #expect(phone.story(push) == [.received, .contentDelivered, .silencedByFocus, .notificationCenter])
        #expect(phone.notificationCenter == [push])
        #expect(phone.lockScreen.isEmpty)
        let events = try phone.act(.switchFocus(id: nil))
        #expect(events.map(\.kind) == [.act, .focusEnded, .released])
        #expect(events[1].text("focus") == "work")
        #expect(events[1].text("cause") == "person")
        #expect(events[2].text("section") == "whileInFocus")
        #expect(phone.screen.lockScreen.first?.isUnderFocus == true)
        #expect(phone.lockScreen == [push])
        #expect(phone.notificationCenter == [push])
        #expect(!phone.story(push).contains(.sound))
    }

    @Test("a Focus that is on until an instant ends then, but one turned on later stays on")
    func endsByItself() throws {
        let phone = phone()
        let push = phone.alert()
        phone.change { $0.focus.until = phone.now.advanced(by: .hour) }
        phone.wait(.seconds(3599))
        #expect(phone.state.conditions.value.focus.active == "work")
        phone.wait(.seconds(1))
        #expect(phone.state.conditions.value.focus.active == nil)
        #expect(phone.state.conditions.value.focus.until == nil)
        #expect(phone.events(.focusEnded).map { $0.text("cause") } == ["schedule"])
        #expect(phone.lockScreen == [push])
        try phone.act(.switchFocus(id: "work"))
        phone.wait(.seconds(7200))
        #expect(phone.state.conditions.value.focus.active == "work")
    }

    @Test("a Focus that should have ended while the device was off is off at the next start", arguments: [2, 15 * 24])
    func endsWhileOff(_ hours: Int64) throws {
        let phone = phone()
        phone.change { $0.focus.until = phone.now.advanced(by: .hour) }
        phone.change { $0.isPoweredOn = false }
        phone.wait(.milliseconds(hours * .hour))
        #expect(phone.state.conditions.value.focus.active == "work")
        phone.change { $0.isPoweredOn = true }
        #expect(phone.state.conditions.value.focus.active == nil)
        #expect(phone.state.conditions.value.focus.until == nil)
    }

    @Test("B.4 removed or replaced notifications are not released") func releasesOnlyWhatIsThere() throws {
        let phone = phone()
        let dismissed = phone.alert("1")
        phone.alert("2", collapse: "a")
        let new = phone.alert("3", collapse: "a")
        try phone.act(.dismiss(notification: dismissed))
        try phone.act(.switchFocus(id: nil))
        #expect(phone.events(.released).map(\.notification) == [new])
    }

    @Test("B.4 on an unlocked device released notifications stay in Notification Center")
    func releasesToAnUnlockedDevice() throws {
        let phone = phone()
        let push = phone.alert()
        try phone.act(.unlock)
        try phone.act(.switchFocus(id: nil))
        #expect(phone.events(.released).map(\.notification) == [push])
        #expect(phone.events(.released)[0].text("section") == nil)
        #expect(phone.lockScreen.isEmpty)
        #expect(phone.notificationCenter == [push])
    }

    @Test("B.4 notifications hidden from Notification Center move to the lock screen when the Focus ends")
    func releasesTheHidden() throws {
        let phone = phone()
        phone.settings { $0.notificationCenter = .disabled }
        let push = phone.alert()
        #expect(phone.notificationCenter.isEmpty)
        try phone.act(.switchFocus(id: nil))
        #expect(phone.lockScreen == [push])
    }

    @Test("a Focus ends in time, also when another one's schedule ends then") func endsWithASchedule() throws {
        let phone = Phone()
        phone.change { $0.focus.modes = [Self.work { $0.schedule = [Self.officeHours] }, Focus(id: "gym")] }
        phone.wait(until: "10:00")
        phone.change {
            $0.focus.active = "gym"
            $0.focus.until = .at(17 * .hour)
        }
        phone.wait(until: "18:00")
        #expect(phone.state.conditions.value.focus.active == nil)
        #expect(phone.events(.focusEnded).map(\.at) == [.at(10 * .hour), .at(17 * .hour)])
    }

    @Test("B.4 sounds are replayed if assumed") func replays() throws {
        let phone = phone(assumptions: .with { $0.focusReplaysAlerts = true })
        phone.alert()
        phone.alert("psst", #""interruption-level":"passive""#)
        phone.push(#"{"aps":{"alert":"quiet"}}"#, topic: Phone.chat)
        let events = try phone.act(.switchFocus(id: nil))
        #expect(events.map(\.kind) == [.act, .focusEnded, .released, .sound, .released, .released])
    }

    @Test func holdsNotificationsWhenOneFocusFollowsAnother() throws {
        let phone = phone()
        phone.change { $0.focus.modes.append(Focus(id: "sleep")) }
        let push = phone.alert()
        let events = try phone.act(.switchFocus(id: "sleep"))
        #expect(events.map(\.kind) == [.act, .focusEnded, .focusStarted])
        #expect(try phone.act(.switchFocus(id: nil)).last?.notification == push)
    }

    @Test("B.5 a second call within three minutes is let through, also after another caller's")
    func repeatedCalls() throws {
        let phone = Phone({ $0.startWork() }, app: { $0.userActivityTypes = ["INStartCallIntent"] })
        func call(_ caller: String, isMissed: Bool = false) throws -> Timing? {
            let call = CommunicationContext.with {
                ($0.isMissedCall, $0.intent) = (isMissed, .startCall)
                $0.sender.handle = .with { $0.value = caller }
            }
            try phone.schedule("call \(phone.inbox.count)") { $0.communication = call }
            return phone.inbox.last?.outcome?.timing
        }
        #expect(try call("1") == .silencedByFocus)
        phone.wait(.seconds(60))
        #expect(try call("2") == .silencedByFocus)
        phone.wait(.seconds(60))
        #expect(try call("1") == .now)
        phone.wait(.seconds(181))
        #expect(try call("1") == .silencedByFocus)
        #expect(try call("") == .silencedByFocus)
        #expect(try call("") == .silencedByFocus, "calls without a handle are not compared")
        #expect(try call("3") == .silencedByFocus)
        phone.wait(.seconds(30))
        #expect(try call("3", isMissed: true) == .silencedByFocus)
        phone.wait(.seconds(170))
        #expect(try call("3") == .silencedByFocus, "the notice of a missed call is no call")
    }

    // MARK: Schedules

    @Test("S0-12 B.4 a schedule switches its Focus on and off by the device's clock") func follows() {
        let phone = Phone { $0.focus.modes = [Self.work()] }
        phone.change { $0.focus.modes = [Self.work { $0.schedule = [Self.officeHours] }] }
        #expect(phone.simulator.nextDue == .at(9 * .hour))
        phone.wait(until: "12:00")
        #expect(phone.screen.conditions.focus.active == "work")
        let push = phone.alert()
        phone.wait(until: "18:00")
        #expect(phone.screen.conditions.focus.active == nil)
        #expect(phone.events(.focusStarted).map(\.at) == [.at(9 * .hour)])
        #expect(phone.events(.focusStarted).first?.text("cause") == "schedule")
        #expect(phone.events(.focusEnded).map(\.at) == [.at(17 * .hour)])
        #expect(phone.events(.released).map(\.notification) == [push])
        #expect(phone.events(.released).map(\.at) == [.at(17 * .hour)])
    }

    @Test("B.4 advancing a week applies a weekday schedule in order") func leapsAWeek() {
        let phone = Phone()
        phone.change { $0.focus.modes = [Self.work { $0.schedule = [Self.officeHours] }] }
        phone.wait(.seconds(7 * 86_400))
        let midnights = (0..<5).map { Instant.at($0 * .day) }
        #expect(phone.events(.focusStarted).map(\.at) == midnights.map { $0.advanced(by: 9 * .hour) })
        #expect(phone.events(.focusEnded).map(\.at) == midnights.map { $0.advanced(by: 17 * .hour) })
    }

    @Test("B.4 a Focus that the person switched off stays off until the next scheduled start")
    func obeysThePerson() throws {
        let phone = Phone()
        phone.change { $0.focus.modes = [Self.work { $0.schedule = [Self.officeHours] }] }
        phone.wait(until: "10:00")
        try phone.act(.switchFocus(id: nil))
        phone.change { $0.focus.modes[0].dimsLockScreen = true }
        phone.wait(until: "16:00")
        #expect(phone.screen.conditions.focus.active == nil)
        phone.wait(until: "10:00", day: 1)
        #expect(phone.screen.conditions.focus.active == "work")
    }

    @Test("B.4 another Focus that the person switched on stays on past the schedule's end") func outlasts() throws {
        let phone = Phone()
        phone.change { $0.focus.modes = [Self.work { $0.schedule = [Self.officeHours] }, Focus(id: "gym")] }
        phone.wait(until: "10:00")
        try phone.act(.switchFocus(id: "gym"))
        phone.wait(until: "20:00")
        #expect(phone.screen.conditions.focus.active == "gym")
    }

    @Test("B.4 a schedule that includes the present applies at once, until a change of time zone leaves it")
    func followsTheTimeZone() {
        let phone = Phone()
        phone.wait(until: "10:00")
        let events = phone.change { $0.focus.modes = [Self.work { $0.schedule = [Self.officeHours] }] }
        #expect(events.map(\.kind) == [.conditionsChanged, .focusStarted])
        #expect(events.last?.text("cause") == "schedule")
        phone.change { $0.timeZone = "Asia/Tokyo" }  // 19:00 there
        #expect(phone.screen.conditions.focus.active == nil)
        phone.wait(until: "00:00", day: 1)  // 09:00 there
        #expect(phone.screen.conditions.focus.active == "work")
    }

    @Test func setsConditionsAsOneInput() {
        let phone = phone()
        let push = phone.alert()
        let events = phone.change { $0.focus.active = nil }
        #expect(events.map(\.kind) == [.conditionsChanged, .focusEnded, .released])
        #expect(events[1].text("cause") == "conditions")
        #expect(events.last?.notification == push)
        #expect(phone.change { _ in }.isEmpty)
    }
}

extension Focus {
    init(id: String) {
        self.init()
        self.id = id
    }
}

import APNs
import DeviceModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// A device that is off does nothing and catches up when switched on.
@Suite struct PowerTests {
    static let acts: [DeviceAct] = [
        .lock, .unlock, .wake, .open(app: Phone.chat), .terminate(app: Phone.chat), .restart,
        .uninstall(app: Phone.chat),
        .tap(notification: 1), .dismiss(notification: 1), .clear(app: nil),
        .perform(action: "like", text: nil, notification: 1), .switchFocus(id: nil),
        .answer(choice: .leaveOn, app: Phone.chat), .setBadge(count: 1, app: Phone.chat),
        .removeDelivered(identifiers: ["push-1"], app: Phone.chat), .removeAllDelivered(app: Phone.chat),
    ]

    @Test(arguments: acts) func refusesActs(_ act: DeviceAct) {
        let phone = Phone()
        phone.alert("Hello", #""interruption-level":"time-sensitive""#)
        phone.change { $0.isPoweredOn = false }
        let before = phone.state
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.act(act) }
        #expect(phone.state == before)
    }

    @Test("H.4 a summary missed while the device was off appears at the next start and lights the screen once")
    func makesUpForASummary() {
        let phone = Phone.withSummary()
        let push = phone.alert()
        phone.change { $0.isPoweredOn = false }
        let count = phone.state.lastEvent
        phone.wait(until: "20:00")
        #expect(phone.state.lastEvent == count)
        #expect(phone.simulator.nextDue == nil)
        #expect(phone.nextSummary == [push] && phone.lockScreen.isEmpty)
        let events = phone.change { $0.isPoweredOn = true }
        #expect(events.map(\.kind) == [.conditionsChanged, .summaryDelivered, .screenLit])
        #expect(events[1].at == .at(20 * .hour))
        #expect(phone.lockScreen == [push] && phone.nextSummary.isEmpty)
        phone.wait(.seconds(86_400))
        #expect(phone.events(.summaryDelivered).count == 1)
    }

    @Test("H.4 a summary that is not due yet keeps its time") func keepsTheTime() {
        let phone = Phone.withSummary()
        phone.alert()
        phone.change { $0.isPoweredOn = false }
        phone.wait(until: "17:00")
        #expect(phone.change { $0.isPoweredOn = true }.map(\.kind) == [.conditionsChanged])
        phone.wait(until: "18:00")
        #expect(phone.events(.summaryDelivered).map(\.at) == [.at(18 * .hour)])
    }

    @Test("H.4 disabling the summary while the device is off shows its notifications at the next start")
    func showsWhatNoSummaryWillShow() {
        let phone = Phone.withSummary()
        let push = phone.alert()
        phone.change { $0.isPoweredOn = false }
        phone.change { $0.summary.isEnabled = false }
        #expect(phone.events(.summaryDelivered, .screenLit).isEmpty)
        phone.change { $0.isPoweredOn = true }
        #expect(phone.lockScreen == [push])
    }

    @Test("H.4 an empty summary is not due") func hasNothingToMakeUpFor() {
        let phone = Phone.withSummary()
        phone.change { $0.isPoweredOn = false }
        phone.change { $0.summary.isEnabled = false }
        #expect(phone.state.summary.dueAt == nil)
        #expect(phone.change { $0.isPoweredOn = true }.map(\.kind) == [.conditionsChanged])
    }

    /// A phone at midnight with a Focus for office hours, and what happens while it is off until a time of the first day.
    private func focusPhone(
        off: String, on: String, day: Int64 = 0, _ edit: (inout DeviceConditions) -> Void = { _ in }
    ) -> [DeviceEvent] {
        let phone = Phone { $0.focus.modes = [FocusTests.work { $0.schedule = [FocusTests.officeHours] }] }
        phone.change { $0.focus.modes[0].name = "Work" }
        phone.wait(until: off)
        if phone.state.conditions.value.focus.active != nil { phone.alert() }
        phone.change {
            $0.isPoweredOn = false
            edit(&$0)
        }
        let count = phone.state.lastEvent
        phone.wait(until: on, day: day)
        #expect(phone.state.lastEvent == count)
        return phone.change { $0.isPoweredOn = true }
    }

    @Test("B.4 a Focus that began or ended while the device was off is on or off at the next start")
    func followsSchedules() {
        let started = focusPhone(off: "08:00", on: "10:00")
        #expect(started.map(\.kind) == [.conditionsChanged, .focusStarted])
        #expect(started.last?.text("cause") == "schedule" && started.last?.at == .at(10 * .hour))
        #expect(focusPhone(off: "10:00", on: "18:00").map(\.kind) == [.conditionsChanged, .focusEnded, .released])
        #expect(focusPhone(off: "08:00", on: "18:00").map(\.kind) == [.conditionsChanged])
        // The 59th day is a Thursday, the 61st a Saturday.
        #expect(focusPhone(off: "08:00", on: "10:00", day: 59).map(\.kind) == [.conditionsChanged, .focusStarted])
        #expect(
            focusPhone(off: "10:00", on: "10:00", day: 61).map(\.kind) == [.conditionsChanged, .focusEnded, .released])
    }

    @Test("B.4 a Focus that began while the device was off is on at the next start, even if its modes were edited")
    func followsSchedulesThatWereChanged() {
        for isLater in [false, true] {
            let phone = Phone { $0.focus.modes = [FocusTests.work { $0.schedule = [FocusTests.officeHours] }] }
            phone.change { $0.focus.modes[0].name = "Work" }
            phone.wait(until: "08:00")
            phone.change { $0.isPoweredOn = false }
            phone.wait(until: "10:00")
            if isLater { phone.change { $0.focus.modes[0].name = "Office" } }
            let events = phone.change {
                $0.isPoweredOn = true
                if !isLater { $0.focus.modes[0].name = "Office" }
            }
            #expect(events.map(\.kind) == [.conditionsChanged, .focusStarted])
        }
    }

    @Test("H.4 a missed summary is shown even if its times change") func showsASummaryWithOtherTimes() {
        for isLater in [false, true] {
            let phone = Phone.withSummary()
            let push = phone.alert()
            phone.change { $0.isPoweredOn = false }
            phone.wait(until: "20:00")
            if isLater { phone.change { $0.timeZone = "Asia/Tokyo" } }
            phone.change {
                $0.isPoweredOn = true
                if !isLater { $0.timeZone = "Asia/Tokyo" }
            }
            #expect(phone.events(.summaryDelivered).count == 1)
            #expect(phone.lockScreen == [push] && phone.nextSummary.isEmpty)
        }
    }

    @Test("B.4 a Focus chosen by hand stays until the schedule changes") func keepsWhatWasChosen() {
        let events = focusPhone(off: "10:00", on: "12:00") { $0.focus.active = nil }
        #expect(events.map(\.kind) == [.conditionsChanged, .released])
    }

    @Test("B.4 a device that is off shows what a Focus withheld at its next start") func releasesAtTheNextStart() {
        let phone = Phone(assumptions: .with { $0.focusReplaysAlerts = true }) { $0.startWork() }
        let push = phone.alert()
        phone.change { $0.isPoweredOn = false }
        phone.change { $0.focus.active = nil }
        phone.wait(until: "10:00")
        #expect(phone.events(.released, .sound, .screenLit).isEmpty)
        phone.change { $0.isPoweredOn = true }
        #expect(phone.events(.released, .sound).map(\.kind) == [.released, .sound])
        #expect(phone.events(.released).map(\.at) == [.at(10 * .hour)] && phone.lockScreen == [push])
    }

    @Test("C.3 content that a service extension returns while the device is off is shown at the next start")
    func showsWhatAnExtensionMade() {
        let phone = Phone(app: { $0.extension = .stub })
        let push = phone.alert("Hello", #""mutable-content":1"#)
        phone.change { $0.isPoweredOn = false }
        #expect(phone.answer(push) { $0.body = "changed" })
        #expect(!phone.answer(push) { $0.body = "again" }, "it has answered")
        #expect(phone.state(of: push) == .accepted)
        #expect(phone.story(push) == [.received, .nseStarted, .nseFinished])
        phone.change { $0.isPoweredOn = true }
        #expect(phone.state(of: push) == .delivered && phone.lockScreen == [push])
        #expect(phone.events(.contentDelivered).first?.text("body") == "changed")
    }

    @Test("B.1 an App Clip's time ends while the device is off") func endsAnAppClip() {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .ephemeral }
        phone.change { $0.isPoweredOn = false }
        phone.wait(.seconds(9 * 3600))
        #expect(phone.app().settings.authorizationStatus == .ephemeral)
        phone.change { $0.isPoweredOn = true }
        #expect(phone.app().settings.authorizationStatus == .denied)
    }

    @Test("apns-8 stored pushes expire while the device is off") func letsPushesExpire() {
        let phone = Phone { $0.isPoweredOn = false }
        let push = phone.alert(expiration: .at(.at(.hour)))
        phone.wait(.seconds(3600))
        #expect(phone.state(of: push) == .discarded(.expired))
    }

    @Test(
        "a restarted device counts as unlocked since its start once an act unlocks it",
        arguments: [
            .unlock, .open(app: Phone.chat),
        ] as [DeviceAct])
    func unlocksAfterARestart(_ act: DeviceAct) throws {
        let phone = Phone()
        try phone.act(.restart)
        #expect(!phone.state.conditions.value.isUnlockedSinceBoot)
        try phone.act(act)
        #expect(phone.state.conditions.value.isUnlockedSinceBoot)
    }
}

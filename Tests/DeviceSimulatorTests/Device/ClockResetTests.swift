import APNs
import DeviceModel
import Testing

@testable import DeviceSimulator

/// A device whose clock was in the future and is set back.
@Suite struct ClockResetTests {
    private let phone: Phone

    init() throws {
        phone = Phone { device in
            var work = Focus()
            work.id = "work"
            var hours = FocusSchedule()
            (hours.from, hours.to) = (WallTime(hour: 9, minute: 0), WallTime(hour: 17, minute: 0))
            work.schedule = [hours]
            device.focus.modes = [work, Focus()]
            device.focus.modes[1].id = "rest"
        }
        phone.wakeUp(3)
        phone.wait(.seconds(4 * 365 * 86_400))
        try phone.act(.wake)
        phone.wakeUp(3)
        phone.wait(.seconds(-4 * 365 * 86_400))
    }

    @Test("an offline device stays offline until its time, and a push to it is stored") func goesOffline() {
        let end = phone.now.advanced(by: 600_000)
        phone.change {
            $0.isOnline = false
            $0.offlineUntil = end
        }
        #expect(phone.state.conditions.value.isOnline == false)
        let push = phone.alert(expiration: .at(end.advanced(by: 60_000)))
        #expect(phone.state(of: push) == .stored(.offline))
        phone.wait(.seconds(600))
        #expect(phone.state(of: push) == .delivered)
    }

    @Test("a Focus with an end is on until then") func keepsFocus() {
        let end = phone.now.advanced(by: 600_000)
        phone.change {
            $0.focus.active = "rest"
            $0.focus.until = end
        }
        #expect(phone.state.conditions.value.focus.active == "rest")
        phone.wait(.seconds(600))
        #expect(phone.state.conditions.value.focus.active == nil)
    }

    @Test("Focus schedules and wake-ups follow the present day") func followsSchedule() {
        phone.wait(.seconds(3601))
        #expect(phone.state(of: phone.background()) == .delivered)
        phone.wait(until: "09:00")
        #expect(phone.state.conditions.value.focus.active == "work")
    }

    @Test("events are never dated before earlier ones") func datesEvents() {
        phone.alert()
        let dates = phone.events().filter { $0.kind != .received }.map(\.at)
        #expect(dates == dates.sorted())
    }
}

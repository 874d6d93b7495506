import APNs
import DeviceModel
import LiveModel
import TestSupport
import Testing

@testable import DeviceSimulator

/// Pushes meet an app in the foreground, a locked phone, and an app that the person has force-quit.
@Suite struct ForegroundTests {
    @Test("L-34 an app in the foreground gets background pushes at once, and spends no wake-ups") func front() throws {
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        let pushes = (0..<5).map { _ in phone.background() }
        #expect(pushes.allSatisfy { phone.story($0) == [.received, .backgroundPush] })
        #expect(phone.simulator.notification(pushes[4])?.why.contains("foreground") == true)
        try phone.act(.lock)
        #expect((0..<3).allSatisfy { _ in phone.story(phone.background()).last == .appLaunch })
        #expect(phone.state(of: phone.background()) == .stored(.backgroundBudget))
    }

    @Test(
        "L-34 an app comes to the foreground by an act, too, even if the phone saves power",
        arguments: [
            DeviceAct.unlock, .wake, .open(app: Phone.chat),
        ]) func opened(_ act: DeviceAct) throws
    {
        let phone = Phone { $0.foregroundApp = Phone.chat }
        if act == .wake { phone.change { $0.isLocked = false } }
        phone.wakeUp(3)
        let held = phone.background()
        phone.change { $0.isSavingPower = true }
        #expect(phone.state(of: held) == .stored(.backgroundBudget))
        try phone.act(act)
        #expect(phone.story(held) == [.received, .stored, .backgroundPush])
    }

    @Test("opening an app delivers nothing that APNs stores for a phone that saves power") func saving() throws {
        let phone = Phone { $0.isSavingPower = true }
        let push = phone.background()
        try phone.act(.open(app: Phone.chat))
        #expect(phone.state(of: push) == .stored(.power))
    }

    @Test(
        "L3 an alert with content-available calls the app's handler, and wakes only an app that is not in the foreground",
        arguments: [false, true]) func handler(_ isForeground: Bool) throws
    {
        let phone = Phone(app: { $0.backgroundModes = ["remote-notification"] })
        if isForeground { try phone.act(.open(app: Phone.chat)) }
        try phone.reply { $0.background = .newData }
        let push = phone.alert("Hello", #""content-available":1"#)
        #expect(phone.events(.appLaunch, of: push).isEmpty == isForeground)
        #expect(phone.events(.backgroundResult, of: push).map { $0.text("result") } == ["newData"])
        try phone.reply { $0.background = .timeout }
        let slow = phone.alert("Hello", #""content-available":1"#)
        phone.wait(.seconds(30))
        #expect(phone.story(slow).last == .appKilled)
        #expect(phone.simulator.notification(slow)?.outcome?.timing == (isForeground ? .foreground : .now))
    }

    @Test("an app that is put in front of a locked phone is not opened until the phone is unlocked") func locked()
        throws
    {
        let phone = Phone()
        try phone.act(.terminate(app: Phone.chat))
        phone.change { $0.foregroundApp = Phone.chat }
        #expect(phone.state(of: phone.background()) == .discarded(.appTerminated))
        try phone.act(.unlock)
        #expect(phone.state(of: phone.background()) == .delivered)
    }

    private static let launches: [@Sendable (Phone) throws -> UInt64] = [
        { $0.voip() },
        { phone in
            let token = try #require(phone.registrations.first { $0.kind == .pushtotalk })
            return phone.push("{}", to: token, type: .pushtotalk)
        },
        { $0.pushStart() },
    ]

    @Test(
        "L3 S8 a call, a Push to Talk push and the start of an activity launch an app that was force-quit",
        arguments: launches.indices) func launched(_ row: Int) throws
    {
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        try phone.services { $0.channel = "Team" }
        try phone.act(.lock)
        try phone.act(.terminate(app: Phone.chat))
        let push = try Self.launches[row](phone)
        #expect(phone.state(of: push) == .delivered)
        #expect(phone.state.app(Phone.chat)?.isTerminated == false)
        #expect(phone.state(of: phone.background()) == .delivered)
    }

    @Test("S8 without wakeAfterForceQuit, the start of an activity launches no such app") func notLaunched() throws {
        let phone = Phone(assumptions: .with { $0.wakeAfterForceQuit = false })
        try phone.act(.terminate(app: Phone.chat))
        #expect(phone.state(of: phone.pushStart()) == .delivered)
        #expect(phone.state(of: phone.background()) == .discarded(.appTerminated))
    }
}

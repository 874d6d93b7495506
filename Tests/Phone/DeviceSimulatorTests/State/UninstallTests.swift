import APNs
import DeviceModel
import LiveModel
import SiriModel
import TestSupport
import Testing

@testable import DeviceSimulator

/// Uninstalling an app removes everything it has on the device (I.6).
@Suite struct UninstallTests {
    private static let mail = "com.example.mail"

    private func status(_ phone: Phone, _ topic: String) -> [RegistrationStatus] {
        phone.simulator.device(named: Phone.name)!.registrations.filter { $0.topic == topic }.map(\.status)
    }

    @Test("I.6 uninstalling removes lists, badge, summary, tokens and settings of that app only")
    func takesEverything() throws {
        let phone = Phone { $0.summary.isEnabled = true }
        phone.settings { $0.sound = .disabled }
        let listed = phone.alert("Listed", #""badge":3"#)
        phone.settings { $0.scheduledDelivery = .enabled }
        let deferred = phone.alert("Deferred")
        let others = phone.alert("Other", #""badge":1"#, app: Self.mail)
        phone.push("{}", topic: Phone.chat + ".voip", type: .voip, kind: .voip)
        let events = try phone.act(.uninstall(app: Phone.chat))
        #expect(events.map(\.kind) == [.act, .removed, .removed, .badge])
        #expect(events[1...2].map(\.notification) == [listed, deferred])
        #expect(events[1...2].allSatisfy { $0.text("reason") == "uninstalled" })
        #expect(events[3].number("count") == 0)
        #expect(phone.lockScreen == [others] && phone.notificationCenter == [others] && phone.nextSummary.isEmpty)
        #expect(phone.app().badge == 0 && phone.app(Self.mail).badge == 1)
        #expect(!phone.app().hasOwnSettings && phone.app().settings.sound == .enabled)
        #expect(status(phone, Phone.chat) == [.unregistered(since: .at(0))])
        #expect(status(phone, Phone.chat + ".voip") == [.unregistered(since: .at(0))])
        #expect(status(phone, Self.mail) == [.active])
        // The summary shows none of it, and a new installation starts empty.
        phone.wait(.seconds(86_400))
        #expect(phone.events(.summaryDelivered).isEmpty)
        phone.alert("Installed again")
        #expect(status(phone, Phone.chat) == [.unregistered(since: .at(0)), .active])
        #expect(phone.app().badge == 0)
    }

    @Test("I.6 pushes that are stored or in the service extension are discarded")
    func discardsWhatWaits() throws {
        let phone = Phone(app: { $0.extension = .stub })
        let extending = phone.alert("Extending", #""mutable-content":1"#)
        phone.change { $0.isOnline = false }
        let stored = phone.alert("Stored")
        let other = phone.alert("Other", app: Self.mail)
        let events = try phone.act(.uninstall(app: Phone.chat))
        #expect(events.map(\.kind) == [.act, .discarded, .discarded])
        for push in [stored, extending] { #expect(phone.state(of: push) == .discarded(.uninstalled)) }
        #expect(
            !phone.finishExtension(ExtensionRun(.answered, startedAt: phone.now, endedAt: phone.now), of: extending))
        phone.change { $0.isOnline = true }
        #expect(phone.state(of: other) == .delivered)
        #expect(phone.events(.sound).map(\.notification) == [other])
        #expect(phone.simulator.counters.counts.discarded == 2)
    }

    @Test("I.1 I.6 uninstalling removes the banner, closes the app, and forgets its collapse identifiers")
    func leavesNothing() throws {
        let phone = Phone {
            $0.isLocked = false
            $0.isScreenOn = true
        }
        phone.settings { $0.notificationCenter = .disabled }
        let banner = phone.alert("Banner", collapse: "c")
        try phone.act(.uninstall(app: Phone.chat))
        #expect(throws: SimulatorError.self) { try phone.act(.tap(notification: banner)) }
        _ = phone.registration(Phone.chat, .app)
        try phone.act(.open(app: Phone.chat))
        try phone.act(.uninstall(app: Phone.chat))
        #expect(phone.state.conditions.value.foregroundApp == nil)
        phone.alert("Again", collapse: "c")
        #expect(phone.events(.replaced).isEmpty)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Topics with `+` in front for production; the first one is deleted.
        var topics: [String]
        var isUninstalled: Bool
    }

    static let rows = [
        Row(testDescription: "its only token", topics: [Phone.chat], isUninstalled: true),
        Row(
            testDescription: "its own, one with a suffix is left", topics: [Phone.chat, Phone.chat + ".voip"],
            isUninstalled: true),
        Row(
            testDescription: "one with a suffix, its own is left", topics: [Phone.chat + ".voip", Phone.chat],
            isUninstalled: false),
        Row(
            testDescription: "one environment, the other is left", topics: [Phone.chat, "+" + Phone.chat],
            isUninstalled: false),
        Row(testDescription: "another app is left", topics: [Phone.chat, mail], isUninstalled: true),
    ]

    @Test("deleting a token uninstalls the app unless its topic has another token", arguments: rows)
    func followsFromDeletion(_ row: Row) throws {
        let phone = Phone()
        let tokens = try row.topics.map { topic in
            let name = topic.hasPrefix("+") ? String(topic.dropFirst()) : topic
            return try phone.simulator.register(
                device: Phone.name, topic: name, environment: name == topic ? .sandbox : .production,
                kind: TokenKind(topic: name), at: phone.now
            ).token
        }
        phone.simulator.receive(
            .make(#"{"aps":{"alert":"Hello"}}"#, to: phone.simulator.registration(of: tokens[0])!, at: phone.now),
            for: phone.simulator.registration(of: tokens[0])!)
        let removed = try phone.simulator.remove(tokens[0], at: .at(5))
        #expect(removed?.status == .unregistered(since: .at(5)))
        #expect(try phone.simulator.remove(tokens[0], at: .at(9))?.status == .unregistered(since: .at(5)))
        #expect(phone.lockScreen.isEmpty == row.isUninstalled)
        let left = tokens.dropFirst().map { phone.simulator.registration(of: $0)?.status == .active }
        let isOther = row.topics.last == Self.mail
        #expect(left.allSatisfy { $0 == (isOther || !row.isUninstalled) })
    }

    @Test("a device that is off cannot uninstall, but its registration can be deleted")
    func isDeletedWhileOff() throws {
        let phone = Phone()
        let token = phone.registration(Phone.chat, .app).token
        phone.change { $0.isPoweredOn = false }
        let stored = phone.alert()
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.act(.uninstall(app: Phone.chat)) }
        #expect(phone.state(of: stored) == .stored(.offline))
        try phone.simulator.remove(token, at: phone.now)
        #expect(phone.state(of: stored) == .discarded(.uninstalled))
    }

    private static let inputs: [@Sendable (Phone) throws -> Void] = [
        { try $0.donate(DonationTests.checkWeather("x", "1"), app: Phone.chat) },
        { try $0.schedule("tea", in: 60) },
        { try $0.local(.removeAllPending(app: Phone.chat)) },
        { try $0.services { $0.widgets = [.of("w", "scores")] } },
        { try $0.services { $0.call = .ringing } },
        { try $0.startActivity() },
        { try $0.perform(.activity(.issuePushToStart(app: Phone.chat, .sandbox))) },
        { try $0.act(.open(app: Phone.chat)) },
        { phone in
            var conditions = phone.state.conditions.value
            conditions.foregroundApp = Phone.chat
            try phone.perform(.conditions(conditions))
        },
    ]

    @Test(
        "I.6 an uninstalled app does nothing until its next registration, whatever happens meanwhile",
        arguments: inputs.indices)
    func doesNothing(_ index: Int) throws {
        let input = Self.inputs[index]
        let phone = Phone()
        phone.change { $0.isLocked = false }
        // Not every app registers.
        try input(phone)
        try phone.act(.uninstall(app: Phone.chat))
        phone.settings { $0.sound = .disabled }
        let events = phone.events()
        let refusal = SimulatorError.noSuchApp(Phone.chat, known: [])
        #expect(throws: refusal) { try input(phone) }
        try phone.simulator.load(phone.simulator.snapshot())
        #expect(throws: refusal) { try input(phone) }
        phone.simulator.reset(keeping: [.devices, .apps])
        #expect(throws: refusal) { try input(phone) }
        #expect(phone.events().count <= events.count && phone.state.live.isEmpty)
        _ = phone.registration(Phone.chat, .app)
        try input(phone)
        // A token that becomes active again is a registration, too.
        let token = try #require(phone.registrations.last { $0.kind == .app }?.token)
        try phone.simulator.remove(token, at: phone.now)
        #expect(throws: SimulatorError.self) { try input(phone) }
        phone.simulator.setStatus(.active, of: token, at: phone.now)
        try input(phone)
    }

    @Test("the device remembers the last 200 apps that were uninstalled") func isBounded() throws {
        let phone = Phone()
        for number in 0...200 {
            let app = "com.a\(number)"
            _ = phone.registration(app, .app)
            try phone.act(.uninstall(app: app))
        }
        #expect(phone.state.uninstalled.count == 200 && phone.state.uninstalled.first == "com.a1")
        try phone.act(.uninstall(app: Phone.chat))
        #expect(phone.state.uninstalled.suffix(2) == ["com.a200", Phone.chat])
    }

    @Test("the budget of wake-ups goes with the app, and so does its count") func countsAnew() throws {
        let phone = Phone()
        for _ in 0..<3 { phone.background() }
        try phone.act(.uninstall(app: Phone.chat))
        let push = phone.background()
        #expect(phone.simulator.notification(push)?.whyInFull == "The app is woken, 1 of 3 this hour.")
        #expect(phone.simulator.notification(push - 1)?.whyInFull == "The app is woken, 3 of 3 this hour.")
    }
}

import APNs
import DeviceModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Uninstalling an app removes everything it has on the device (I.6).
@Suite struct UninstallTests {
    private static let mail = "com.example.mail"

    private func status(_ phone: Phone, _ topic: String) -> [RegistrationStatus] {
        phone.simulator.device(named: Phone.name)!.registrations.filter { $0.topic == topic }.map(\.status)
    }

    @Test("I.6 uninstalling removes lists, badge, summary, tokens and settings of that app only") func takesEverything()
        throws
    {
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

    @Test("I.6 pushes that are stored or in the service extension are discarded") func discardsWhatWaits()
        throws
    {
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
    func leavesNothing()
        throws
    {
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

    @Test("a device that is off cannot uninstall, but its registration can be deleted") func isDeletedWhileOff() throws
    {
        let phone = Phone()
        let token = phone.registration(Phone.chat, .app).token
        phone.change { $0.isPoweredOn = false }
        let stored = phone.alert()
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.act(.uninstall(app: Phone.chat)) }
        #expect(phone.state(of: stored) == .stored(.offline))
        try phone.simulator.remove(token, at: phone.now)
        #expect(phone.state(of: stored) == .discarded(.uninstalled))
    }
}

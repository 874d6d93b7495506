import APNs
import DeviceModel
import LiveModel
import Testing
import Time

@testable import DeviceSimulator

/// An iOS that is too old for a feature issues no token for it (L3).
@Suite struct ServiceVersionTests {
    private func active(_ phone: Phone) -> [TokenKind] {
        phone.registrations.filter { $0.status == .active && $0.kind != .app }.map(\.kind)
    }

    private func activities(_ phone: Phone) -> [LiveActivity] { phone.state.live.activities.activities }

    @Test("tokens of widgets and controls come and go with the version of iOS") func tokens() throws {
        let phone = Phone { $0.osVersion = OSVersion(15) }
        _ = try phone.simulator.register(
            device: Phone.name, topic: Phone.chat, environment: .production, kind: .app, at: phone.now)
        try phone.services { ($0.widgets, $0.controls) = ([.of("w", "scores")], [.of("c", "door")]) }
        #expect(active(phone).isEmpty)
        phone.change { $0.osVersion = OSVersion(18) }
        #expect(active(phone) == [.controls])
        phone.change { $0.osVersion = OSVersion(26) }
        #expect(active(phone) == [.controls, .widgets])
        #expect(phone.registrations.last?.environment == .production)
        phone.change { $0.osVersion = OSVersion(17) }
        #expect(active(phone).isEmpty)
        try phone.services { $0.widgets = [] }
        phone.change { $0.osVersion = OSVersion(26) }
        #expect(active(phone) == [.controls])
    }

    @Test("Push to Talk needs iOS 16", arguments: [(OSVersion(15, 8), false), (OSVersion(16), true)])
    func pushToTalk(_ version: OSVersion, _ isPossible: Bool) throws {
        let phone = Phone { $0.osVersion = version }
        try phone.act(.open(app: Phone.chat))
        if isPossible {
            try phone.services { $0.channel = "Team" }
        } else {
            #expect(throws: SimulatorError.self) { try phone.services { $0.channel = "Team" } }
        }
        #expect(active(phone) == (isPossible ? [.pushtotalk] : []))
    }

    @Test(
        "L1.6 an older iOS has no ended, scheduled or subscribed activity that it does not know",
        arguments: [
            (OSVersion(16), [.dismissed, .dismissed]), (OSVersion(17), [.ended, .dismissed]),
            (OSVersion(25), [.ended, .dismissed]), (OSVersion(26), [.ended, .pending]),
        ] as [(OSVersion, [LiveActivity.State])]) func notLive(_ version: OSVersion, _ states: [LiveActivity.State])
        throws
    {
        let phone = Phone()
        let channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
        _ = try phone.simulator.createChannel(channel, policy: .mostRecent, at: phone.now)
        try phone.startActivity()
        try phone.perform(.activity(.end(try #require(activities(phone).first).id, ActivityEnd())))
        try phone.startActivity {
            ($0.push, $0.alert, $0.startsAt) = (
                .channel(channel.id), ActivityAlertText(), phone.now.advanced(by: .seconds(60))
            )
        }
        phone.change { $0.osVersion = version }
        #expect(activities(phone).map(\.state) == states)
        #expect(phone.events(.channelUnsubscribed).isEmpty == (states[1] == .pending))
    }

    @Test("a scheduled activity does not begin on an iOS that knows no schedule") func pending() throws {
        let phone = Phone()
        try phone.startActivity {
            ($0.push, $0.alert, $0.startsAt) = (.token, ActivityAlertText(), phone.now.advanced(by: .seconds(60)))
        }
        phone.change { $0.osVersion = OSVersion(16) }
        phone.wait(.seconds(60))
        #expect(phone.events(.activityStarted).isEmpty && active(phone).isEmpty)
        #expect(activities(phone).map(\.state) == [.dismissed])
    }
}

import APNs
import DeviceModel
import LiveModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// An app or iOS gets another version while its surfaces are placed.
@Suite struct VersionTests {
    private func active(_ phone: Phone) -> [TokenKind] {
        phone.registrations.filter { $0.status == .active }.map(\.kind)
    }

    private func declare(widget: Bool?, control: Bool?, on phone: Phone) {
        var app = phone.app().app
        app.widgets = widget.map { [.of("scores", push: $0)] } ?? []
        app.controls = control.map { [.of("door", push: $0)] } ?? []
        phone.simulator.put(app, at: phone.now)
    }

    /// - Returns: With a widget and a control, which has a token.
    private func placed() throws -> KeptPhone {
        let kept = try KeptPhone(seed: 1)
        declare(widget: false, control: true, on: kept.phone)
        try kept.phone.services { ($0.widgets, $0.controls) = ([.of("a", "scores")], [.of("c", "door")]) }
        #expect(active(kept.phone) == [.controls])
        return kept
    }

    @Test("L3 tokens of placed widgets and controls follow what the app declares") func newVersion() throws {
        let kept = try placed()
        let phone = kept.phone
        declare(widget: true, control: false, on: phone)
        #expect(active(phone) == [.widgets])
        declare(widget: true, control: true, on: phone)
        #expect(active(phone) == [.widgets, .controls] && phone.events(.tokenIssued).count == 3)
        declare(widget: nil, control: nil, on: phone)
        #expect(active(phone).isEmpty)
        try kept.expectSameAgain("without surfaces")
        phone.simulator.deleteApp(Phone.chat, at: phone.now)
        #expect(active(phone) == [.widgets, .controls], "an unknown app takes every push")
        declare(widget: nil, control: true, on: phone)
        #expect(active(phone) == [.controls])
        try kept.expectSameAgain("with a new app")
    }

    @Test("L3 a reset that drops apps exchanges the tokens of what kept devices have placed") func resetApps() throws {
        let kept = try placed()
        let phone = kept.phone
        phone.wait(.seconds(60))
        phone.simulator.reset(keeping: [.devices, .apps], at: phone.now)
        #expect(active(phone) == [.controls])
        phone.simulator.reset(keeping: [.devices], at: phone.now)
        #expect(active(phone) == [.controls, .widgets], "an unknown app takes every push")
        #expect(phone.events(.tokenIssued).map(\.at) == [phone.now])
        try kept.expectSameAgain("reset")
    }

    @Test("L3 a phone that is off exchanges tokens when it is on, also after a reset", arguments: [false, true])
    func newVersionWhileOff(_ isReset: Bool) throws {
        let kept = try placed()
        let phone = kept.phone
        phone.change { $0.isPoweredOn = false }
        declare(widget: true, control: false, on: phone)
        if isReset { phone.simulator.reset(keeping: [.devices, .apps], at: phone.now) }
        let before = phone.events(.tokenIssued).count
        #expect(active(phone) == [.controls])
        phone.change { $0.isPoweredOn = true }
        #expect(active(phone) == [.widgets] && phone.events(.tokenIssued).count == before + 1)
        // iOS follows.
        phone.change { $0.isPoweredOn = false }
        phone.change { $0.osVersion = OSVersion(17) }
        #expect(active(phone) == [.widgets])
        phone.change { $0.isPoweredOn = true }
        #expect(active(phone).isEmpty)
        // A restart alone issues nothing.
        phone.change { $0.osVersion = OSVersion(26) }
        #expect(active(phone) == [.widgets])
        for registration in phone.registrations where registration.status == .active {
            phone.simulator.setStatus(.unregistered, of: registration.token, at: phone.now)
        }
        phone.change { $0.isPoweredOn = false }
        phone.change { $0.isPoweredOn = true }
        #expect(active(phone).isEmpty)
        try kept.expectSameAgain("restarted")
    }

    @Test("an older iOS and back: tokens keep their environment") func environment() throws {
        let phone = Phone()
        _ = phone.registration(Phone.chat, .app)
        try phone.services(in: .production) { $0.widgets = [.of("w", "scores")] }
        phone.change { $0.osVersion = OSVersion(17) }
        phone.change { $0.osVersion = OSVersion(26) }
        let widgets = phone.registrations.filter { $0.kind == .widgets }
        #expect(widgets.map(\.status.kind) == [.unregistered, .active])
        #expect(widgets.map(\.environment) == [.production, .production])
    }

    @Test(
        "an older iOS has no activities that it does not know",
        arguments: [
            (OSVersion(15), [false, false, false]), (OSVersion(17, 5), [true, false, false]),
            (OSVersion(18), [true, true, true]),
        ]) func olderVersion(_ version: OSVersion, _ lives: [Bool]) throws
    {
        let phone = Phone { ($0.isLocked, $0.isScreenOn) = (false, true) }
        let channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
        _ = try phone.simulator.createChannel(channel, policy: .mostRecent, at: phone.now)
        for (push, style) in [(.token, .standard), (.channel(channel.id), .standard), (.none, .transient)]
            as [(ActivityPushType, LiveActivity.Style)]
        {
            var start = ActivityStart()
            (start.bundleID, start.type, start.isIntent) = (Phone.chat, "Ride", true)
            (start.push, start.style) = (push, style)
            try phone.perform(.activity(.start(start)))
        }
        phone.change { $0.osVersion = version }
        #expect(phone.state.live.activities.activities.map(\.state.isLive) == lives)
    }
}

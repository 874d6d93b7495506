import APNs
import DeviceModel
import JSON
import LiveModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Outcomes where two features meet.
@Suite struct MeetingTests {
    private static let ahead: Int64 = 4 * 365 * .day

    // MARK: A locked phone shows no app

    @Test("L3 an app behind the lock screen must report its call, joins no channel and starts no activity")
    func behindTheLock() throws {
        for isLocked in [false, true] {
            let phone = Phone {
                $0.osVersion = OSVersion(26, 4)
            } app: {
                $0.declareVoIP()
            }
            try phone.act(.open(app: Phone.chat))
            if isLocked { try phone.act(.lock) }
            try phone.reply { $0.answerVoIP(.nothing) }
            let call = phone.voip()
            #expect(phone.events(.call, of: call).first?.details["mustReport"] == .bool(isLocked))
            #expect(phone.events(.appKilled, of: call).isEmpty != isLocked)
            var start = ActivityStart()
            (start.bundleID, start.type) = (Phone.chat, "Ride")
            let didStart = (try? phone.perform(.activity(.start(start)))) != nil
            let didJoin = (try? phone.services { $0.channel = "Team" }) != nil
            #expect(didStart == !isLocked && didJoin == !isLocked)
        }
    }

    // MARK: An app that goes

    @Test("a reset that keeps devices forgets the categories of the apps that it removes") func categories() throws {
        let phone = Phone(app: { $0.categories = [CategoryTests.category("A")] })
        try phone.act(.setCategories([CategoryTests.category("Z")], app: Phone.chat))
        #expect(phone.app().app.categories.map(\.identifier) == ["Z"])
        phone.simulator.reset(keeping: [.devices])
        #expect(phone.app().app.categories.isEmpty)
    }

    @Test("T6 uninstalling an app makes its expired tokens Unregistered, too") func expired() throws {
        let phone = Phone()
        let registration = phone.registration(Phone.chat, .app)
        phone.simulator.setStatus(.expired, of: registration.token, at: phone.now)
        try phone.act(.uninstall(app: Phone.chat))
        #expect(phone.registrations.first?.status == .unregistered(since: phone.now))
    }

    // MARK: A clock that goes back

    @Test(
        "apns-8 what APNs stores expires 30 days of the new clock after the push, whatever the header's date",
        arguments: [Expiration.unspecified, .at(.at(ahead + 20 * .day))])
    func storage(_ expiration: Expiration) throws {
        let phone = Phone { $0.isOnline = false }
        phone.wait(.milliseconds(Self.ahead))
        let push = phone.alert(expiration: expiration)
        phone.setBack(by: Self.ahead)
        phone.wait(.milliseconds(30 * .day - 1))
        #expect(phone.state(of: push) == .stored(.offline))
        phone.wait(.milliseconds(1))
        #expect(phone.state(of: push) == .discarded(.expired))
    }

    @Test("T6 a token that was unregistered in the future is so since the clock's return") func tokens() throws {
        let phone = Phone()
        let registration = phone.registration(Phone.chat, .app)
        phone.wait(.milliseconds(Self.ahead))
        try phone.act(.uninstall(app: Phone.chat))
        phone.wait(.seconds(60))
        phone.setBack(by: Self.ahead + 60_000)
        let status = try #require(phone.simulator.registration(of: registration.token)?.status)
        #expect(status == .unregistered(since: phone.now.advanced(by: -60_000)))
    }

    @Test("L-33 the reloads of the last 24 hours count after the clock's return") func reloads() throws {
        let phone = Phone()
        try phone.services { $0.widgets = [.of("w", "scores")] }
        let widgets = try #require(phone.registrations.first { $0.kind == .widgets })
        phone.wait(.milliseconds(Self.ahead))
        func reload() -> ServiceVerdict? {
            let push = phone.push(#"{"aps":{"content-changed":true}}"#, to: widgets, type: .widgets)
            return phone.simulator.notification(push)?.service?.verdict
        }
        let first = try #require(reload())
        while reload() == first {}
        phone.setBack(by: Self.ahead)
        #expect(reload() != first)
        phone.wait(.seconds(24 * 3600))
        #expect(reload() == first)
    }

    // MARK: Handlers and speech

    @Test(
        "L3 speech on a channel ends with the phone and with the app",
        arguments: [
            DeviceAct.restart, .terminate(app: Phone.chat),
        ]) func speech(_ act: DeviceAct) throws
    {
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        try phone.services { $0.channel = "Team" }
        try phone.services { ($0.isTransmitting, $0.isHalfDuplex) = (true, true) }
        try phone.services { $0.speaker = "Aga" }
        let settings = { phone.simulator.live(of: Phone.name).services[Phone.chat].settings }
        try phone.act(act)
        #expect(settings().speaker == nil && !settings().isTransmitting)
        #expect(settings().channel == "Team" && settings().isHalfDuplex)
    }

    @Test("L3 a killed app has no other handlers to kill it for") func killedOnce() throws {
        let phone = Phone()
        try phone.reply {
            $0.answerVoIP(.timeout)
            $0.background = .timeout
        }
        _ = phone.voip()
        phone.wait(.seconds(3))
        _ = phone.voip()
        phone.background()
        phone.wait(.seconds(60))
        #expect(phone.events(.appKilled).count == 1)
    }

    @Test("H.2 a banner that stays does not outlive the screen it was on", arguments: [DeviceAct.lock, .restart])
    func banner(_ act: DeviceAct) throws {
        let phone = Phone { ($0.isLocked, $0.isScreenOn) = (false, true) }
        phone.settings { $0.alertStyle = .alert }
        let push = phone.alert()
        phone.wait(.seconds(60))
        #expect(phone.screen.banner?.sequence == push)
        try phone.act(act)
        try phone.act(.unlock)
        #expect(phone.screen.banner == nil && phone.notificationCenter == [push])
    }

    // MARK: Tokens

    private static let retirements:
        [(TokenKind, @Sendable (inout ServiceSettings) -> Void, @Sendable (inout ServiceSettings) -> Void)] = [
            (.pushtotalk, { $0.channel = "Team" }, { $0.channel = "Other" }),
            (.controls, { $0.controls = [.of("c", "door")] }, { $0.controls = [] }),
        ]

    @Test("L3 a stored push to a token whose use has ended reaches no other use", arguments: retirements.indices)
    func retired(_ row: Int) throws {
        let (kind, begin, end) = Self.retirements[row]
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        try phone.services(begin)
        let token = try #require(phone.registrations.last { $0.kind == kind })
        phone.change { $0.isOnline = false }
        let push = phone.push("{}", to: token, type: kind.pushType)
        try phone.services(end)
        if kind == .controls { try phone.services(begin) }
        let new = try #require(phone.registrations.last { $0.kind == kind && $0.status == .active })
        phone.change { $0.isOnline = true }
        #expect(phone.state(of: push) == .discarded(kind == .controls ? .noControl : .channelNotJoined))
        #expect(phone.state(of: phone.push("{}", to: new, type: kind.pushType)) == .delivered)
    }

    @Test("T6 a token that the gateway's user unregistered in the future is so since the clock's return") func patched()
    {
        let phone = Phone()
        let registration = phone.registration(Phone.chat, .app)
        phone.wait(.milliseconds(Self.ahead))
        phone.simulator.setStatus(.unregistered, of: registration.token, at: phone.now)
        phone.setBack(by: Self.ahead)
        #expect(phone.registrations.map(\.status) == [.unregistered(since: phone.now)])
        phone.simulator.setStatus(.expired, of: registration.token, at: phone.now.advanced(by: Self.ahead))
        #expect(phone.simulator.isAhead(of: phone.now))
        phone.simulator.setBack(to: phone.now)
        #expect(!phone.simulator.isAhead(of: phone.now))
        #expect(phone.registrations.map(\.status) == [.expired(since: phone.now)])
    }

    @Test("I.6 a token that is issued while time passes is numbered before later events, in any steps") func numbers()
        throws
    {
        let histories = try [3600, 90, 1].map { step in
            let phone = Phone()
            try phone.allowActivities()
            try phone.startActivity {
                ($0.push, $0.startsAt) = (.token, phone.now.advanced(by: .hour / 2))
                $0.alert = .with { $0.title = "Soon" }
            }
            try phone.schedule("minute", in: 60, repeats: true)
            for _ in 0..<3600 / step { phone.wait(.seconds(step)) }
            let tokens = phone.events(.tokenIssued)
            #expect(tokens.map(\.at) == [.at(.hour / 2)])
            let dates = phone.events().map(\.at)
            #expect(dates == dates.sorted())
            return phone.events()
        }
        #expect(histories[0] == histories[1] && histories[0] == histories[2])
    }

    @Test("L-31 a scheduled activity whose life passed while the phone was off shows, alerts and issues nothing")
    func missed() throws {
        for hours in [1, 8, 15] as [Int64] {
            let phone = Phone()
            try phone.allowActivities()
            try phone.startActivity {
                ($0.push, $0.startsAt) = (.token, phone.now.advanced(by: .hour))
                $0.alert = .with { $0.title = "Soon" }
            }
            phone.change { $0.isPoweredOn = false }
            phone.wait(.seconds((hours + 1) * 3600))
            phone.change { $0.isPoweredOn = true }
            let isMissed = hours > 1
            #expect(phone.state.live.activities.activities.map(\.state) == [isMissed ? .dismissed : .active])
            #expect(phone.events(.activityAlert).isEmpty == isMissed && phone.events(.tokenIssued).isEmpty == isMissed)
        }
    }

    // MARK: Held background pushes

    @Test(
        "a push that the device holds back has left APNs: its expiration does not discard it",
        arguments: [
            Expiration.immediate, .at(.at(600_000)),
        ]) func held(_ expiration: Expiration) throws
    {
        let phone = Phone()
        phone.wakeUp(3)
        let push = phone.background(expiration: expiration)
        phone.wait(.seconds(900))
        #expect(phone.state(of: push) == .stored(.backgroundBudget))
        phone.wait(.seconds(3600))
        #expect(phone.state(of: push) == .delivered)
    }

    @Test("L-34 a held background push is delivered when the app is in the foreground") func front() throws {
        let phone = Phone()
        phone.wakeUp(3)
        let push = phone.background()
        phone.change { $0.foregroundApp = Phone.chat }
        #expect(phone.state(of: push) == .stored(.backgroundBudget), "the phone is locked")
        phone.change { ($0.isLocked, $0.isScreenOn) = (false, true) }
        #expect(phone.state(of: push) == .delivered)
    }

    @Test("apns-8 the two environments are two services: their stored pushes do not replace each other")
    func environments() throws {
        let phone = Phone { $0.isOnline = false }
        let tokens = try [APNsEnvironment.sandbox, .production].map {
            try phone.simulator.register(
                device: Phone.name, topic: Phone.chat, environment: $0, kind: .app, at: phone.now)
        }
        let pushes = tokens.map { phone.push(#"{"aps":{"alert":"Hi"}}"#, to: $0, type: .alert, collapse: "c") }
        #expect(pushes.map { phone.state(of: $0) } == [.stored(.offline), .stored(.offline)])
    }

    @Test(
        "L3 an app that is killed behind the lock screen is not in front of the unlocked phone",
        arguments: [ServiceReplies.VoIPReply.Kind.nothing, .timeout])
    func killedBehindTheLock(_ reply: ServiceReplies.VoIPReply.Kind) throws {
        let phone = Phone(app: { $0.declareVoIP() })
        try phone.reply { $0.answerVoIP(reply) }
        try phone.act(.open(app: Phone.chat))
        try phone.act(.lock)
        _ = phone.voip()
        phone.wait(.seconds(60))
        #expect(phone.events(.appKilled).count == 1)
        try phone.act(.unlock)
        #expect(phone.state.conditions.value.foregroundApp == nil)
        phone.alert()
        #expect(phone.events(.banner).count == 1)
    }

    // MARK: Live Activities

    @Test(
        "L1.4 an expanded island does not come back after the screen or the app had it",
        arguments: [DeviceAct.lock, .restart, .open(app: Phone.chat)])
    func island(_ act: DeviceAct) throws {
        let phone = Phone { ($0.isLocked, $0.isScreenOn) = (false, true) }
        try phone.allowActivities()
        phone.pushStart()
        func isExpanded() -> Bool {
            phone.state.live.activities.surfaces(phone.state.liveContext(at: phone.moment())).island.isExpanded
        }
        #expect(isExpanded())
        try phone.act(act)
        try phone.act(.open(app: nil))
        #expect(!isExpanded())
    }
}

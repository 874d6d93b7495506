import APNs
import DeviceModel
import JSON
import LiveModel
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Effects of the other push types, as events and inbox show them (L3).
@Suite struct ServicePushTests {
    @Test("L3 a VoIP handler is killed seven seconds after delivery, in an event with the push's number")
    func killsLater() throws {
        let phone = Phone()
        try phone.reply { $0.answerVoIP(.timeout) }
        let push = phone.voip()
        phone.wait(.seconds(6))
        #expect(phone.story(push) == [.received, .call])
        phone.wait(.seconds(1))
        #expect(phone.story(push) == [.received, .call, .appKilled])
        #expect(phone.simulator.notification(push)?.service?.verdict == .delivered(.killedLater))
    }

    @Test("L-33 two of three widgets have a push handler and reload") func widgets() throws {
        let phone = Phone(app: { $0.widgets = [.of("scores"), .of("still", push: false)] })
        try phone.services { $0.widgets = [.of("w1", "scores"), .of("w2", "scores"), .of("w3", "still")] }
        let issued = phone.events(.tokenIssued)
        #expect(issued.count == 1 && issued.first?.text("kind") == "widgets")
        #expect(issued.first?.text("topic") == Phone.chat + ".push-type.widgets")
        let push = phone.push(
            #"{"aps":{"content-changed":true}}"#, topic: Phone.chat + ".push-type.widgets", type: .widgets,
            kind: .widgets)
        #expect(phone.simulator.notification(push)?.registration.token.hex == issued.first?.text("token"))
        #expect(phone.story(push) == [.received, .widgets, .widgetsReloaded])
        #expect(phone.events(.widgetsReloaded).first?.details["widgets"] == .strings(["w1", "w2"]))
        #expect(phone.simulator.notification(push)?.service?.sentence == "Widgets are reloaded: 2 reloaded.")
    }

    @Test("L3 each control has a token that ends with it") func controls() throws {
        let phone = Phone()
        try phone.services { $0.controls = [.of("c1", "door"), .of("c2", "door")] }
        let tokens = phone.events(.tokenIssued)
        #expect(tokens.map { $0.text("control") } == ["c1", "c2"])
        let registrations = phone.simulator.device(named: Phone.name)!.registrations
        let second = try #require(registrations.first { $0.subject == "c2" })
        let push = phone.push("{}", to: second, type: .controls)
        #expect(phone.events(.controlReloaded, of: push).first?.text("control") == "c2")
        try phone.services { $0.controls.removeLast() }
        #expect(phone.simulator.registration(of: second.token)?.status.kind == .unregistered)
    }

    @Test("L3 a PTT token is valid from joining to leaving, and each join issues a new one") func pushToTalk() throws {
        let phone = Phone()
        #expect(throws: SimulatorError.self) { try phone.services { $0.channel = "Team" } }
        try phone.act(.open(app: Phone.chat))
        try phone.services { $0.channel = "Team" }
        try phone.reply { $0.pushtotalk = .with { $0.reply = .leave } }
        let first = try #require(phone.simulator.device(named: Phone.name)!.registrations.first)
        let push = phone.push("{}", to: first, type: .pushtotalk)
        #expect(phone.story(push) == [.received, .pushToTalk, .pttResult])
        #expect(phone.simulator.registration(of: first.token)?.status.kind == .unregistered)
        try phone.services { $0.channel = "Team" }
        let tokens = phone.events(.tokenIssued).map { $0.text("token") }
        #expect(tokens.count == 2 && tokens[0] != tokens[1])
        #expect(phone.events(.tokenIssued).last?.text("channel") == "Team")
    }

    @Test("L3 a device that is off changes nothing, but its app's replies can be scripted") func isOff() throws {
        let phone = Phone { $0.isPoweredOn = false }
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.services { $0.call = .active } }
        try phone.reply { $0.background = .failed }
        #expect(phone.simulator.live(of: Phone.name).services[Phone.chat].replies.background == .failed)
    }

    typealias Edit = @Sendable (inout ServiceSettings) -> Void

    /// What begins and ends the use of a token.
    static let uses: [(TokenKind, Edit, Edit)] = [
        (.mdm, { $0.isEnrolled = true }, { $0.isEnrolled = false }),
        (.widgets, { $0.widgets = [.of("w", "scores")] }, { $0.widgets = [] }),
        (.controls, { $0.controls = [.of("c", "door")] }, { $0.controls = [] }),
        (.pushtotalk, { $0.channel = "Team" }, { $0.channel = nil }),
        (.pushtotalk, { $0.channel = "Team" }, { $0.channel = "Other" }),
    ]

    @Test("a token ends with its use, whatever the environment of the change that ends it", arguments: uses)
    func endsInBothEnvironments(_ kind: TokenKind, _ begin: Edit, _ end: Edit) throws {
        let phone = Phone()
        try phone.act(.open(app: Phone.chat))
        try phone.services(in: .production, begin)
        let issued = try #require(phone.simulator.device(named: Phone.name)?.registrations.last)
        #expect(issued.kind == kind && issued.environment == .production && issued.status == .active)
        try phone.services(in: .sandbox, end)
        #expect(phone.simulator.registration(of: issued.token)?.status.kind == .unregistered)
    }

    // MARK: Background

    @Test("L-34 opening the app delivers only the newest held background push") func launchDelivers() throws {
        let phone = Phone()
        phone.wakeUp(3)
        let first = phone.background()
        let second = phone.background()
        #expect(phone.state(of: first) == .discarded(.superseded))
        #expect(phone.state(of: second) == .stored(.backgroundBudget))
        try phone.act(.open(app: Phone.chat))
        #expect(phone.state(of: second) == .delivered)
        // The person launches the app.
        #expect(phone.story(second) == [.received, .stored, .backgroundPush])
        let launch = try #require(phone.events(.appLaunch).last)
        #expect(launch.text("state") == "foreground")
        #expect(launch.number < phone.events(.backgroundPush).last!.number)
    }

    @Test("L3 force-quitting the app discards the held background push") func terminateDiscards() throws {
        let phone = Phone()
        phone.wakeUp(3)
        let held = phone.background()
        try phone.act(.terminate(app: Phone.chat))
        #expect(phone.state(of: held) == .discarded(.appTerminated))
    }

    @Test("L3 pushes stored by APNs survive both opening and force-quitting the app") func offlineStays() throws {
        let phone = Phone { $0.isOnline = false }
        let stored = phone.background()
        try phone.act(.open(app: Phone.chat))
        try phone.act(.terminate(app: Phone.chat))
        #expect(phone.state(of: stored) == .stored(.offline))
    }

    @Test("L3 the handler's result, missing background mode and time limit") func backgroundRows() throws {
        let phone = Phone(app: { $0.backgroundModes = [] })
        #expect(phone.state(of: phone.background()) == .discarded(.backgroundModeMissing))
        phone.app { $0.backgroundModes = ["remote-notification"] }
        try phone.reply { $0.background = .newData }
        #expect(phone.story(phone.background()) == [.received, .backgroundPush, .appLaunch, .backgroundResult])
        try phone.reply { $0.background = .timeout }
        let slow = phone.background()
        phone.wait(.seconds(30))
        #expect(phone.story(slow) == [.received, .backgroundPush, .appLaunch, .appKilled])
    }

    @Test("L3 a complication that is not on the watch face gets nothing and spends no budget")
    func complication() throws {
        let phone = Phone(assumptions: .with { $0.complicationBudget = 1 })
        try phone.services { $0.hasComplication = false }
        #expect(phone.state(of: phone.complication()) == .discarded(.noComplication))
        try phone.services { $0.hasComplication = true }
        #expect(phone.state(of: phone.complication()) == .delivered)
        #expect(phone.state(of: phone.complication()) == .discarded(.budgetExceeded))
    }

    // MARK: Explanation and state

    @Test("L3 the explanation recomputes the rules tried from the facts") func explains() throws {
        let phone = Phone(app: { $0.declareVoIP() })
        let notification = try #require(phone.simulator.notification(phone.voip()))
        let reasons = try #require(notification.reasons)
        #expect(reasons.trace.map(\.rule) == ["voip.registered", "voip.withheld", "voip.filtered", "voip.rings"])
        #expect(reasons.decidedBy == 3)
        #expect(reasons.trace.last?.sentence.contains("Yes: the phone rings") == true)
    }

    private static let ends: [(cause: String, end: @Sendable (Phone) throws -> Void)] = [
        ("restarted", { try $0.act(.restart) }), ("poweredOff", { $0.change { $0.isPoweredOn = false } }),
        ("appTerminated", { try $0.act(.terminate(app: Phone.chat)) }), ("unanswered", { $0.wait(.seconds(60)) }),
        ("appUninstalled", { try $0.act(.uninstall(app: Phone.chat)) }),
    ]

    @Test("L3 a call ends with the phone, with its app, or unanswered", arguments: ends.indices)
    func endsCalls(_ row: Int) throws {
        let (cause, end) = Self.ends[row]
        let phone = Phone(app: { $0.declareVoIP() })
        _ = phone.voip()
        #expect(phone.state.live.services[Phone.chat].settings.call == .ringing)
        try end(phone)
        #expect(phone.state.live.services[Phone.chat].settings.call == .none)
        let changes = phone.events(.settingsChanged).filter { $0.details["cause"] == .string(cause) }
        #expect(changes.map { $0.details["services"] } == [.strings(["call"])])
        // The next push is judged again.
        phone.change { $0.isPoweredOn = true }
        try phone.reply { $0.answerVoIP(.nothing) }
        #expect(phone.story(phone.voip()).contains(.appKilled))
    }

    @Test("L3 a handler ends with its app and with the phone, and is not killed later", arguments: ends.indices)
    func endsHandlers(_ row: Int) throws {
        let (cause, end) = Self.ends[row]
        let phone = Phone(app: { $0.declareVoIP() })
        try phone.reply {
            $0.answerVoIP(.timeout)
            $0.background = .timeout
        }
        _ = phone.voip()
        phone.background()
        try end(phone)
        phone.wait(.seconds(60))
        phone.change { $0.isPoweredOn = true }
        #expect(phone.events(.appKilled).isEmpty == (cause != "unanswered"))
    }

    static let reports: [(OSVersion, Bool?, @Sendable (Phone) throws -> UInt64)] = [
        (OSVersion(26, 3), nil, { $0.voip() }), (OSVersion(26, 4), true, { $0.voip() }),
        (
            OSVersion(26, 4), false,
            { phone in
                try phone.act(.open(app: Phone.chat))
                return phone.voip()
            }
        ),
        (
            OSVersion(26, 4), false,
            { phone in
                try phone.services { $0.call = .active }
                return phone.voip()
            }
        ),
        (
            OSVersion(26, 4), false,
            { phone in
                phone.change { $0.isOnline = false }
                let push = phone.voip()
                phone.wait(.seconds(60))
                phone.change { $0.isOnline = true }
                return push
            }
        ),
    ]

    @Test("from iOS 26.4, a call says whether the app must report it", arguments: reports.indices)
    func mustReport(_ row: Int) throws {
        let (version, expected, push) = Self.reports[row]
        let phone = Phone {
            $0.osVersion = version
        } app: {
            $0.declareVoIP()
        }
        let call = try #require(phone.events(.call, of: try push(phone)).first)
        #expect(call.details["mustReport"] == expected.map { .bool($0) })
    }

    @Test("L3 the budget of fifty complication pushes counts days of the device's clock") func complicationDays() {
        let phone = Phone { $0.timeZone = "Asia/Tokyo" }
        phone.wait(until: "14:59")
        #expect((0..<50).allSatisfy { _ in phone.state(of: phone.complication()) == .delivered })
        #expect(phone.state(of: phone.complication()) == .discarded(.budgetExceeded))
        phone.wait(until: "15:00")
        #expect(phone.state(of: phone.complication()) == .delivered)
    }

    @Test("L3 a day that begins again, in another time zone or by the clock, has no new complication budget")
    func complicationDaysAgain() {
        let phone = Phone(assumptions: .with { $0.complicationBudget = 1 })
        func isDelivered() -> Bool { phone.state(of: phone.complication()) == .delivered }
        phone.wait(until: "15:00")
        #expect(isDelivered() && !isDelivered())
        phone.change { $0.timeZone = "Asia/Tokyo" }
        #expect(isDelivered() && !isDelivered())
        phone.change { $0.timeZone = "UTC" }
        #expect(!isDelivered())
        phone.wait(until: "00:00", day: 1)
        #expect(!isDelivered())
        phone.wait(until: "00:00", day: 2)
        #expect(isDelivered())
        phone.setBack(by: .day)
        #expect(!isDelivered())
        phone.wait(until: "00:00", day: 2)
        #expect(isDelivered())
    }

    @Test("L3 an answered call goes on, whatever rings meanwhile") func keepsActiveCalls() throws {
        let phone = Phone(app: { $0.declareVoIP() })
        _ = phone.voip()
        try phone.services { $0.call = .active }
        phone.wait(.seconds(30))
        _ = phone.voip()
        phone.wait(.seconds(120))
        #expect(phone.state.live.services[Phone.chat].settings.call == .active)
    }

    @Test("an evicted or deleted notification leaves no result") func forgets() throws {
        let phone = Phone(app: { $0.declareVoIP() })
        let push = phone.voip()
        #expect(phone.state.live.services.result(of: push) != nil)
        _ = phone.simulator.clear(NotificationQuery(device: Phone.name))
        #expect(phone.state.live.services.result(of: push) == nil)
    }
}

extension Phone {
    func voip() -> UInt64 { push("{}", topic: Phone.chat + ".voip", type: .voip, kind: .voip) }

    func complication() -> UInt64 {
        push("{}", topic: Phone.chat + ".complication", type: .complication, kind: .complication)
    }

    /// Uses up wake-ups of this hour.
    func wakeUp(_ count: Int) { for _ in 0..<count { background() } }

    func services(
        in environment: APNsEnvironment = .sandbox, _ edit: (inout ServiceSettings) -> Void
    ) throws(SimulatorError) {
        var settings = simulator.live(of: Phone.name).services[Phone.chat].settings
        edit(&settings)
        try simulator.perform(
            .service(.settings(settings, app: Phone.chat, environment: environment)), on: Phone.name, at: now)
    }

    func reply(_ edit: (inout ServiceReplies) -> Void) throws(SimulatorError) {
        var replies = simulator.live(of: Phone.name).services[Phone.chat].replies
        edit(&replies)
        try simulator.perform(.service(.replies(replies, app: Phone.chat)), on: Phone.name, at: now)
    }

    /// Changes what the app declares.
    func app(_ edit: (inout App) -> Void) {
        var app = simulator.app(Phone.chat)!
        edit(&app)
        simulator.put(app)
    }
}

extension App {
    mutating func declareVoIP() {
        pushkit = PushKitTypes()
        pushkit?.voip = true
    }
}

extension ServiceReplies {
    mutating func answerVoIP(_ reply: ServiceReplies.VoIPReply.Kind) { voip = .with { $0.reply = reply } }
}

extension PushSurface {
    static func of(_ kind: String, push: Bool = true) -> Self { .with { ($0.kind, $0.push) = (kind, push) } }
}

extension PlacedSurface {
    static func of(_ id: String, _ kind: String) -> Self { .with { ($0.id, $0.kind) = (id, kind) } }
}

import APNs
import DeviceModel
import JSON
import LiveModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

extension Phone {
    @discardableResult
    func local(_ input: LocalInput) throws(SimulatorError) -> [DeviceEvent] { try perform(.local(input)) }

    /// Schedules an alert; nil seconds deliver it at once.
    @discardableResult
    func schedule(
        _ identifier: String, in seconds: Int64? = nil, repeats: Bool = false, app: String = chat,
        _ edit: (inout NotificationContent) -> Void = { _ in }
    ) throws(SimulatorError) -> [DeviceEvent] {
        try schedule(identifier, seconds.map { .interval(milliseconds: $0 * 1000, repeats: repeats) }, app: app, edit)
    }

    @discardableResult
    func schedule(
        _ identifier: String, _ trigger: LocalTrigger?, app: String = chat,
        _ edit: (inout NotificationContent) -> Void = { _ in }
    ) throws(SimulatorError) -> [DeviceEvent] {
        var content = NotificationContent.with { ($0.body, $0.sound) = (identifier, .default) }
        edit(&content)
        return try local(.add(LocalRequest(app: app, identifier: identifier, content: content, trigger: trigger)))
    }

    var pending: [String] { simulator.live(of: Self.name).local.pending.map(\.request.identifier) }
    var inbox: [Notification] { simulator.notifications(NotificationQuery(device: Self.name, limit: 1000)).items }
}

/// A fired request is a notification like a push.
@Suite struct LocalNotificationTests {
    private let phone = Phone()

    @Test("N14 without a trigger it is delivered at once, as a push without a provider") func n14() throws {
        let before = phone.alert("Push")
        let events = try phone.schedule("local")
        let number = before + 1
        #expect(events.map(\.notification).allSatisfy { $0 == number })
        #expect(phone.story(number).prefix(2) == [.localFired, .contentDelivered])
        #expect(events.first?.text("identifier") == "local")
        let local = try #require(phone.simulator.notification(number))
        #expect(local.isLocal && local.identifier == "local" && local.content.body == "local")
        #expect(local.explanation?.trace.isEmpty == false)
        #expect(phone.lockScreen == [number, before])
        #expect(phone.alert("Push") == number + 1, "pushes go on with the next number")
        #expect(phone.simulator.device(named: Phone.name)?.registrations.count == 1, "there is no token of its own")
    }

    @Test("N17, N26, L-36 when it fires, it replaces a push with its identifier, and the reverse") func n26() throws {
        let push = phone.alert("Push", collapse: "order")
        try phone.schedule("order", in: 60, repeats: true)
        #expect(phone.notificationCenter == [push], "only when it fires")
        phone.wait(.seconds(200))
        #expect(phone.inbox.count == 4)
        #expect(phone.notificationCenter == [push + 3])
        #expect(phone.events(.replaced).map(\.notification) == [push, push + 1, push + 2])
        let last = phone.alert("Push", collapse: "order")
        #expect(phone.notificationCenter == [last])
        #expect(phone.events(.sound).count == 5, "each alerts again")
    }

    @Test("N19 the policy applies when it fires") func n19() throws {
        try phone.schedule("focus", in: 10) { $0.badge = 4 }
        phone.change { $0.startWork() }
        phone.wait(.seconds(10))
        let silenced = try #require(phone.inbox.last)
        #expect(silenced.outcome?.timing == .silencedByFocus)
        #expect(phone.app().badge == 4)
        try phone.schedule("clear", in: 10) { $0.badge = 0 }
        phone.wait(.seconds(10))
        #expect(phone.app().badge == 0 && phone.notificationCenter.count == 1, "0 clears, then the new one is shown")
    }

    @Test("N19 it never runs a service extension, even with mutable-content") func n19extension() throws {
        let phone = Phone(app: { $0.extension = .stub })
        try phone.schedule("local", in: 1) {
            $0.isMutable = true
            $0.userInfo = JSONValue(Array(#"{"aps":{"mutable-content":1}}"#.utf8).span.bytes)
        }
        phone.wait(.seconds(1))
        #expect(phone.inbox.map(\.state) == [.delivered])
        #expect(phone.events(.nseStarted).isEmpty)
    }

    @Test("N20 after permission is revoked it fires without effect") func n20() throws {
        try phone.schedule("late", in: 10)
        phone.settings { $0.authorizationStatus = .denied }
        phone.wait(.seconds(10))
        #expect(phone.inbox.map(\.state) == [.discarded(.disabled)])
        #expect(throws: SimulatorError.self) { try phone.schedule("refused", in: 10) }
    }

    @Test("N21 in the foreground the app decides; otherwise the system presents it without launching the app")
    func n21() throws {
        try phone.schedule("background", in: 1)
        phone.wait(.seconds(1))
        #expect(phone.events(.appLaunch).isEmpty)
        try phone.act(.open(app: Phone.chat))
        try phone.schedule("foreground", in: 1)
        phone.wait(.seconds(1))
        let last = try #require(phone.inbox.last)
        #expect(last.outcome?.timing == .foreground)
        #expect(phone.story(last.sequence).contains(.willPresent))
    }

    @Test("N22 pending requests survive a restart and an app update, but not uninstalling") func n22() throws {
        try phone.schedule("mine", in: 100)
        try phone.schedule("other", in: 100, app: "com.example.other")
        try phone.act(.restart)
        phone.simulator.put(App(bundleID: Phone.chat, displayName: "Newer"))
        #expect(phone.pending == ["mine", "other"])
        try phone.act(.uninstall(app: Phone.chat))
        #expect(phone.pending == ["other"])
    }

    @Test("N23 a device that is off delivers missed notifications at the next start") func n23() throws {
        try phone.schedule("once", in: 10)
        try phone.schedule("again", in: 60, repeats: true)
        phone.change { $0.isPoweredOn = false }
        phone.wait(.seconds(100))
        #expect(phone.inbox.isEmpty)
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.schedule("off", in: 10) }
        #expect(throws: SimulatorError.poweredOff(Phone.name)) { try phone.local(.removeAllPending(app: nil)) }
        try phone.local(.move(to: DevicePlace()))
        phone.change { $0.isPoweredOn = true }
        #expect(phone.inbox.map(\.content.body) == ["once"])
        phone.wait(.seconds(20))
        #expect(phone.inbox.map(\.content.body) == ["once", "again"])
    }

    @Test("it needs no network") func offline() throws {
        phone.change { $0.isOnline = false }
        try phone.schedule("local", in: 10)
        phone.wait(.seconds(10))
        #expect(phone.inbox.map(\.state) == [.delivered])
    }

    @Test("a notification that fired before a late push has the smaller number") func order() throws {
        try phone.schedule("local", in: 10)
        let simulator = phone.simulator
        let registration = phone.registration(Phone.chat, .app)
        // The clock does not advance before the push arrives.
        let at = phone.now.advanced(by: 20_000)
        let number = simulator.receive(.make(#"{"aps":{"alert":"Push"}}"#, to: registration, at: at), for: registration)
        #expect(number == 2)
        #expect(phone.inbox.map(\.content.body) == ["local", "Push"])
        #expect(phone.events().map(\.number) == Array(1...UInt64(phone.events().count)))
    }

    @Test("inbox limits hold when many fire at once") func limits() throws {
        let phone = Phone()
        phone.simulator.store.withLock { $0.set(up: InboxLimits(perDevice: 5, total: 8), Assumptions()) }
        let tablet = phone.simulator.registered("Tablet")
        for _ in 1...4 { phone.simulator.push("Push", to: tablet) }
        try phone.schedule("minute", in: 60, repeats: true) { $0.sound = nil }
        phone.wait(.seconds(3 * 86_400))
        let counters = phone.simulator.counters
        #expect(phone.inbox.map(\.content.body) == Array(repeating: "minute", count: 5))
        #expect(counters.notifications == 8)
        #expect(counters.counts.received == 4 + 3 * 1440)
        #expect(counters.counts.dropped == counters.counts.received - 8)
    }

    @Test("pending waits complete when it fires") func wakes() async throws {
        let simulator = phone.simulator
        try phone.schedule("local", in: 10)
        async let found = simulator.wait(NotificationQuery(device: Phone.name), count: 1, timeout: .seconds(60))
        phone.wait(.seconds(10))
        #expect(await found.page.items.map(\.content.body) == ["local"])
    }

    @Test("a preview neither fires due notifications nor uses a number") func preview() throws {
        try phone.schedule("local", in: 10)
        let registration = phone.registration(Phone.chat, .app)
        let at = phone.now.advanced(by: 20_000)
        let push = Push.make(#"{"aps":{"alert":"Push"}}"#, to: registration, at: at)
        let subject = PreviewSubject.push(push, for: registration.use)
        let circumstances = try phone.simulator.circumstances(of: subject)
        let outcome = try phone.simulator.preview(subject, in: circumstances, usesAnswer: false)
        #expect(outcome.notification.sequence == 2)
        #expect(phone.inbox.isEmpty && phone.pending == ["local"])
        phone.wait(.seconds(10))
        let local = try #require(phone.inbox.first)
        #expect(local.sequence == 1)
        phone.change { $0.isOnline = false }
        let again = PreviewSubject.notification(local)
        let same = try phone.simulator.preview(again, in: phone.simulator.circumstances(of: again), usesAnswer: false)
        #expect(same.notification.state == .delivered)
    }
}

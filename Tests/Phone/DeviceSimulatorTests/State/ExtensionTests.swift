import APNs
import DeviceModel
import LiveModel
import Testing

@testable import DeviceSimulator

/// A push that runs the app's service extension.
@Suite struct ExtensionTests {
    static let mutable = #""mutable-content":1"#

    /// A phone whose app has an extension, optionally with the filtering entitlement.
    private func phone(isFiltering: Bool = false, _ edit: (inout App) -> Void = { _ in }) -> Phone {
        Phone(app: { app in
            app.extension = .stub
            if !isFiltering { app.entitlements.removeAll { $0 == Entitlement.filtering.rawValue } }
            edit(&app)
        })
    }

    @Test("C.1 a push shows nothing until its extension has finished") func waits() throws {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        #expect(phone.state(of: push) == .accepted)
        #expect(phone.story(push) == [.received, .nseStarted])
        #expect(phone.lockScreen.isEmpty)
        let requests = phone.simulator.takeExtensionRequests()
        #expect(requests.map(\.notification) == [push])
        #expect(requests[0].content.body == "Hello")
        #expect(phone.simulator.takeExtensionRequests().isEmpty)
        let isDone = phone.simulator.finishExtension(
            .answer(at: phone.now) { $0.body = "Changed" }, of: requests[0], at: phone.now)
        #expect(isDone)
        #expect(phone.state(of: push) == .delivered)
        #expect(phone.lockScreen == [push])
        let notification = try #require(phone.simulator.notification(push))
        #expect(notification.content.body == "Changed")
        #expect(notification.decoded.content.body == "Hello")
        #expect(notification.extensionRecord?.rule == "nse.modified")
        #expect(phone.story(push).prefix(4) == [.received, .nseStarted, .nseFinished, .contentDelivered])
    }

    @Test("the outcome says that the device is off when its extension has finished") func saysItIsOff() throws {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        func why() -> String? { phone.simulator.notification(push)?.why }
        #expect(why() == "The app's service extension has it, so nothing is shown yet.")
        phone.change { $0.isPoweredOn = false }
        phone.answer(push) { $0.body = "Changed" }
        #expect(why() == "The app's service extension has finished, and the device is off, so nothing is shown yet.")
        phone.change { $0.isPoweredOn = true }
        #expect(why()?.hasPrefix("Active, delivered at once") == true)
    }

    @Test("a wait for a text finds what the extension wrote", .timeLimit(.minutes(5)))
    func isFoundByItsText() async throws {
        let phone = phone()
        let simulator = phone.simulator
        let push = phone.alert("Hello", Self.mutable)
        let request = try #require(simulator.takeExtensionRequests().first)
        let wait = Task {
            await simulator.wait(NotificationQuery(text: "changed"), timeout: .seconds(60), clock: StoppedClock())
        }
        while simulator.counters.waits == 0, !Task.isCancelled { await Task.yield() }
        _ = simulator.finishExtension(.answer(at: phone.now) { $0.body = "Changed" }, of: request, at: phone.now)
        #expect(await wait.value.page.items.map(\.sequence) == [push])
    }

    @Test("a run that began before a state was loaded does not affect the loaded one")
    func answersItsOwnState() throws {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        let before = try #require(phone.simulator.takeExtensionRequests().first)
        try phone.simulator.load(phone.simulator.snapshot())
        let after = try #require(phone.simulator.takeExtensionRequests().first)
        #expect(after.notification == push && before.notification == push)
        #expect(!phone.simulator.isWithExtension(before) && phone.simulator.isWithExtension(after))
        let stale = ExtensionRun.answer(at: phone.now) { $0.body = "Stale" }
        #expect(!phone.simulator.finishExtension(stale, of: before, at: phone.now))
        #expect(throws: SimulatorError.noSuchNotification(push)) {
            try phone.simulator.perform(.setBadge(count: 1, app: Phone.chat), by: before, at: phone.now)
        }
        #expect(phone.state(of: push) == .accepted)
        try phone.simulator.perform(.setBadge(count: 2, app: Phone.chat), by: after, at: phone.now)
        let fresh = ExtensionRun.answer(at: phone.now) { $0.body = "Fresh" }
        #expect(phone.simulator.finishExtension(fresh, of: after, at: phone.now))
        #expect(phone.simulator.notification(push)?.content.body == "Fresh" && phone.app().badge == 2)
    }

    /// Pushes that run no extension.
    static let others: [(name: String, more: String, edit: @Sendable (Phone) -> Void)] = [
        ("without mutable-content", "", { _ in }),
        ("with mutable-content true", #""mutable-content":true"#, { _ in }),
        ("while alerts are off", mutable, { phone in phone.settings { $0.alert = .disabled } }),
        ("without an extension", mutable, { phone in phone.simulator.put(App(bundleID: Phone.chat)) }),
    ]

    @Test("C.1 other pushes skip the extension", arguments: others.indices) func passesBy(_ index: Int) {
        let other = Self.others[index]
        let phone = phone()
        other.edit(phone)
        let push = phone.alert("Hello", other.more)
        #expect(phone.state(of: push) == .delivered, "\(other.name)")
        #expect(phone.simulator.takeExtensionRequests().isEmpty)
    }

    @Test("C.1 a push with only a sound does not run the extension") func needsText() {
        let phone = phone()
        let push = phone.push(#"{"aps":{"sound":"default",\#(Self.mutable)}}"#)
        #expect(phone.state(of: push) == .delivered)
    }

    @Test("C.3 an extension with the filtering entitlement suppresses with empty content, as the log shows")
    func suppresses() {
        let phone = phone(isFiltering: true)
        let push = phone.alert("Hello", Self.mutable)
        phone.answer(push) { _ in }
        #expect(phone.state(of: push) == .discarded(.suppressed))
        #expect(phone.story(push) == [.received, .nseStarted, .nseFinished, .suppressed, .discarded])
        #expect(phone.lockScreen.isEmpty)
    }

    @Test("C.3 with the filtering entitlement, a crashed extension shows no notification") func dies() {
        let phone = phone(isFiltering: true)
        let push = phone.alert("Hello", Self.mutable)
        phone.finishExtension(ExtensionRun(.crashed, startedAt: phone.now, endedAt: phone.now), of: push)
        #expect(phone.state(of: push) == .discarded(.extensionDied))
    }

    @Test("C.4 the policy decides about the extension's content under the conditions at that time") func decidesLater()
    {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        phone.change { $0.ringSwitch = .silent }
        phone.answer(push) {
            $0.body = "Changed"
            $0.interruptionLevel = .passive
            $0.badge = 7
        }
        let outcome = phone.simulator.notification(push)?.outcome
        #expect(outcome?.level == .passive)
        #expect(outcome?.presentation.contains(.sound) == false)
        #expect(phone.app().badge == 7)
        #expect(phone.simulator.notification(push)?.explanation?.outcome == outcome)
    }

    @Test func aNotificationClearedDuringTheRunStaysCleared() {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        phone.simulator.clear(NotificationQuery(device: Phone.name))
        #expect(!phone.answer(push) { $0.body = "Late" })
        #expect(phone.state(of: push) == nil)
    }

    @Test("C.5 pushes are shown once each, in the order in which the extension finishes") func ordersByAnswer() {
        let phone = phone()
        let pushes = [phone.alert("one", Self.mutable), phone.alert("two", Self.mutable)]
        for push in pushes.reversed() {
            phone.answer(push) { $0.body = "done" }
            #expect(!phone.answer(push) { $0.body = "again" })
        }
        #expect(phone.events(.contentDelivered).map(\.notification) == pushes.reversed())
    }

    @Test("C.3 after a restart the extension runs again") func isAskedAgain() throws {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        let copy = DeviceSimulator { _ in .numbered(1) }
        try copy.load(phone.simulator.snapshot())
        #expect(copy.takeExtensionRequests().map(\.notification) == [push])
    }

    @Test("I.1 the later request wins, even if an extension finishes the earlier one after it") func laterWins() throws
    {
        let phone = phone()
        let pushes = [phone.alert("one", Self.mutable, collapse: "c"), phone.alert("two", collapse: "c")]
        phone.answer(pushes[0]) { $0.body = "late" }
        #expect(phone.state(of: pushes[0]) == .discarded(.superseded) && phone.lockScreen == [pushes[1]])
        let notification = try #require(phone.simulator.notification(pushes[0]))
        #expect(notification.why == "Discarded – Superseded.")
        let log = notification.deliveryLog(phone.simulator.events(of: notification))
        #expect(log.map(\.text) == ["Accepted", "Delivered"])
    }

    @Test("the outcome of a push whose app is removed after the extension has finished says so") func saysItIsRemoved()
        throws
    {
        let phone = phone()
        let push = phone.alert("Hello", Self.mutable)
        phone.change { $0.isPoweredOn = false }
        phone.answer(push) { $0.body = "Changed" }
        _ = try phone.simulator.remove(phone.registration(Phone.chat, .app).token, at: phone.now)
        #expect(phone.simulator.notification(push)?.why == "Discarded – uninstalled.")
    }

    @Test("B.1 C.3 an alert that shows nothing wakes its app with content-available, unless it was force-quit")
    func wakes() throws {
        for isTerminated in [false, true] {
            for end in [ExtensionRun.End.answered, .crashed] {
                let phone = phone(isFiltering: true)
                if isTerminated { try phone.act(.terminate(app: Phone.chat)) }
                let push = phone.alert("Hello", Self.mutable + #","content-available":1"#)
                var run = ExtensionRun.answer(at: phone.now) { _ in }
                if end == .crashed { run = ExtensionRun(end, startedAt: phone.now, endedAt: phone.now) }
                phone.finishExtension(run, of: push)
                #expect(phone.story(push).suffix(2).contains(.discarded))
                #expect(phone.story(push).contains(.appLaunch) != isTerminated)
                #expect(phone.lockScreen.isEmpty)
            }
        }
    }

    @Test("B.1 L3 an alert that shows nothing calls its app's handler, and launches no app in the foreground")
    func callsTheHandler() throws {
        for isForeground in [false, true] {
            let phone = phone(isFiltering: true) { $0.backgroundModes = ["remote-notification"] }
            if isForeground { try phone.act(.open(app: Phone.chat)) }
            try phone.reply { $0.background = .newData }
            let push = phone.alert("Hello", Self.mutable + #","content-available":1"#)
            phone.finishExtension(.answer(at: phone.now) { _ in }, of: push)
            #expect(phone.events(.appLaunch, of: push).isEmpty == isForeground)
            #expect(phone.events(.backgroundResult, of: push).map { $0.text("result") } == ["newData"])
        }
    }
}

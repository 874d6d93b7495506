import APNs
import DeviceModel
import LiveModel
import Synchronization
import TestSupport
import Testing
import Time

@testable import DeviceSimulator

/// Pushes stored for an offline device: which, for how long, and their outcome (apns.md 8).
@Suite struct StoreAndForwardTests {
    static let unreachable: [@Sendable (inout DeviceConditions) -> Void] = [
        { $0.isOnline = false }, { $0.isPoweredOn = false },
    ]

    // MARK: Storage time

    @Test(
        "apns-8 a push is stored while the device is offline or off, and delivered once it is back", arguments: [0, 1])
    func waits(_ index: Int) {
        let phone = Phone(Self.unreachable[index])
        let push = phone.alert()
        #expect(phone.state(of: push) == .stored(.offline))
        #expect(phone.simulator.device(named: Phone.name)?.storedCount == 1)
        phone.wait(.seconds(60))
        phone.change {
            $0.isOnline = true
            $0.isPoweredOn = true
        }
        #expect(phone.state(of: push) == .delivered)
        #expect(phone.simulator.notification(push)?.settledAt == .at(60_000))
        #expect(phone.lockScreen == [push])
        #expect(phone.story(push).prefix(3) == [.received, .stored, .contentDelivered])
    }

    @Test("a push stored for years has its delivery time", arguments: [49, 50, 3660])
    func waitsForYears(days: Int64) throws {
        let phone = Phone(assumptions: .with { $0.storageTime = 4000 * .day }) { $0.isOnline = false }
        let push = phone.alert()
        phone.wait(.seconds(days * 86_400))
        phone.change { $0.isOnline = true }
        #expect(phone.simulator.notification(push)?.settledAt == .at(days * .day))
        #expect(MemoryLayout<InboxEntry>.stride == 48)
        let image = phone.simulator.takeImage { _ in }.image
        let parts = image.parts(phone.simulator.store)
        let store = try SimulatorState(
            parts: parts, plainConditions: phone.simulator.plainConditions,
            deriveToken: phone.simulator.deriveToken)
        #expect(store.devices[Phone.name]?.state.inbox.items.first?.stateDelay == days * .day)
    }

    @Test("an outage until an instant ends then, one without an end persists", arguments: [true, false])
    func endsByItself(staysOn: Bool) {
        let phone = Phone {
            $0.isOnline = false
            $0.offlineUntil = .at(.hour)
        }
        let push = phone.alert()
        if !staysOn { phone.change { $0.isPoweredOn = false } }
        phone.wait(.seconds(3599))
        #expect(phone.state(of: push) == .stored(.offline))
        phone.wait(.seconds(1))
        #expect(phone.state.conditions.value.isOnline == staysOn)
        #expect(phone.state(of: push) == (staysOn ? .delivered : .stored(.offline)))
        phone.change { $0.isPoweredOn = true }
        #expect(phone.state.conditions.value.isOnline)
        #expect(phone.state.conditions.value.offlineUntil == nil)
        #expect(phone.state(of: push) == .delivered)
        phone.change { $0.isOnline = false }
        phone.wait(.seconds(7200))
        #expect(!phone.state.conditions.value.isOnline)
    }

    @Test func anOutageInThePastDoesNotBegin() {
        let phone = Phone()
        phone.wait(.seconds(7200))
        phone.change {
            $0.isOnline = false
            $0.offlineUntil = .at(.hour)
        }
        #expect(phone.state.conditions.value.isOnline)
        #expect(phone.state(of: phone.alert()) == .delivered)
    }

    @Test("apns-8 a push with apns-expiration 0 is not stored") func storesNothingForOneAttempt() {
        let phone = Phone { $0.isOnline = false }
        let push = phone.alert(expiration: .immediate)
        #expect(phone.state(of: push) == .discarded(.notStored))
        #expect(phone.story(push) == [.received, .discarded])
        #expect(phone.events(.discarded).first?.text("reason") == "notStored")
        phone.change { $0.isOnline = true }
        #expect(phone.lockScreen == [])
        let reached = phone.alert(expiration: .immediate)
        #expect(phone.state(of: reached) == .delivered)
    }

    static let expirations: [(Expiration, Int64)] = [
        (.unspecified, 30 * .day), (.at(.at(.hour)), .hour), (.at(.at(40 * .day)), 30 * .day),
    ]

    @Test("apns-8 a push expires at apns-expiration or after 30 days, by time alone", arguments: expirations)
    func expires(_ expiration: Expiration, _ lifetime: Int64) {
        let phone = Phone { $0.isOnline = false }
        let push = phone.alert(expiration: expiration)
        #expect(phone.simulator.nextDue == .at(lifetime))
        phone.wait(.milliseconds(lifetime - 1))
        #expect(phone.state(of: push) == .stored(.offline))
        phone.wait(.milliseconds(1))
        #expect(phone.state(of: push) == .discarded(.expired))
        #expect(phone.events(.discarded).map(\.at) == [.at(lifetime)])
        #expect(phone.events(.discarded).first?.text("reason") == "expired")
        #expect(phone.simulator.nextDue == nil)
        phone.change { $0.isOnline = true }
        #expect(phone.notificationCenter == [])
    }

    @Test func deliversAnExpiredPushToAnOnlineDeviceButNeverStoresIt() {
        let phone = Phone()
        let past = Expiration.at(.at(-1))
        #expect(phone.state(of: phone.alert(expiration: past)) == .delivered)
        phone.change { $0.isOnline = false }
        #expect(phone.state(of: phone.alert(expiration: past)) == .discarded(.expired))
    }

    // MARK: The slot

    @Test("apns-8 one push per topic is stored: the newest") func keepsOnePerTopic() {
        let phone = Phone { $0.isOnline = false }
        let first = phone.alert("1")
        let other = phone.alert("other", app: "com.example.mail")
        let second = phone.alert("2")
        #expect(phone.state(of: first) == .discarded(.superseded))
        #expect(phone.events(.discarded).first?.text("reason") == "superseded")
        #expect(phone.story(first) == [.received, .stored, .discarded])
        #expect(phone.state.stored.map(\.arrival.sequence) == [other, second])
    }

    @Test(
        "apns-8 without the single slot all pushes are stored and delivered in order; equal collapse identifiers still replace"
    )
    func keepsAllWhenTheSwitchIsOff() {
        let phone = Phone(assumptions: .with { $0.storesOnePerApp = false }, { $0.isOnline = false })
        let pushes = [
            phone.alert("1"), phone.alert("old", collapse: "score"), phone.alert("2"),
            phone.alert("new", collapse: "score"),
        ]
        #expect(phone.state(of: pushes[1]) == .discarded(.superseded))
        phone.change { $0.isOnline = true }
        let kept = [pushes[0], pushes[2], pushes[3]]
        #expect(phone.events(.contentDelivered).map(\.notification) == kept)
        #expect(phone.lockScreen == kept.reversed())
    }

    @Test("apns-8 of background pushes the newest is stored, and it displaces no alert")
    func separatesBackgroundPushesFromAlerts() {
        let phone = Phone(assumptions: .with { $0.storesOnePerApp = false }, { $0.isOnline = false })
        let alert = phone.alert()
        let first = phone.background()
        let second = phone.background()
        #expect(phone.state(of: alert) == .stored(.offline))
        #expect(phone.state(of: first) == .discarded(.superseded))
        #expect(phone.state(of: second) == .stored(.offline))
    }

    @Test(
        "apns-8 pushes to two controls or activities of one app do not replace each other",
        arguments: [PushType.controls, .liveactivity])
    func separatesTokens(_ type: PushType) throws {
        let phone = Phone()
        try phone.services { $0.controls = [.of("light", "Switch"), .of("door", "Switch")] }
        for _ in 0..<2 { try phone.startActivity { $0.push = .token } }
        let tokens = phone.registrations.filter { $0.kind.pushType == type }
        try #require(tokens.count == 2)
        phone.change { $0.isOnline = false }
        let update = #""event":"update","timestamp":\#(phone.now.milliseconds / 1000),"content-state":{}"#
        let payload = type == .controls ? #""content-changed":true"# : update
        let pushes = [tokens[0], tokens[1], tokens[1]].map {
            phone.push(#"{"aps":{\#(payload)}}"#, to: $0, type: type)
        }
        #expect(phone.state(of: pushes[1]) == .discarded(.superseded))
        phone.change { $0.isOnline = true }
        #expect(phone.state(of: pushes[0]) == .delivered && phone.state(of: pushes[2]) == .delivered)
    }

    @Test(
        "apns-8 what APNs stores for a sleeping or saving device replaces none that the device holds",
        arguments: [1, 5])
    func separatesHeldFromSaving(_ priority: UInt8) throws {
        let phone = Phone()
        phone.wakeUp(3)
        let held = phone.background()
        phone.change { $0.isSavingPower = priority == 5 }
        let other = phone.background(priority: priority == 5 ? .powerConserving : .lowPower)
        #expect(phone.state(of: held) == .stored(.backgroundBudget))
        #expect(phone.state(of: other) == .stored(priority == 5 ? .power : .asleep))
    }

    @Test("apns-8 a push stored by APNs replaces none that the device holds, until the device holds it, too")
    func separatesHeldFromStored() {
        let phone = Phone()
        phone.wakeUp(3)
        let held = phone.background()
        phone.change { $0.isOnline = false }
        let alert = phone.alert()
        #expect(phone.state(of: held) == .stored(.backgroundBudget))
        #expect(phone.state(of: alert) == .stored(.offline))
        phone.change { $0.isOnline = true }
        #expect(phone.state(of: alert) == .delivered)
        phone.change { $0.isOnline = false }
        let newer = phone.background()
        #expect(phone.state(of: held) == .stored(.backgroundBudget))
        #expect(phone.state(of: newer) == .stored(.offline))
        phone.change { $0.isOnline = true }
        #expect(phone.state(of: held) == .discarded(.superseded))
        #expect(phone.state(of: newer) == .stored(.backgroundBudget))
    }

    // MARK: Priorities

    struct Waiting: Sendable {
        let priority: Priority
        let isSavingPower: Bool
        let isScreenOn: Bool
        let state: DeliveryState
    }

    static let priorities = [
        Waiting(priority: .immediate, isSavingPower: true, isScreenOn: false, state: .delivered),
        Waiting(priority: .powerConserving, isSavingPower: false, isScreenOn: false, state: .delivered),
        Waiting(priority: .powerConserving, isSavingPower: true, isScreenOn: true, state: .stored(.power)),
        Waiting(priority: .lowPower, isSavingPower: false, isScreenOn: false, state: .stored(.asleep)),
        Waiting(priority: .lowPower, isSavingPower: false, isScreenOn: true, state: .delivered),
        Waiting(priority: .lowPower, isSavingPower: true, isScreenOn: true, state: .stored(.power)),
    ]

    @Test("apns-8 priorities 10, 5 and 1 on a device that is asleep or saving power", arguments: priorities)
    func regardsPriority(_ row: Waiting) {
        let phone = Phone {
            $0.isSavingPower = row.isSavingPower
            $0.isScreenOn = row.isScreenOn
        }
        let push = phone.alert(priority: row.priority)
        #expect(phone.state(of: push) == row.state)
        phone.change { $0.isSavingPower = false }
        #expect(phone.state(of: push) == (row.state == .stored(.asleep) ? row.state : .delivered))
        _ = try? phone.act(.wake)
        #expect(phone.state(of: push) == .delivered)
    }

    @Test func reportsWhenTheReasonForStoringChanges() {
        let phone = Phone {
            $0.isOnline = false
            $0.isSavingPower = true
        }
        let push = phone.alert(priority: .powerConserving)
        phone.change { $0.isOnline = true }
        #expect(phone.state(of: push) == .stored(.power))
        #expect(phone.events(.stored).map { $0.text("reason") } == ["offline", "power"])
        #expect(
            phone.events(.stored).map { $0.text("expiresAt") } == [
                "2026-02-04T00:00:00.000Z", "2026-02-04T00:00:00.000Z",
            ])
    }

    // MARK: Background budget

    @Test("apns-8 an app is woken three times in any hour; of further pushes the newest waits for the next allowance")
    func keepsToTheBackgroundBudget() {
        let phone = Phone()
        var pushes: [UInt64] = []
        for _ in 0..<5 {
            pushes.append(phone.background())
            phone.wait(.seconds(600))
        }
        // Woken at 0:00, 0:10, 0:20; it is 0:50.
        #expect(pushes[..<3].allSatisfy { phone.state(of: $0) == .delivered })
        #expect(phone.state(of: pushes[3]) == .discarded(.superseded))
        #expect(phone.state(of: pushes[4]) == .stored(.backgroundBudget))
        #expect(phone.simulator.nextDue == .at(.hour))
        phone.wait(until: "00:59")
        #expect(phone.state(of: pushes[4]) == .stored(.backgroundBudget))
        phone.wait(until: "01:00")
        #expect(phone.state(of: pushes[4]) == .delivered)
        #expect(phone.simulator.notification(pushes[4])?.settledAt == .at(.hour))
        // The window holds 0:10, 0:20 and 1:00 now.
        let next = phone.background()
        #expect(phone.state(of: next) == .stored(.backgroundBudget))
        #expect(phone.simulator.nextDue == .at(70 * 60_000))
    }

    @Test func neverWakesAnAppWithAnEmptyBudget() {
        let phone = Phone(assumptions: .with { $0.backgroundBudget = 0 })
        phone.alert("badge", #""badge":1"#)
        let push = phone.background()
        #expect(phone.state(of: push) == .stored(.backgroundBudget))
        phone.wait(.seconds(30 * 86_400))
        #expect(phone.state(of: push) == .discarded(.expired))
    }

    // MARK: Apps that were ended

    @Test(
        "apns-8 a force-quit app is not woken until it is opened or the device restarts",
        arguments: [
            DeviceAct.open(app: Phone.chat), .restart, nil,
        ])
    func leavesEndedAppsAlone(_ act: DeviceAct?) throws {
        let phone = Phone()
        try phone.act(.terminate(app: Phone.chat))
        #expect(phone.app().isTerminated)
        let push = phone.background()
        #expect(phone.state(of: push) == .discarded(.appTerminated))
        #expect(phone.story(push) == [.received, .discarded])
        let alert = phone.alert("Hello", #""content-available":1"#)
        #expect(!phone.story(alert).contains(.appLaunch))
        if let act {
            try phone.act(act)
        } else {
            phone.change { $0.isPoweredOn = false }
            phone.change { $0.isPoweredOn = true }
        }
        try phone.act(.lock)
        #expect(phone.story(phone.background()) == [.received, .backgroundPush, .appLaunch])
    }

    @Test("B.1 an alert without permission is dropped; content-available still wakes the app")
    func discardsWhatIsNotAllowed() {
        let phone = Phone()
        phone.settings { $0.authorizationStatus = .denied }
        let alert = phone.alert("Hello", #""badge":5"#)
        #expect(phone.state(of: alert) == .discarded(.disabled))
        #expect(phone.app().badge == 0)
        let waking = phone.alert("Hello", #""badge":5,"content-available":1"#)
        #expect(phone.story(waking) == [.received, .backgroundPush, .appLaunch])
        #expect(phone.app().badge == 0)
        #expect(phone.screen.notificationCenter.isEmpty && phone.screen.lockScreen.isEmpty)
    }

    @Test("I.1 a stored push does not replace a later one with its collapse identifier") func laterWins() {
        let phone = Phone { $0.isSavingPower = true }
        let pushes = [phone.alert("1", priority: .powerConserving, collapse: "c"), phone.alert("2", collapse: "c")]
        phone.change { $0.isSavingPower = false }
        #expect(phone.state(of: pushes[0]) == .discarded(.superseded) && phone.lockScreen == [pushes[1]])
    }
}

import DeviceModel
import Testing
import Time

@testable import DeviceSimulator

/// When the person could first see a notification.
@Suite struct ShownTests {
    private func shownAt(_ notification: UInt64, on phone: Phone) -> Instant? {
        phone.simulator.notification(notification)?.shownAt
    }

    @Test func anAlertIsShownWhenItArrives() {
        let phone = Phone()
        phone.wait(until: "09:00")
        #expect(shownAt(phone.alert(), on: phone) == .at(9 * .hour))
    }

    @Test func aStoredAlertIsShownOnReconnecting() {
        let phone = Phone { $0.isOnline = false }
        let push = phone.alert()
        #expect(shownAt(push, on: phone) == nil)
        phone.wait(until: "10:00")
        phone.change { $0.isOnline = true }
        #expect(shownAt(push, on: phone) == .at(10 * .hour))
    }

    @Test(
        "a notification silenced by a Focus is in Notification Center at once, and stays unchanged when the Focus ends")
    func silenced() {
        let phone = Phone { $0.startWork() }
        let push = phone.alert()
        phone.wait(until: "17:00")
        phone.change { $0.focus.active = nil }
        #expect(phone.events(.released).count == 1)
        #expect(shownAt(push, on: phone) == .at(0))
    }

    @Test("without Notification Center, it is shown when the Focus ends") func released() {
        let phone = Phone({ $0.startWork() }, app: { $0.settings.notificationCenter = .disabled })
        let push = phone.alert()
        #expect(shownAt(push, on: phone) == nil)
        phone.wait(until: "17:00")
        phone.change { $0.focus.active = nil }
        #expect(shownAt(push, on: phone) == .at(17 * .hour))
    }

    @Test("the summary shows the notifications waiting for it at a time that survives save, load and replay")
    func summarized() throws {
        let phone = Phone.withSummary()
        let push = phone.alert()
        let removed = phone.alert("removed")
        phone.simulator.assumptions.deliveredListsDeferred = true
        try phone.act(.removeDelivered(identifiers: ["push-\(removed)"], app: Phone.chat))
        #expect(shownAt(push, on: phone) == nil)
        phone.wait(until: "17:59")
        #expect(shownAt(push, on: phone) == nil)
        phone.wait(until: "20:00")
        #expect(shownAt(push, on: phone) == .at(18 * .hour))
        #expect(shownAt(removed, on: phone) == nil)
        #expect(phone.simulator.notification(push)?.settledAt == .at(9 * .hour))
        #expect(try phone.isReplayed())
        let snapshot = phone.simulator.snapshot()
        #expect(snapshot.devices[0].details?.value.shownLater?.map(\.notification) == [push])
        try phone.simulator.load(snapshot)
        #expect(shownAt(push, on: phone) == .at(18 * .hour))
    }

    @Test("H.6 a summary during a Focus shows it in Notification Center") func summarizedInFocus() {
        let phone = Phone.withSummary { $0.startWork() }
        let push = phone.alert()
        phone.wait(until: "18:00")
        #expect(shownAt(push, on: phone) == .at(18 * .hour))
        phone.wait(until: "19:00")
        phone.change { $0.focus.active = nil }
        #expect(shownAt(push, on: phone) == .at(18 * .hour))
    }

    @Test func anInvisibleNotificationHasNoShownTime() {
        let phone = Phone(app: { $0.settings.authorizationStatus = .denied })
        #expect(shownAt(phone.alert(), on: phone) == nil)
        phone.settings { $0.authorizationStatus = .authorized }
        #expect(shownAt(phone.background(), on: phone) == nil)
        #expect(shownAt(phone.push(#"{"aps":{"badge":1}}"#), on: phone) == nil)
        phone.settings { ($0.lockScreen, $0.notificationCenter) = (.disabled, .disabled) }
        #expect(shownAt(phone.alert(), on: phone) == nil)
    }

    @Test func clearingANotificationDeletesItsShownTime() {
        let phone = Phone.withSummary()
        phone.alert()
        phone.wait(until: "18:00")
        #expect(phone.state.shownLater.count == 1)
        phone.simulator.clear(NotificationQuery())
        #expect(phone.state.shownLater.isEmpty)
    }
}

import APNs
import DeviceModel
import Testing
import Time

@testable import DeviceSimulator

/// What waits while the clock goes back is dated by the device's clock after that.
@Suite struct ClockReturnWaitingTests {
    private static let ahead: Int64 = 4 * 365 * .day

    private static let conditions: [(begin: @Sendable (Phone) -> Void, end: @Sendable (Phone) -> Void)] = [
        ({ $0.change { $0.isOnline = false } }, { $0.change { $0.isOnline = true } }),
        ({ $0.change { $0.isPoweredOn = false } }, { $0.change { $0.isPoweredOn = true } }),
        ({ $0.change { $0.isSavingPower = true } }, { $0.change { $0.isSavingPower = false } }),
    ]

    @Test("a stored push is delivered now, and its banner is on the screen", arguments: conditions.indices)
    func stored(_ row: Int) throws {
        let phone = Phone {
            ($0.isLocked, $0.isScreenOn) = (false, true)
        } app: {
            $0.declareVoIP()
        }
        phone.wait(.milliseconds(Self.ahead))
        Self.conditions[row].begin(phone)
        let pushes = [phone.alert("Hello", priority: .powerConserving)] + (row < 2 ? [phone.voip()] : [])
        #expect(phone.state(of: pushes[0])?.kind == .stored)
        phone.setBack(by: Self.ahead)
        phone.wait(.seconds(60))
        Self.conditions[row].end(phone)
        phone.change { ($0.isLocked, $0.isScreenOn) = (false, true) }
        for push in pushes {
            let notification = try #require(phone.simulator.notification(push))
            #expect(notification.state == .delivered && notification.settledAt == phone.now)
            let late = phone.events(of: push).filter { $0.kind != .received && $0.kind != .stored }
            #expect(!late.isEmpty && late.allSatisfy { $0.at == phone.now }, "\(late)")
        }
        if row != 1 { #expect(phone.screen.banner?.sequence == pushes[0]) }
        let day = try #require(phone.simulator.day(LocalDate(text: "2026-01-05"), of: Phone.name, now: phone.now))
        #expect(day.lanes.flatMap(\.pushes).map(\.notification).contains(pushes[0]))
    }

    @Test("a held background push counts as the first of the hour, and outcomes survive a restore") func held() throws {
        let phone = Phone()
        phone.wait(.milliseconds(Self.ahead))
        while phone.state(of: phone.background()) == .delivered {}
        let held = try #require(phone.inbox.last?.sequence)
        phone.setBack(by: Self.ahead)
        phone.wait(.seconds(3600))
        func why() -> String? { phone.simulator.notification(held)?.whyInFull }
        #expect(why() == "The app is woken, 1 of 3 this hour.")
        let settledAt = phone.simulator.notification(held)?.settledAt
        #expect(settledAt == phone.now)
        try phone.simulator.load(phone.simulator.snapshot())
        #expect(why() == "The app is woken, 1 of 3 this hour.")
        #expect(phone.simulator.notification(held)?.settledAt == settledAt)
    }
}

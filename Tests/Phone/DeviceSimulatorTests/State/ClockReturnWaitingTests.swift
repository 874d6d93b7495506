import APNs
import DeviceModel
import LiveModel
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

    @Test("B7 a stored broadcast expires 8 hours of the new clock after it", arguments: [0, 1 as Int64])
    func broadcast(_ hours: Int64) throws {
        let phone = Phone()
        phone.wait(.milliseconds(Self.ahead))
        let channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
        _ = try phone.simulator.createChannel(channel, policy: .mostRecent, at: phone.now)
        try phone.startActivity { $0.push = .channel(channel.id) }
        // The activity does not end while the phone is off.
        phone.change { $0.isPoweredOn = false }
        _ = try phone.simulator.broadcast(
            Broadcast(
                Array(ActivityTests.update(2).utf8), on: channel, uniqueID: APNsID(high: 0, low: 1),
                priority: .immediate, expiration: .unspecified, receivedAt: phone.now))
        phone.wait(.seconds(hours * 3600))
        phone.setBack(by: Self.ahead + hours * .hour)
        try phone.simulator.load(phone.simulator.snapshot())
        phone.wait(.milliseconds((8 - hours) * .hour - 1))
        func stored() -> UInt64? { phone.simulator.subscriptions(to: channel.id, limit: 1).first?.stored }
        #expect(stored() == 1)
        phone.wait(.milliseconds(1))
        #expect(stored() == nil && phone.events(.discarded).last?.text("reason") == "expired")
    }

    @Test("the outcome of a stored push says when it expires: not by the former clock, nor when it has left APNs")
    func end() throws {
        let phone = Phone()
        phone.wait(.milliseconds(Self.ahead))
        phone.wakeUp(3)
        let held = phone.background(expiration: .at(phone.now.advanced(by: 600_000)))
        phone.change { $0.isOnline = false }
        let stored = phone.alert()
        phone.setBack(by: Self.ahead)
        for (push, why) in [
            (held, "Waits because the app has used up its wake-ups for the hour"),
            (stored, "Waits until the device is online"),
        ] {
            #expect(phone.simulator.notification(push)?.why == why + "; expires 2026-02-04 00:00 UTC.")
        }
    }
}

import APNs
import DeviceModel
import JSON
import LiveModel
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// Broadcasts and the Live Activities that they are for.
@Suite struct BroadcastActivityTests {
    @Test("B1, B3, B5: an activity subscribes its device, gets every update, and ends the subscription with the last")
    func life() throws {
        let crowd = try Crowd(count: 0)
        try crowd.simulator.addDevice(named: "Phone", at: .at(0))
        for _ in 0..<2 { try start("Phone", crowd) }
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.subscribers == 1)
        crowd.broadcast(event: "update", step: 2)
        #expect(steps("Phone", crowd) == [.integer(2), .integer(2)])
        crowd.broadcast(event: "end", step: 3)
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.subscribers == 0)
        let kinds = events("Phone", crowd)
        #expect(kinds.count { $0 == .channelSubscribed } == 1 && kinds.count { $0 == .channelUnsubscribed } == 1)
        #expect(kinds.count { $0 == .activityEnded } == 2)
        #expect(crowd.fates == [["delivered", "delivered"]])
    }

    @Test("B2: an activity on an unknown channel does not start") func unknown() throws {
        let crowd = try Crowd(count: 0)
        try crowd.simulator.addDevice(named: "Phone", at: .at(0))
        try crowd.simulator.deleteChannel(crowd.channel)
        #expect(throws: SimulatorError.self) { try start("Phone", crowd) }
    }

    @Test("L-27: without storage, an offline device misses a broadcast that updates an online one")
    func noStorage() throws {
        let crowd = try Crowd(count: 0, policy: .none)
        for number in 0...1 {
            try crowd.simulator.addDevice(named: Crowd.name(number), at: .at(0))
            try start(Crowd.name(number), crowd)
        }
        try crowd.set(1) { $0.isOnline = false }
        crowd.broadcast(event: "update", step: 2, expiration: .immediate)
        #expect(steps(Crowd.name(0), crowd) == [.integer(2)])
        try crowd.set(1) { $0.isOnline = true }
        #expect(steps(Crowd.name(1), crowd) == [.integer(0)])
        #expect(!events(Crowd.name(1), crowd).contains(.activityUpdated))
    }

    @Test("L-28: of three broadcasts to an offline device, only the third is delivered") func offline() throws {
        let crowd = try Crowd(count: 0)
        try crowd.simulator.addDevice(named: Crowd.name(0), at: .at(0))
        try start(Crowd.name(0), crowd)
        try crowd.set(0) { $0.isOnline = false }
        for step in 1...3 { crowd.broadcast(event: "update", step: step) }
        #expect(steps(Crowd.name(0), crowd) == [.integer(0)])
        try crowd.set(0) { $0.isOnline = true }
        #expect(steps(Crowd.name(0), crowd) == [.integer(3)])
    }

    @Test("B3: a stored broadcast is discarded with the subscription, when the last activity ends")
    func subscriptionEnds() throws {
        let crowd = try Crowd(count: 0)
        let phone = Crowd.name(0)
        try crowd.simulator.addDevice(named: phone, at: .at(0))
        try start(phone, crowd)
        try crowd.set(0) { $0.isOnline = false }
        crowd.broadcast(event: "update", step: 1)
        try crowd.simulator.perform(.act(.uninstall(app: crowd.channel.bundleID)), on: phone, at: .at(0))
        #expect(crowd.fates == [["stored", "unsubscribed"]])
        let events = crowd.simulator.events(EventQuery(device: phone, kinds: [.discarded], limit: .max)).items
        #expect(events.map { $0.text("reason") } == ["activityEnded"])
    }

    @Test("L-30: an activity outlives its deleted channel and ends after 8 hours") func deletedChannel() throws {
        let crowd = try Crowd(count: 0)
        try crowd.simulator.addDevice(named: "Phone", at: .at(0))
        try start("Phone", crowd)
        try crowd.simulator.deleteChannel(crowd.channel)
        #expect(!events("Phone", crowd).contains(.activityEnded))
        crowd.simulator.advance(to: .at(8 * 3_600_000))
        #expect(events("Phone", crowd).contains(.activityEnded))
    }

    @Test("a declaration that changes during the fan-out applies to the devices that come later")
    func changes() throws {
        let crowd = try Crowd(count: 0)
        for number in 0..<100 {
            try crowd.simulator.addDevice(named: Crowd.name(number), at: .at(0))
            try start(Crowd.name(number), crowd)
        }
        crowd.broadcast(event: "update", step: 1)
        #expect(crowd.simulator.fanOut())
        var app = App(bundleID: crowd.channel.bundleID)
        app.liveActivities = .with { $0.supported = false }
        crowd.simulator.put(app)
        crowd.simulator.finishBroadcasts()
        #expect(steps(Crowd.name(0), crowd) == [.integer(1)])
        #expect(steps(Crowd.name(99), crowd) == [.integer(0)])
        #expect(events(Crowd.name(99), crowd).contains(.activityPushDropped))
    }

    private func start(_ device: String, _ crowd: Crowd) throws {
        let start = ActivityStart.with {
            ($0.bundleID, $0.type, $0.isIntent) = (crowd.channel.bundleID, "Game", true)
            ($0.content, $0.push) = (["step": .integer(0)], .channel(crowd.channel.id))
        }
        try crowd.simulator.perform(.activity(.start(start)), on: device, at: .at(0))
    }

    private func steps(_ device: String, _ crowd: Crowd) -> [JSONValue?] {
        crowd.simulator.store.withLock { store in
            store.devices[device]?.state.live.activities.activities.map { $0.content["step"] } ?? []
        }
    }

    private func events(_ device: String, _ crowd: Crowd) -> [DeviceEvent.Kind] {
        crowd.simulator.events(EventQuery(device: device, limit: .max)).items.map(\.kind)
    }
}

extension Crowd {
    fileprivate func broadcast(event: String, step: Int, expiration: Expiration = .unspecified) {
        let payload = #"{"aps":{"event":"\#(event)","timestamp":1767571200,"content-state":{"step":\#(step)}}}"#
        _ = try! simulator.broadcast(
            Broadcast(
                Array(payload.utf8), on: channel, uniqueID: APNsID(high: 0, low: 1), priority: .immediate,
                expiration: expiration, receivedAt: .at(0)))
    }
}

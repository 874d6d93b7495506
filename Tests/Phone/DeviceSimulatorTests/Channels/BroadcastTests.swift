import APNs
import DeviceModel
import JSON
import LiveModel
import Synchronization
import TestSupport
import Testing

@testable import DeviceSimulator

/// Broadcasts from acceptance to each device. `B…` are the rules of live surfaces.
@Suite struct BroadcastTests {
    @Test("B5, B13, B15: every online subscriber gets it, in order of creation") func fanOut() throws {
        let crowd = try Crowd(count: 3)
        crowd.broadcast()
        #expect(crowd.fates == [["delivered"], ["delivered"], ["delivered"]])
        let status = try #require(crowd.simulator.channelStatus(crowd.channel.id))
        #expect(status.channel.published == 1 && status.channel.delivered == 3 && status.pending == 0)
        #expect(status.subscribers == 3 && status.channel.subscriptions == 3)
        let devices = crowd.simulator.subscriptions(to: crowd.channel.id, limit: 10).map(\.device)
        #expect(devices == ["Phone 000", "Phone 001", "Phone 002"])
    }

    @Test("B15: devices get it in order of creation, not of name or subscription") func order() throws {
        let crowd = try Crowd(count: 0)
        for (name, second) in [("b", 2), ("c", 1), ("a", 2), ("d", 0)] {
            try crowd.simulator.addDevice(named: name, at: .at(Int64(second)))
        }
        for name in ["a", "b", "c", "d"] { crowd.subscribe(name) }
        #expect(crowd.simulator.subscriptions(to: crowd.channel.id, limit: 9).map(\.device) == ["d", "c", "a", "b"])
        let rest = crowd.simulator.subscriptions(to: crowd.channel.id, after: "c", limit: 1)
        #expect(rest.map(\.device) == ["a"])
    }

    static let outages: [(StoragePolicy, [Expiration], @Sendable (inout DeviceConditions) -> Void, fates: [String])] = [
        (.none, [.immediate], { $0.isOnline = false }, ["lost"]),
        (.mostRecent, [.unspecified], { $0.isPoweredOn = false }, ["stored", "delivered"]),
        (.mostRecent, [.unspecified, .immediate], { $0.isOnline = false }, ["stored", "lost", "delivered"]),
    ]

    @Test(
        "B6, B7: an offline device, or one that is off, misses a broadcast that is not stored",
        arguments: outages.indices)
    func isUnreachable(_ row: Int) throws {
        let (policy, broadcasts, edit, fates) = Self.outages[row]
        let crowd = try Crowd(count: 2, policy: policy)
        try crowd.set(1, edit)
        for expiration in broadcasts { crowd.broadcast(expiration: expiration) }
        try crowd.set(1) { ($0.isOnline, $0.isPoweredOn) = (true, true) }
        #expect(crowd.fates == [broadcasts.map { _ in "delivered" }, fates])
    }

    @Test("B7: with storage, a reconnecting device gets the newest, once") func policyMostRecent() throws {
        let crowd = try Crowd(count: 2)
        try crowd.set(1) { $0.isOnline = false }
        for _ in 0..<3 { crowd.broadcast() }
        let waiting = crowd.simulator.subscriptions(to: crowd.channel.id, limit: 9)
        #expect(waiting.map(\.stored) == [nil, 3])
        try crowd.set(1) { $0.isOnline = true }
        try crowd.set(1) { $0.isOnline = false }
        try crowd.set(1) { $0.isOnline = true }
        #expect(crowd.fates[1] == ["stored", "superseded", "stored", "superseded", "stored", "delivered"])
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.channel.delivered == 4)
    }

    static let ends: [(expiration: Expiration, end: Int64)] = [
        (.unspecified, 8 * 3_600_000), (.at(.at(3_600_000)), 3_600_000), (.at(.at(10 * 3_600_000)), 8 * 3_600_000),
    ]

    @Test("B7: it is stored for 8 hours, or until an earlier expiration", arguments: ends)
    func storage(_ row: (expiration: Expiration, end: Int64)) throws {
        let crowd = try Crowd(count: 1)
        try crowd.set(0) { $0.isOnline = false }
        crowd.broadcast(expiration: row.expiration)
        #expect(crowd.simulator.nextDue == .at(row.end))
        crowd.simulator.advance(to: .at(row.end - 1))
        #expect(crowd.fates == [["stored"]])
        crowd.simulator.advance(to: .at(row.end))
        #expect(crowd.fates == [["stored", "expired"]])
    }

    @Test("B8: a late subscriber gets later broadcasts only", arguments: [false, true])
    func late(_ replays: Bool) throws {
        let crowd = try Crowd(count: 1)
        crowd.simulator.assumptions.broadcastsReplayOnSubscribe = replays
        crowd.broadcast()
        try crowd.add("Late", at: 9)
        #expect(crowd.fates[1] == (replays ? ["delivered"] : []))
        crowd.broadcast()
        #expect(crowd.fates[1].count == (replays ? 2 : 1))
    }

    @Test("B3: a device that unsubscribed gets nothing, not even what was stored") func unsubscribed() throws {
        let crowd = try Crowd(count: 1)
        try crowd.set(0) { $0.isOnline = false }
        crowd.broadcast()
        try crowd.simulator.change("Phone 000") { store throws(SimulatorError) in
            store.unsubscribe(try store.device(named: "Phone 000"), from: crowd.channel, at: .at(0))
        }
        try crowd.set(0) { $0.isOnline = true }
        crowd.broadcast()
        #expect(crowd.fates == [["stored", "unsubscribed"]])
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.subscribers == 0)
    }

    @Test("B11: a stored broadcast outlives its channel") func deleted() throws {
        let crowd = try Crowd(count: 1)
        try crowd.set(0) { $0.isOnline = false }
        crowd.broadcast()
        try crowd.simulator.deleteChannel(crowd.channel)
        try crowd.simulator.load(crowd.simulator.snapshot())
        try crowd.set(0) { $0.isOnline = true }
        #expect(crowd.fates == [["stored", "delivered"]])
        #expect(crowd.simulator.channelStatus(crowd.channel.id) == nil)
        #expect(crowd.simulator.channel(crowd.channel.id)?.isDeleted == true)
    }

    @Test("B2: subscribing to an unknown channel fails") func unknown() throws {
        let crowd = try Crowd(count: 0)
        try crowd.simulator.addDevice(named: "Phone", at: .at(0))
        let other = ChannelKey(bundleID: Phone.chat, environment: .production, id: crowd.channel.id)
        crowd.subscribe("Phone", to: other)
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.subscribers == 0)
        crowd.simulator.store.withLock { store in
            #expect(store.channels[other] == nil && store.channels[crowd.channel] != nil)
        }
    }

    @Test("B14: a channel without subscribers accepts broadcasts") func nobody() throws {
        let crowd = try Crowd(count: 0)
        let receipt = crowd.broadcast()
        #expect(receipt.subscribers == 0 && receipt.number == 1)
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.pending == 0)
    }

    // MARK: Large channels

    @Test("many subscribers get it in batches, with pushes in between") func batches() throws {
        let crowd = try Crowd(count: 300)
        crowd.broadcast()
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.pending == 1)
        #expect(crowd.fates.joined().isEmpty)
        #expect(crowd.simulator.fanOut())
        #expect(crowd.fates.count { !$0.isEmpty } == DeviceSimulator.batchCount)
        crowd.simulator.push("between", to: crowd.simulator.registered("Phone 299"))
        crowd.simulator.finishBroadcasts()
        #expect(crowd.fates.allSatisfy { $0 == ["delivered"] })
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.channel.delivered == 300)
        #expect(!crowd.simulator.fanOut())
    }

    @Test("a device that subscribes during the fan-out gets only the next broadcast") func during() throws {
        let crowd = try Crowd(count: 200)
        crowd.broadcast()
        try crowd.add("Zoe", at: 9)
        crowd.simulator.finishBroadcasts()
        #expect(crowd.fates[200] == [])
        crowd.broadcast()
        crowd.simulator.finishBroadcasts()
        #expect(crowd.fates[200] == ["delivered"])
    }

    @Test("broadcasts wait in order, up to a limit") func backlog() throws {
        let crowd = try Crowd(count: 200)
        for _ in 0..<ChannelRules.maximumBacklog { crowd.broadcast() }
        #expect(throws: ChannelRefusal.tooManyBroadcasts) { try crowd.simulator.broadcast(crowd.message()) }
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.pending == ChannelRules.maximumBacklog)
        crowd.simulator.finishBroadcasts()
        let numbers = crowd.simulator.events(EventQuery(device: "Phone 007", limit: .max)).items
            .compactMap { $0.details["broadcast"] }
        #expect(numbers == (1...ChannelRules.maximumBacklog).map { .integer($0) })
    }

    @Test("deleting a device during the fan-out does not stop it") func deletedDevice() throws {
        let crowd = try Crowd(count: 200)
        crowd.broadcast()
        _ = crowd.simulator.fanOut()
        let next = DeviceSimulator.batchCount
        for number in [0, next - 1, next, 199] { crowd.simulator.deleteDevice(named: Crowd.name(number)) }
        crowd.simulator.finishBroadcasts()
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.subscribers == 196)
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.channel.delivered == 198)
    }

    @Test("a wait ends when everything has reached its subscribers") func waits() async throws {
        let crowd = try Crowd(count: 200)
        let (id, simulator) = (crowd.channel.id, crowd.simulator)
        #expect(await simulator.waitForBroadcasts(on: id, published: 0, timeout: .zero) == .matched)
        #expect(await simulator.waitForBroadcasts(on: id, published: 1, timeout: .zero) == .timedOut)
        crowd.broadcast()
        #expect(await simulator.waitForBroadcasts(on: id, published: 1, timeout: .zero) == .timedOut)
        async let outcome = simulator.waitForBroadcasts(on: id, published: 1, timeout: .seconds(60))
        simulator.finishBroadcasts()
        #expect(await outcome == .matched)
    }

    // MARK: Journal and state

    @Test("an interrupted fan-out resumes after a restart, and each device gets each message once")
    func restart() throws {
        let crowd = try Crowd(count: 300)
        let journal = MemoryJournal()
        let keeper = JournalKeeper(crowd.simulator, in: journal) { 0 }
        let start = crowd.simulator.snapshot()
        try keeper.open()
        try crowd.simulator.load(start)
        for number in 0..<20 { try crowd.set(number) { $0.isOnline = false } }
        crowd.broadcast()
        crowd.broadcast()
        for _ in 0..<4 { _ = crowd.simulator.fanOut() }
        for writesCheckpoint in [false, true] {
            keeper.commit()
            if writesCheckpoint { keeper.writeCheckpoint() }
            let other = Crowd(reading: journal, channel: crowd.channel)
            #expect(other.simulator.essence == crowd.simulator.essence)
            other.simulator.finishBroadcasts()
            #expect(other.fates[299] == ["delivered", "delivered"])
            #expect(other.fates[0] == ["stored", "superseded", "stored"])
            try other.set(0) { $0.isOnline = true }
            #expect(other.fates[0].last == "delivered")
        }
    }

    @Test("a saved state contains channels, subscriptions, stored broadcasts and unfinished fan-outs")
    func snapshot() throws {
        let crowd = try Crowd(count: 200)
        try crowd.set(3) { $0.isOnline = false }
        crowd.broadcast()
        crowd.simulator.finishBroadcasts()
        crowd.broadcast()
        _ = crowd.simulator.fanOut()
        let saved = crowd.simulator.snapshot()
        crowd.simulator.reset()
        #expect(crowd.simulator.channelStatus(crowd.channel.id) == nil)
        try crowd.simulator.load(saved)
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.pending == 1)
        crowd.simulator.finishBroadcasts()
        #expect(crowd.fates[199] == ["delivered", "delivered"])
        try crowd.set(3) { $0.isOnline = true }
        #expect(crowd.fates[3] == ["stored", "superseded", "stored", "delivered"])
    }

    @Test("a reset removes subscriptions, and channels unless it keeps the apps") func reset() throws {
        let crowd = try Crowd(count: 2)
        crowd.broadcast()
        crowd.simulator.reset(keeping: [.devices, .apps])
        #expect(crowd.simulator.channelStatus(crowd.channel.id)?.subscribers == 0)
        crowd.broadcast()
        #expect(crowd.fates.joined().isEmpty)
        crowd.simulator.reset(keeping: [.devices])
        #expect(crowd.simulator.channelStatus(crowd.channel.id) == nil)
    }
}

/// Devices that are subscribed to one channel.
struct Crowd {
    let simulator: DeviceSimulator
    let channel: ChannelKey

    init(count: Int, policy: StoragePolicy = .mostRecent) throws {
        simulator = .make()
        channel = ChannelKey(bundleID: Phone.chat, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
        _ = try simulator.createChannel(channel, policy: policy, at: .at(0))
        for number in 0..<count { try add(Self.name(number)) }
    }

    /// The simulator restored from a journal.
    init(reading journal: MemoryJournal, channel: ChannelKey) {
        simulator = .make()
        self.channel = channel
        // A copy, so that the reader's writes do not affect the original.
        let copy = MemoryJournal()
        copy.contents = journal.contents
        if let checkpoint = journal.checkpoint() { try! copy.replaceCheckpoint(checkpoint) }
        try! JournalKeeper(simulator, in: copy) { 0 }.open()
    }

    /// In alphabetical order.
    static func name(_ number: Int) -> String { "Phone " + "00\(number)".suffix(3) }

    func add(_ name: String, at milliseconds: Int64 = 0) throws {
        try simulator.addDevice(named: name, at: .at(milliseconds))
        subscribe(name)
    }

    func subscribe(_ name: String, to key: ChannelKey? = nil) {
        try! simulator.change(name) { store throws(SimulatorError) in
            store.subscribe(try store.device(named: name), to: key ?? channel, at: .at(0))
        }
    }

    func set(_ number: Int, _ edit: (inout DeviceConditions) -> Void) throws {
        var conditions = try #require(simulator.conditions(of: Self.name(number)))
        edit(&conditions)
        try simulator.perform(.conditions(conditions), on: Self.name(number), at: .at(0))
    }

    func message(expiration: Expiration = .unspecified) -> Broadcast {
        Broadcast(
            Array(#"{"aps":{"event":"update","timestamp":1767571200,"content-state":{}}}"#.utf8), on: channel,
            uniqueID: APNsID(high: 0, low: 1), priority: .immediate, expiration: expiration, receivedAt: .at(0))
    }

    @discardableResult
    func broadcast(expiration: Expiration = .unspecified) -> BroadcastReceipt {
        try! simulator.broadcast(message(expiration: expiration))
    }

    /// The outcome of the broadcasts on each device, in order of creation.
    var fates: [[String]] {
        simulator.store.withLock { store in
            store.devices.values.sorted { DevicePosition($0) < DevicePosition($1) }.map { device in
                device.state.eventLog.entries.compactMap { entry in
                    if case .broadcast(_, let fate) = entry.content { fate.rawValue } else { nil }
                }
            }
        }
    }
}

import APNs
import DeviceSimulator
import Foundation
import LiveModel
import Synchronization

// Broadcasts to many subscribers: the cost for each, and what it does to pushes.

/// A simulator with subscribers of one channel.
struct Audience {
    let simulator = makeSimulator()
    let channel = ChannelKey(bundleID: "com.example.app", environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")
    let now = Instant(milliseconds: 1_795_000_000_000)

    /// The subscriptions come from a saved state, because only Live Activities subscribe.
    init(devices count: Int) throws {
        _ = try simulator.createChannel(channel, policy: .mostRecent, at: now)
        for number in 0..<count { try simulator.addDevice(named: "phone-\(number)", at: now) }
        let saved = try JSONSerialization.jsonObject(
            with: JSONEncoder().encode(simulator.snapshot()), options: .mutableContainers)
        let key = ["bundleId": channel.bundleID, "environment": channel.environment.rawValue, "id": channel.id]
        let details: [String: Any] = [
            "held": [Any](), "extending": [Any](), "nextSummary": [Any](), "collapsed": [Any](), "events": [Any](),
            "lastDroppedEvent": 0, "subscriptions": [["channel": key, "since": 0] as [String: Any]],
        ]
        guard let state = saved as? NSMutableDictionary, let devices = state["devices"] as? NSMutableArray else {
            preconditionFailure("a saved state has devices")
        }
        for case let device as NSMutableDictionary in devices { device["details"] = details }
        try simulator.load(
            JSONDecoder().decode(SimulatorSnapshot.self, from: JSONSerialization.data(withJSONObject: state)))
        precondition(simulator.channelStatus(channel.id)?.subscribers == count)
    }

    func broadcast() throws {
        let payload = Array(
            #"{"aps":{"event":"update","timestamp":1795000000,"content-state":{"home":1,"away":0,"minute":54}}}"#.utf8)
        _ = try simulator.broadcast(
            Broadcast(
                payload, on: channel, uniqueID: APNsID(high: 0, low: 1), priority: .immediate,
                expiration: .unspecified, receivedAt: now))
    }
}

/// Nanoseconds of CPU per subscribed device, the best of five broadcasts.
func broadcastCost(devices count: Int) throws -> Double {
    let audience = try Audience(devices: count)
    var best = Double.infinity
    for _ in 0..<5 {
        let began = processorTime()
        try audience.broadcast()
        audience.simulator.finishBroadcasts()
        best = min(best, Double(processorTime() - began) / Double(count))
    }
    return best
}

/// The longest push during broadcasts to many devices, in milliseconds, the best of three attempts.
func longestWaitBesideBroadcast(devices count: Int) throws -> Double {
    let audience = try Audience(devices: count)
    let registration = try audience.simulator.register(
        device: "victim", topic: "com.example.app", environment: .sandbox, kind: .app, at: audience.now)
    let pushes = (0..<200_000).map { push(UInt64($0), to: registration, at: audience.now) }
    var best = Double.infinity
    for _ in 0..<3 {
        let isDone = Atomic<Bool>(false)
        try audience.broadcast()
        let thread = Thread {
            audience.simulator.finishBroadcasts()
            isDone.store(true, ordering: .releasing)
        }
        thread.start()
        var (longest, index) = (Duration.zero, 0)
        while !isDone.load(ordering: .acquiring), index < pushes.count {
            let start = ContinuousClock.now
            audience.simulator.receive(pushes[index], for: registration)
            longest = max(longest, ContinuousClock.now - start)
            index += 1
        }
        best = min(best, longest / .milliseconds(1))
    }
    return best
}

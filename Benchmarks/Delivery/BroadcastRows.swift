import APNs
import DeviceSimulator
import Foundation
import LiveModel
import Time

// Broadcasts to many subscribers: the cost for each, and what it does to pushes.

/// A simulator with subscribers of one channel.
struct Audience {
    let simulator = makeSimulator()
    let channel = ChannelKey(bundleID: exampleApp, environment: .sandbox, id: "dHN0LXNyY2gtY2hubA==")

    /// Each device has an activity on the channel.
    init(devices count: Int) throws {
        _ = try simulator.createChannel(channel, policy: .mostRecent, at: now)
        var start = ActivityStart()
        (start.bundleID, start.environment, start.type) = (channel.bundleID, channel.environment, "Match")
        (start.push, start.isIntent) = (.channel(channel.id), true)
        for number in 0..<count {
            try simulator.addDevice(named: "phone-\(number)", at: now)
            try simulator.perform(.activity(.start(start)), on: "phone-\(number)", at: now)
        }
        precondition(simulator.channelStatus(channel.id)?.subscribers == count)
    }

    func broadcast(_ event: String = "update") throws {
        let content = #""content-state":{"home":1,"away":0,"minute":54}"#
        let payload = Array(#"{"aps":{"event":"\#(event)","timestamp":1795000000,\#(content)}}"#.utf8)
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

/// The longest batch of a broadcast in microseconds of CPU: pushes wait for the lock that long.
func longestBatch(of audience: Audience, _ event: String) throws -> Double {
    try audience.broadcast(event)
    var (longest, isUnderWay) = (0.0, true)
    while isUnderWay {
        let began = processorTime()
        isUnderWay = audience.simulator.fanOut()
        longest = max(longest, Double(processorTime() - began) / 1000)
    }
    return longest
}

/// The longest push during broadcasts to many devices, in milliseconds, the best of three attempts.
func longestWaitBesideBroadcast(devices count: Int) throws -> Double {
    let audience = try Audience(devices: count)
    return try longestWait {
        $0.finishBroadcasts()
    } in: {
        try audience.broadcast()
        return audience.simulator
    }
}

package import APNs
internal import DeviceModel
internal import LiveModel
internal import RequestWire
package import Time

/// A broadcast channel at APNs.
package struct Channel: Codable, Equatable, Sendable {
    package let key: ChannelKey
    package let policy: StoragePolicy
    package let createdAt: Instant
    /// Accepted broadcasts.
    package var published = 0
    /// Deliveries to devices.
    package var delivered = 0
    /// Subscriptions since the creation.
    package var subscriptions = 0
    /// The newest broadcast that APNs stores for devices that are offline.
    var latest: Broadcast?
    /// The last one that `latest` followed.
    var clockReturn: ClockReturn?
    package internal(set) var isDeleted = false
}

/// The channels of all apps, their subscribers, and the broadcasts that have not reached all of them. The store's lock
/// guards it.
final class ChannelTable {
    /// By ID, which is unique over apps and environments. Includes deleted channels.
    private(set) var channels: [String: Channel] = [:]
    /// The channels of each app in order of creation.
    private var lists: [Scope: [String]] = [:]
    /// Oldest first; the oldest one is forgotten at the limit.
    private var deleted: [String] = []
    /// By channel.
    private(set) var subscribers = DeviceLists()
    /// Oldest first: a device gets the broadcasts of a channel in order.
    private(set) var queue: [PendingBroadcast] = []
    private(set) var lastBroadcast: UInt64 = 0

    /// How many deleted channels are known as such; the others never existed.
    private static let deletedCapacity = 10_000

    private struct Scope: Hashable, Comparable {
        var bundleID: String
        var environment: APNsEnvironment

        init(_ key: ChannelKey) { (bundleID, environment) = (key.bundleID, key.environment) }

        static func < (left: Self, right: Self) -> Bool {
            (left.bundleID, left.environment.rawValue) < (right.bundleID, right.environment.rawValue)
        }
    }

    // MARK: Channels

    /// nil when the channel does not exist, or not any more.
    subscript(key: ChannelKey) -> Channel? {
        channels[key.id].flatMap { $0.key == key && !$0.isDeleted ? $0 : nil }
    }

    func count(like key: ChannelKey) -> Int { lists[Scope(key)]?.count ?? 0 }

    /// The IDs of the channels of all apps or of one, by app, environment and creation.
    func ids(of bundleID: String? = nil, in environment: APNsEnvironment? = nil) -> [String] {
        lists.filter { scope, _ in
            (bundleID ?? scope.bundleID, environment ?? scope.environment) == (scope.bundleID, scope.environment)
        }.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    /// - Parameter channel: its ID must be new.
    func insert(_ channel: Channel) {
        channels[channel.key.id] = channel
        lists[Scope(channel.key), default: []].append(channel.key.id)
    }

    /// Subscribers and what is stored for them stay (B11).
    func delete(_ key: ChannelKey) {
        guard self[key] != nil else { return }
        channels[key.id]?.isDeleted = true
        lists[Scope(key)]?.removeAll { $0 == key.id }
        if lists[Scope(key)]?.isEmpty == true { lists[Scope(key)] = nil }
        deleted.append(key.id)
        if deleted.count > Self.deletedCapacity { channels[deleted.removeFirst()] = nil }
    }

    /// Deletes the channels of an app for good (B12).
    func deleteAll(of bundleID: String) {
        for environment in APNsEnvironment.allCases {
            for id in ids(of: bundleID, in: environment) {
                delete(ChannelKey(bundleID: bundleID, environment: environment, id: id))
            }
        }
    }

    /// Broadcasts keep their numbers, so cursors and subscriptions stay valid.
    func reset(keepsChannels: Bool) {
        subscribers = DeviceLists()
        queue = []
        guard !keepsChannels else { return }
        channels = [:]
        lists = [:]
        deleted = []
    }

    // MARK: Subscribers

    func add(_ device: Device, to key: ChannelKey) {
        channels[key.id]?.subscriptions += 1
        subscribers.insert(device, in: key.id)
    }

    func remove(_ device: Device, from key: ChannelKey) { subscribers.remove(device, from: key.id) }

    func countDeliveries(_ count: Int, on key: ChannelKey) { channels[key.id]?.delivered += count }

    // MARK: Broadcasts

    func enqueue(_ message: Broadcast) {
        lastBroadcast = max(lastBroadcast, message.number)
        var pending = PendingBroadcast(message: message)
        channels[message.channel.id]?.published += 1
        if message.storedUntil != nil {
            pending.previous = channels[message.channel.id]?.latest
            channels[message.channel.id]?.latest = message
        }
        queue.append(pending)
    }

    /// Returns the channel's stored broadcast, dated by the clock that went back. Its subscribers ask one after the other.
    func setBack(_ key: ChannelKey, _ clock: ClockReturn) -> Broadcast? {
        guard let channel = channels[key.id], channel.clockReturn != clock else { return channels[key.id]?.latest }
        channels[key.id]?.clockReturn = clock
        channels[key.id]?.latest = channel.latest?.setBack(clock)
        return channels[key.id]?.latest
    }

    /// The first broadcast and its next subscribers; nil when none is queued.
    func nextBatch(limit: Int) -> (message: Broadcast, devices: [Device])? {
        guard !queue.isEmpty else { return nil }
        let message = queue[0].message
        let batch = subscribers[message.channel.id].next(limit, after: queue[0].position, near: queue[0].place)
        queue[0].place = batch.endIndex
        return (message, Array(batch))
    }

    /// What devices read in the first broadcast, until the end of the batch: a copy would retain some fifty objects.
    func takeParsed(in catalog: AppCatalog) -> ParsedBroadcast {
        if let parsed = queue[0].parsed.take(), parsed.revision == catalog.revision { return parsed }
        return ParsedBroadcast(queue[0].message, in: catalog)
    }

    /// Ends a batch of the first broadcast; without a position, the broadcast is done.
    func finishBatch(at position: DevicePosition?, _ parsed: consuming ParsedBroadcast) {
        guard let position else {
            queue.removeFirst()
            return
        }
        queue[0].position = position
        queue[0].parsed = parsed
    }
}

/// A broadcast that some subscribers have not received.
struct PendingBroadcast: Codable {
    var message: Broadcast
    /// The stored message of devices that this one has not reached yet.
    var previous: Broadcast?
    /// Of the last subscriber it reached; nil before the first one.
    var position: DevicePosition?
    /// As of the latest batch; not part of the state.
    var parsed: ParsedBroadcast?
    /// Where the next batch begins unless the list of subscribers changes; not part of the state.
    var place = 0

    private enum CodingKeys: CodingKey { case message, previous, position }
}

// MARK: Snapshots

extension ChannelTable {
    /// Without the subscribers, which are part of the devices.
    struct Image: Codable {
        var channels: [Channel]
        var deleted: [Channel]
        var pending: [PendingBroadcast]
        var lastBroadcast: UInt64
    }

    /// nil when there has never been a channel.
    var image: Image? {
        guard !channels.isEmpty || lastBroadcast > 0 else { return nil }
        return Image(
            channels: ids().compactMap { channels[$0] }, deleted: deleted.compactMap { channels[$0] },
            pending: queue, lastBroadcast: lastBroadcast)
    }

    /// - Throws: when an ID occurs twice.
    convenience init(_ image: Image) throws(SnapshotError) {
        self.init()
        for channel in image.channels + image.deleted {
            guard channels[channel.key.id] == nil else { throw .duplicate(channel.key.id) }
            if channel.isDeleted {
                channels[channel.key.id] = channel
                deleted.append(channel.key.id)
            } else {
                insert(channel)
            }
        }
        queue = image.pending
        lastBroadcast = image.lastBroadcast
    }

    /// The messages that devices may have stored, by number.
    var messages: [UInt64: Broadcast] {
        let all = channels.values.map(\.latest) + queue.flatMap { [$0.message, $0.previous] }
        return Dictionary(all.compactMap { $0.map { ($0.number, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// - Parameter devices: the devices with a subscription, in any order.
    func restoreSubscribers(_ devices: [Device]) {
        var lists: [String: [Device]] = [:]
        for device in devices {
            for subscription in device.state.subscriptions {
                lists[subscription.channel.id, default: []].append(device)
            }
        }
        subscribers = DeviceLists(lists)
    }
}

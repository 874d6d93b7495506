package import APNs
internal import DequeModule
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
    private var subscribers: [String: SubscriberList] = [:]
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

    init() {}

    // MARK: Channels

    /// nil when the channel does not exist, or not any more.
    subscript(key: ChannelKey) -> Channel? {
        channels[key.id].flatMap { $0.key == key && !$0.isDeleted ? $0 : nil }
    }

    func count(like key: ChannelKey) -> Int { lists[Scope(key)]?.count ?? 0 }

    /// The IDs of an app's channels in order of creation.
    func ids(like key: ChannelKey) -> [String] { lists[Scope(key)] ?? [] }

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
            let key = ChannelKey(bundleID: bundleID, environment: environment, id: "")
            for id in ids(like: key) { delete(ChannelKey(bundleID: bundleID, environment: environment, id: id)) }
        }
    }

    /// Broadcasts keep their numbers, so cursors and subscriptions stay valid.
    func reset(keepsChannels: Bool) {
        subscribers = [:]
        queue = []
        guard !keepsChannels else { return }
        channels = [:]
        lists = [:]
        deleted = []
    }

    // MARK: Subscribers

    func subscriberCount(_ id: String) -> Int { subscribers[id]?.devices.count ?? 0 }

    /// In order of creation (B15).
    func subscribers(of id: String, after position: DevicePosition?, limit: Int) -> [Device] {
        subscribers[id].map { Array($0.next(limit, after: position)) } ?? []
    }

    func add(_ device: Device, to key: ChannelKey) {
        channels[key.id]?.subscriptions += 1
        subscribers[key.id, default: SubscriberList()].insert(device)
    }

    func remove(_ device: Device, from key: ChannelKey) {
        subscribers[key.id]?.remove(device)
        if subscribers[key.id]?.devices.isEmpty == true { subscribers[key.id] = nil }
    }

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

    /// Returns the channel's stored broadcast, dated by the clock that went back.
    func setBack(_ key: ChannelKey, _ clock: ClockReturn) -> Broadcast? {
        let latest = channels[key.id]?.latest?.setBack(clock)
        channels[key.id]?.latest = latest
        return latest
    }

    /// The first broadcast and its next subscribers; nil when none is queued.
    func nextBatch(limit: Int) -> (message: Broadcast, devices: [Device])? {
        guard !queue.isEmpty else { return nil }
        let message = queue[0].message
        guard let list = subscribers[message.channel.id] else { return (message, []) }
        let batch = list.next(limit, after: queue[0].position, near: queue[0].place)
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

/// The place of a device in the order of creation; devices created in the same millisecond are in order of name.
struct DevicePosition: Comparable, Codable {
    /// In milliseconds.
    var createdAt: Int64
    var name: String

    init(_ device: Device) {
        createdAt = device.createdAt.milliseconds
        name = device.name
    }

    static func < (left: Self, right: Self) -> Bool {
        left.createdAt == right.createdAt ? left.name < right.name : left.createdAt < right.createdAt
    }
}

/// The subscribers of a channel, or a person's devices, in order of creation. They tend to leave in that order, so
/// removing the first is cheap.
struct SubscriberList {
    private(set) var devices: Deque<Device> = []

    init() {}

    init(_ devices: [Device]) {
        self.devices = Deque(devices.sorted { DevicePosition($0) < DevicePosition($1) })
    }

    /// - Parameter guess: The place of the first one, tried before searching.
    func next(_ limit: Int, after position: DevicePosition?, near guess: Int = 0) -> Slice<Deque<Device>> {
        let start = position.map { place(after: $0, near: guess) } ?? 0
        return devices[start..<min(devices.count, start + limit)]
    }

    private func place(after position: DevicePosition, near guess: Int) -> Int {
        let isRight = (1...max(1, devices.count)).contains(guess) && DevicePosition(devices[guess - 1]) == position
        return isRight ? guess : place(after: position)
    }

    mutating func insert(_ device: Device) {
        let position = DevicePosition(device)
        // The common case: devices subscribe in order of creation.
        guard let last = devices.last, position < DevicePosition(last) else { return devices.append(device) }
        devices.insert(device, at: place(after: position))
    }

    mutating func remove(_ device: Device) {
        let end = place(after: DevicePosition(device))
        guard end > 0, devices[end - 1] === device else { return }
        devices.remove(at: end - 1)
    }

    private func place(after position: DevicePosition) -> Int {
        devices.indices.partitionPoint { DevicePosition(devices[$0]) <= position }
    }
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
        subscribers = lists.mapValues { SubscriberList($0) }
    }
}

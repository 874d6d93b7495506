package import APNs
internal import DeviceModel
package import LiveModel
internal import Synchronization
package import Time

/// Why a channel request is rejected; it then changes nothing.
package enum ChannelRefusal: Error, Sendable, Hashable {
    /// The broadcast capability of the app is off.
    case off
    case tooManyChannels
    /// The ID belongs, or belonged, to another channel.
    case taken
    case missing
    case tooManyBroadcasts
    case unwritable(JournalRefusal)
}

/// A channel at one moment, with the progress of its broadcasts.
package struct ChannelStatus: Sendable {
    package var channel: Channel
    package var subscribers: Int
    /// Broadcasts that have not reached every subscriber.
    package var pending: Int
}

package struct SubscriptionStatus: Sendable {
    package var device: String
    /// The number of the broadcast that APNs stores for it.
    package var stored: UInt64?
}

package struct BroadcastReceipt: Sendable, Hashable {
    package var number: UInt64
    package var subscribers: Int
    /// The journal position to await; 0 without a journal.
    package var position: UInt64
}

extension DeviceSimulator {
    /// The channel that an ID names, perhaps deleted or of another app.
    package func channel(_ id: String) -> Channel? { store.withLock { $0.channels.channels[id] } }

    /// The IDs of an app's channels in order of creation.
    package func channelIDs(of bundleID: String, in environment: APNsEnvironment) -> [String] {
        store.withLock { $0.channels.ids(of: bundleID, in: environment) }
    }

    /// - Returns: The journal position to await; 0 without a journal.
    package func createChannel(
        _ key: ChannelKey, policy: StoragePolicy, at now: Instant
    ) throws(ChannelRefusal) -> UInt64 {
        try changeChannels { store throws(ChannelRefusal) in
            guard store.catalog.app(key.bundleID).isBroadcastEnabled else { throw .off }
            guard store.channels.count(like: key) < ChannelRules.maximumCount else { throw .tooManyChannels }
            guard store.channels.channels[key.id] == nil else { throw .taken }
            store.insert(Channel(key: key, policy: policy, createdAt: now))
            return store.queue?.last ?? 0
        }
    }

    /// - Returns: The journal position to await; 0 without a journal.
    @discardableResult
    package func deleteChannel(_ key: ChannelKey) throws(ChannelRefusal) -> UInt64 {
        try changeChannels { store throws(ChannelRefusal) in
            guard store.channels[key] != nil else { throw .missing }
            store.deleteChannel(key)
            return store.queue?.last ?? 0
        }
    }

    /// Queues a broadcast for the subscribers of its channel, which must exist. A channel with few of them gets it at once
    /// unless others wait; `fanOut` delivers the rest.
    package func broadcast(_ message: Broadcast) throws(ChannelRefusal) -> BroadcastReceipt {
        try changeChannels { store throws(ChannelRefusal) in
            guard store.channels[message.channel] != nil else { throw .missing }
            guard store.channels.queue.count < ChannelRules.maximumBacklog else { throw .tooManyBroadcasts }
            let number = store.channels.lastBroadcast + 1
            store.enqueue(message.numbered(number, on: store.channelKey(like: message.channel)))
            let subscribers = store.channels.subscribers[message.channel.id].devices.count
            if subscribers < Self.directCount, store.channels.queue.count == 1 {
                store.fanOut(limit: Self.directCount)
            }
            return BroadcastReceipt(number: number, subscribers: subscribers, position: store.queue?.last ?? 0)
        }
    }

    private func changeChannels<Result: Sendable>(
        _ body: (inout SimulatorState) throws(ChannelRefusal) -> Result
    ) throws(ChannelRefusal) -> Result {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return try store.withLock { store throws(ChannelRefusal) in
            if let refusal = store.queue?.refusal { throw .unwritable(JournalRefusal(reason: refusal)) }
            defer { wakeUps = store.takeBroadcastWakeUps() }
            return try body(&store)
        }
    }

    // MARK: Fan-out

    /// About 0.2 ms if each device has an activity on the channel: pushes wait for the lock.
    static let batchCount = 32
    /// A request delivers to fewer subscribers than this itself.
    private static let directCount = 64

    /// Fires when broadcasts wait for `fanOut`, or reservations for `shareReservations`; for one listener.
    package var broadcastRequests: AsyncStream<Void> { broadcastSignal.stream }

    /// Delivers the oldest broadcast to more subscribers.
    ///
    /// - Returns: Whether more is to do.
    package func fanOut() -> Bool {
        distribute { store in
            store.fanOut(limit: Self.batchCount)
            return !store.channels.queue.isEmpty
        }
    }

    /// Delivers a part of what waits, unless the journal cannot be written.
    ///
    /// - Parameter part: Returns whether more is to do.
    func distribute(_ part: (inout SimulatorState) -> Bool) -> Bool {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return store.withLock { store in
            guard store.queue?.refusal == nil else { return false }
            let hasMore = part(&store)
            wakeUps = store.takeBroadcastWakeUps()
            wakeUps.hasBroadcasts = false
            return hasMore
        }
    }

    /// Delivers all queued broadcasts and shared reservations, so that what follows comes after them.
    package func finishBroadcasts() {
        while fanOut() {}
        while shareReservations() {}
    }

    // MARK: Queries

    package func channelStatus(_ id: String) -> ChannelStatus? {
        store.withLock { $0.channels.status(id) }
    }

    /// The channels after the one with the ID, by app, environment and creation.
    package func channelPage(
        of bundleID: String?, in environment: APNsEnvironment?, after cursor: String?, limit: Int
    ) -> (channels: [ChannelStatus], hasMore: Bool, total: Int) {
        store.withLock { store in
            let ids = store.channels.ids(of: bundleID, in: environment)
            let rest = ids[(cursor.flatMap { ids.firstIndex(of: $0) }.map { $0 + 1 } ?? 0)...]
            let channels = rest.prefix(limit).compactMap { store.channels.status($0) }
            return (channels, rest.count > limit, ids.count)
        }
    }

    /// The subscribers after the named one, in order of creation.
    package func subscriptions(to id: String, after cursor: String? = nil, limit: Int) -> [SubscriptionStatus] {
        store.withLock { store in
            let position = cursor.flatMap { store.devices[$0] }.map { DevicePosition($0) }
            return store.channels.subscribers[id].next(limit, after: position).map { device in
                let subscription = device.state.subscriptions.first { $0.channel.id == id }
                return SubscriptionStatus(device: device.name, stored: subscription?.stored?.number)
            }
        }
    }

    /// Waits until a channel has that many broadcasts and all have reached its subscribers.
    package func waitForBroadcasts(on id: String, published: Int, timeout: Duration) async -> WaitOutcome {
        let result = await wait(for: WaitFilter(device: nil, topic: nil), timeout: timeout) { _ in
            self.channelStatus(id).map { $0.pending == 0 && $0.channel.published >= published } ?? true
        } until: { (isDone: Bool) in
            isDone
        }
        return result.outcome
    }
}

extension ChannelTable {
    func status(_ id: String) -> ChannelStatus? {
        guard let channel = channels[id], !channel.isDeleted else { return nil }
        let pending = queue.count { $0.message.channel.id == id }
        return ChannelStatus(channel: channel, subscribers: subscribers[id].devices.count, pending: pending)
    }
}

extension SimulatorState {
    mutating func takeBroadcastWakeUps() -> WakeUps {
        hasShared = false
        return WakeUps(
            waiters: waiters.sleeping.isEmpty ? [] : waiters.take(), isDueEarlier: dues.takeIsEarlier(),
            hasExtensionTasks: !extensionTasks.isEmpty,
            hasBroadcasts: !channels.queue.isEmpty || !shares.isEmpty)
    }
}

/// Channels and the fan-out of broadcasts. A batch holds the lock for well under a millisecond, and each is an input of
/// its own: a restart continues where it ended, and replaying interleaves it with other inputs as before.
extension SimulatorState {
    mutating func insert(_ channel: Channel) {
        record(.channel(channel.key, policy: channel.policy, at: channel.createdAt))
        channels.insert(channel)
        waiters.changeCount += 1
    }

    mutating func deleteChannel(_ key: ChannelKey) {
        record(.channelDeleted(key))
        channels.delete(key)
        waiters.changeCount += 1
    }

    mutating func enqueue(_ message: Broadcast) {
        record(.broadcast(message))
        channels.enqueue(message)
        waiters.changeCount += 1
    }

    /// Delivers the oldest queued broadcast to up to `limit` more subscribers.
    mutating func fanOut(limit: Int) {
        guard let (message, batch) = channels.nextBatch(limit: limit) else { return }
        record(.fannedOut(limit: limit))
        var delivery = BroadcastDelivery(message, channels.takeParsed(in: catalog))
        var count = 0
        for device in batch {
            changes?.change(device: device.name)
            catchUp(device, to: message.receivedAt)
            update(device, at: message.receivedAt) { state, now in if state.receive(&delivery, at: now) { count += 1 } }
        }
        channels.countDeliveries(count, on: message.channel)
        let isDone = batch.count < limit
        channels.finishBatch(at: isDone ? nil : batch.last.map { DevicePosition($0) }, delivery.parsed)
        waiters.changeCount += 1
    }

    /// The equal key that the channel and its subscribers share.
    func channelKey(like key: ChannelKey) -> ChannelKey { channels.channels[key.id]?.key ?? key }

    // MARK: Subscriptions, which are consequences of inputs

    /// Ignores a channel that does not exist and a device that has the subscription.
    mutating func subscribe(_ device: Device, to key: ChannelKey, at now: Instant) {
        guard let channel = channels[key], !device.state.isSubscribed(to: key) else { return }
        channels.add(device, to: channel.key)
        let lastBroadcast = channels.lastBroadcast
        device.state.subscriptions.append(ChannelSubscription(channel: channel.key, since: lastBroadcast))
        guard catalog.assumptions.broadcastsReplayOnSubscribe, let latest = channel.latest,
            let end = latest.storedUntil, end > now
        else { return }
        if device.state.receiveAnew(latest, at: moment(of: device, at: now)) { channels.countDeliveries(1, on: key) }
    }

    mutating func unsubscribe(_ device: Device, from key: ChannelKey, at now: Instant) {
        guard device.state.isSubscribed(to: key) else { return }
        channels.remove(device, from: key)
        device.state.unsubscribe(from: key, at: moment(of: device, at: now))
    }

    /// The clock went back: what APNs stores for the device gets dates of the clock after it.
    func setSubscriptionsBack(of device: Device, _ clock: ClockReturn) {
        for (index, subscription) in device.state.subscriptions.enumerated() {
            let latest = channels.setBack(subscription.channel, clock)
            guard let stored = subscription.stored else { continue }
            device.state.subscriptions[index].stored = latest == stored ? latest : stored.setBack(clock)
        }
    }

    /// For a device that is deleted.
    mutating func forgetSubscriptions(of device: Device) {
        for subscription in device.state.subscriptions { channels.remove(device, from: subscription.channel) }
    }
}

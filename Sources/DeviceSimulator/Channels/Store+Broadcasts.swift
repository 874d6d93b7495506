internal import APNs
internal import DeviceModel
internal import LiveModel

/// Channels and the fan-out of broadcasts. A batch holds the lock for well under a millisecond, and each is an input of
/// its own: a restart continues where it ended, and replaying interleaves it with other inputs as before.
extension Store {
    mutating func insert(_ channel: Channel) {
        record(.channel(channel.key, policy: channel.policy, at: channel.createdAt))
        catalog.channels.insert(channel)
        waiters.changeCount += 1
    }

    mutating func deleteChannel(_ key: ChannelKey) {
        record(.channelDeleted(key))
        catalog.channels.delete(key)
        waiters.changeCount += 1
    }

    /// Queues an accepted broadcast.
    mutating func enqueue(_ message: Broadcast) {
        record(.broadcast(message))
        catalog.channels.enqueue(message)
        waiters.changeCount += 1
    }

    /// Delivers the oldest queued broadcast to up to `limit` more subscribers.
    mutating func fanOut(limit: Int) {
        guard let (message, batch) = catalog.channels.nextBatch(limit: limit) else { return }
        record(.fannedOut(limit: limit))
        var delivery = BroadcastDelivery(message, catalog.channels.takeParsed(in: catalog))
        var count = 0
        for device in batch {
            catalog.changes?.change(device: device.name)
            update(device) { state in if state.receive(&delivery, at: message.receivedAt) { count += 1 } }
        }
        catalog.channels.countDeliveries(count, on: message.channel)
        let isDone = batch.count < limit
        catalog.channels.finishBatch(at: isDone ? nil : batch.last.map { DevicePosition($0) }, delivery.parsed)
        waiters.changeCount += 1
    }

    /// The equal key that the channel and its subscribers share.
    func channelKey(like key: ChannelKey) -> ChannelKey { catalog.channels.channels[key.id]?.key ?? key }

    // MARK: Subscriptions, which are consequences of inputs

    /// Ignores a channel that does not exist and a device that has the subscription.
    mutating func subscribe(_ device: Device, to key: ChannelKey, at now: Instant) {
        guard let channel = catalog.channels[key], !device.state.isSubscribed(to: key) else { return }
        catalog.channels.add(device, to: channel.key)
        let lastBroadcast = catalog.channels.lastBroadcast
        device.state.subscriptions.append(ChannelSubscription(channel: channel.key, since: lastBroadcast))
        guard catalog.assumptions.broadcastsReplayOnSubscribe, let latest = channel.latest,
            let end = latest.storedUntil, end > now
        else { return }
        if device.state.receiveAnew(latest, at: now) { catalog.channels.countDeliveries(1, on: key) }
    }

    mutating func unsubscribe(_ device: Device, from key: ChannelKey) {
        guard device.state.isSubscribed(to: key) else { return }
        catalog.channels.remove(device, from: key)
        device.state.subscriptions.removeAll { $0.channel == key }
    }

    /// For a device that is deleted.
    mutating func forgetSubscriptions(of device: Device) {
        for subscription in device.state.subscriptions { catalog.channels.remove(device, from: subscription.channel) }
    }
}

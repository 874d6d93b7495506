internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import Time

/// A device's subscription to a channel (B3), with what APNs stores for it.
struct ChannelSubscription: Equatable {
    /// Shares its texts with the channel and its messages, so that comparing them is fast.
    let channel: ChannelKey
    /// The newest broadcast when it began; it receives later ones only (B8).
    let since: UInt64
    var stored: Broadcast?
}

/// Broadcasts on the channels that the device is subscribed to.
extension DeviceState {
    func isSubscribed(to key: ChannelKey) -> Bool { subscription(to: key) != nil }

    private func subscription(to key: ChannelKey) -> Int? {
        let subscriptions = subscriptions.span
        for index in subscriptions.indices where subscriptions[index].channel == key { return index }
        return nil
    }

    /// Delivers, stores or loses a broadcast.
    ///
    /// - Returns: Whether it was delivered.
    mutating func receive(_ delivery: inout BroadcastDelivery, at now: Moment) -> Bool {
        guard let index = subscription(to: delivery.message.channel),
            subscriptions.span[index].since < delivery.message.number
        else { return false }
        return accept(&delivery, on: index, at: now)
    }

    /// Receives a broadcast that is older than the subscription.
    mutating func receiveAnew(_ message: Broadcast, at now: Moment) -> Bool {
        guard let index = subscription(to: message.channel) else { return false }
        var delivery = BroadcastDelivery(message, ParsedBroadcast(message, in: now.catalog))
        return accept(&delivery, on: index, at: now)
    }

    private mutating func accept(_ delivery: inout BroadcastDelivery, on index: Int, at now: Moment) -> Bool {
        let message = delivery.message
        advance(to: now)
        // A broadcast is dated when it was accepted, and another input may have come since.
        let now = now.notBefore(lastEventAt)
        lastEventAt = now.time
        if conditions.value.isReachable {
            // Most broadcasts change no deadline, and finding all of them costs as much as the rest.
            if handOver(&delivery, at: now) || nextDue <= now.time { nextDue = due(after: now) }
            return true
        }
        // A message without storage does not replace an older stored one (B6, B7).
        guard let end = message.storedUntil, end > now.time else {
            log(message, .lost, at: now)
            return false
        }
        if let former = subscriptions[index].stored { log(former, .superseded, at: now) }
        subscriptions[index].stored = message
        log(message, .stored, at: now)
        nextDue = min(nextDue, end)
        return false
    }

    /// Delivers what was stored while the device was offline (B7).
    mutating func deliverStoredBroadcasts(at now: Moment) {
        guard conditions.value.isReachable else { return }
        // A delivery may end a subscription, so the places may change.
        for message in subscriptions.compactMap(\.stored) {
            guard let index = subscription(to: message.channel) else { continue }
            subscriptions[index].stored = nil
            var delivery = BroadcastDelivery(message, ParsedBroadcast(message, in: now.catalog))
            _ = handOver(&delivery, at: now)
            effects.append(.gotBroadcast(message.channel))
        }
    }

    /// Ends a subscription. What APNs has stored for it is not delivered.
    mutating func unsubscribe(from key: ChannelKey, at now: Moment) {
        guard let index = subscription(to: key) else { return }
        if let message = subscriptions.remove(at: index).stored { log(message, .unsubscribed, at: now) }
    }

    mutating func expireBroadcasts(at now: Moment) {
        for index in subscriptions.indices {
            guard let message = subscriptions[index].stored, let end = message.storedUntil, end <= now.time else {
                continue
            }
            subscriptions[index].stored = nil
            log(message, .expired, at: now)
        }
    }

    /// Every activity on the channel gets the message (B5).
    ///
    /// - Returns: Whether something is due at another time than before.
    private mutating func handOver(_ delivery: inout BroadcastDelivery, at now: Moment) -> Bool {
        log(.broadcast(delivery.parsed.mark, .delivered), at: now)
        guard hasLive else { return false }
        let context: DeviceContext
        if apps.isEmpty, !hasSiri {
            context = delivery.context(in: conditions, at: now.time, otherwise: liveContext(at: now))
        } else {
            context = liveContext(at: now)
        }
        let isDueChanged = changeActivities { $0.receive(&delivery.parsed.message, context, &delivery.effects) }
        apply(delivery.effects, of: nil, at: now)
        delivery.effects.removeAll()
        return isDueChanged
    }

    private mutating func log(_ message: Broadcast, _ fate: BroadcastMark.Fate, at now: Moment) {
        log(.broadcast(Shared(BroadcastMark(message)), fate), at: now)
    }
}

/// A broadcast on its way to devices, with what they can share: plain devices in the same conditions decide alike.
struct BroadcastDelivery {
    let message: Broadcast
    var parsed: ParsedBroadcast
    /// Empty between two devices.
    var effects = DeviceEffects()
    private var shared: (context: DeviceContext, conditions: Shared<DeviceConditions>)?

    init(_ message: Broadcast, _ parsed: consuming ParsedBroadcast) {
        self.message = message
        self.parsed = parsed
    }

    /// The context of a device whose apps have no state of their own: an activity's update depends on its conditions only.
    mutating func context(
        in conditions: Shared<DeviceConditions>, at now: Instant, otherwise make: @autoclosure () -> DeviceContext
    ) -> DeviceContext {
        if let shared, shared.conditions === conditions, shared.context.now == now { return shared.context }
        let context = make()
        shared = (context, conditions)
        return context
    }
}

/// What devices read in a broadcast, and what is already decided about it.
struct ParsedBroadcast {
    /// Of the catalog in which it was parsed: an app may have changed since.
    let revision: UInt32
    let mark: Shared<BroadcastMark>
    var message: BroadcastMessage

    init(_ broadcast: Broadcast, in catalog: AppCatalog) {
        revision = catalog.revision
        mark = Shared(BroadcastMark(broadcast))
        message = BroadcastMessage(broadcast, to: catalog.app(broadcast.channel.bundleID))
    }
}

/// A broadcast in the event log: compact, because all devices of a channel have one.
struct BroadcastMark: Equatable, Codable {
    /// The outcome of a broadcast on a device.
    enum Fate: String, Codable { case delivered, stored, lost, superseded, expired, unsubscribed }

    let number: UInt64
    let channel: ChannelKey

    init(_ message: Broadcast) {
        number = message.number
        channel = message.channel
    }

    func event(_ fate: Fate) -> (kind: DeviceEvent.Kind, details: JSONObject) {
        let (kind, reason): (DeviceEvent.Kind, String?) =
            switch fate {
            case .delivered: (.liveActivity, nil)
            case .stored: (.stored, HoldReason.offline.rawValue)
            case .lost: (.discarded, DiscardReason.notStored.rawValue)
            case .superseded: (.discarded, DiscardReason.superseded.rawValue)
            case .expired: (.discarded, DiscardReason.expired.rawValue)
            case .unsubscribed: (.discarded, DiscardReason.activityEnded.rawValue)
            }
        return (
            kind,
            [
                "broadcast": .integer(number), "channel": .string(channel.id),
                "reason": reason.map { .string($0) },
            ]
        )
    }
}

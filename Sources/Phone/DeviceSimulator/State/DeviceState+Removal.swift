internal import APNs
internal import DeviceModel
internal import JSON
internal import LiveModel
internal import SiriModel

/// Removal from the lists: replaced, cleared with the badge, or removed by the app or the person (I.1, I.4, I.6).
extension DeviceState {
    /// The `reason` of the event `removed`.
    enum RemovalReason: String {
        case badgeCleared, removedByApp, dismissed, cleared, opened, acted, turnedOff, uninstalled
    }

    /// The index of the notification that has the push's collapse identifier and is visible, or will be.
    func namesake(of arrival: Arrival) -> Int? {
        guard !collapsed.isEmpty, let identifier = arrival.push.collapseID,
            let other = collapsed[CollapseKey(bundleID: arrival.bundleID, identifier: identifier)],
            let index = inbox.index(of: other), inbox[index].places.isPresent
        else { return nil }
        return index
    }

    mutating func replace(_ index: Int, by arrival: Arrival, at now: Moment) {
        hide(index, at: now)
        let details: JSONObject = [
            "identifier": arrival.push.collapseID.map { .string($0) },
            "by": .integer(Int(clamping: arrival.sequence)),
        ]
        emit(.replaced, of: index, details, at: now)
    }

    mutating func removeAll(of bundleID: String, _ reason: RemovalReason, at now: Moment) {
        for index in inbox.indices where inbox[index].places.isPresent && inbox[index].bundleID == bundleID {
            remove(index, reason, at: now)
        }
    }

    mutating func remove(_ index: Int, _ reason: RemovalReason, at now: Moment) {
        hide(index, at: now)
        emit(.removed, of: index, ["reason": .string(reason.rawValue)], at: now)
    }

    private mutating func hide(_ index: Int, at now: Moment) {
        if inbox[index].places.contains(.nextSummary) {
            summary.remove(inbox[index].sequence)
        }
        inbox[index].places.hide()
        touch(index, at: now)
    }

    // MARK: Eviction

    /// The next to evict: the oldest notification whose push is not pending, else the oldest.
    var nextToEvict: UInt64? {
        for index in inbox.indices where !inbox[index].state.isWaiting { return inbox[index].sequence }
        return inbox.items.first?.sequence
    }

    /// Evicts a notification. A pending push also counts as discarded.
    mutating func drop(_ sequence: UInt64) {
        if let index = inbox.index(of: sequence), inbox[index].state.isWaiting { counts.discarded += 1 }
        forget(sequence)
        counts.dropped += 1
        lastDropped = max(lastDropped, sequence)
    }

    /// Deletes a notification on request.
    mutating func clear(_ sequence: UInt64) {
        forget(sequence)
        counts.cleared += 1
    }

    private mutating func forget(_ sequence: UInt64) {
        guard let index = inbox.index(of: sequence) else { return }
        lastLostDelivery = max(lastLostDelivery, inbox[index].lastEvent)
        inbox.remove(sequence)
        removePending(sequence)
        if !extended.isEmpty { extended[sequence] = nil }
        if !summary.items.isEmpty { summary.remove(sequence) }
        if !shownLater.isEmpty { shownLater[sequence] = nil }
        if hasLive {
            live.services.forget(sequence)
            live.activities.forget(sequence)
        }
    }
}

extension InboxEntry {
    var bundleID: String { context.app.bundleID }
}

extension DeviceState {
    /// Removes an app and its state on the device (I.6); the store unregisters its tokens.
    mutating func uninstall(_ bundleID: String, _ act: DeviceAct, at now: Moment) {
        log(.act(act), at: now)
        let pending = stored.map(\.arrival) + extending.map(\.arrival)
        for arrival in pending where arrival.bundleID == bundleID { drop(arrival, .uninstalled, at: now) }
        for index in inbox.indices where inbox[index].bundleID == bundleID {
            if inbox[index].places.isPresent { remove(index, .uninstalled, at: now) }
        }
        if let badge = app(bundleID)?.badge, badge > 0 {
            emit(.badge, nil, app: bundleID, ["count": .integer(0)], at: now)
        }
        carryOut(at: now) { state, context, effects in state.live.uninstall(bundleID, context, &effects) }
        if hasSiri {
            carryOut(at: now) { state, context, _ in state.siri.uninstall(bundleID, context) }
        }
        apps.removeAll { $0.bundleID == bundleID }
        mark(bundleID, isInstalled: false)
        collapsed = collapsed.filter { $0.key.bundleID != bundleID }
        revision &+= 1
        changeConditions(at: now) { if $0.foregroundApp == bundleID { $0.foregroundApp = nil } }
    }
}

internal import APNs
internal import DeviceModel
internal import JSON

/// Notifications leave the lists: replaced, cleared with the badge, removed by the app or the person (I.1, I.4, I.6).
extension DeviceState {
    /// Why a notification left the lists; the words of the events' `reason`.
    enum RemovalReason: String {
        case badgeCleared, removedByApp, dismissed, cleared, opened, acted, turnedOff, uninstalled
    }

    /// A push with an app's collapse identifier takes the place of the one shown with it.
    mutating func replaceFormer(_ arrival: Arrival, at now: Instant) {
        guard !collapsed.isEmpty, let identifier = arrival.push.collapseID else { return }
        let key = CollapseKey(bundleID: arrival.bundleID, identifier: identifier)
        guard let former = collapsed[key], let place = inbox.index(of: former), inbox[place].places.isPresent else {
            return
        }
        hide(place)
        note(
            .replaced, former, app: arrival.bundleID,
            ["identifier": .string(identifier), "by": .integer(Int(clamping: arrival.sequence))], at: now)
    }

    /// Sets the badge that a push asks for; 0 takes the app's notifications with it.
    mutating func setBadge(of arrival: Arrival, at now: Instant) {
        guard let badge = arrival.traits.badge else { return }
        apps[appIndex(arrival.bundleID)].badge = badge
        if badge == 0 { removeAll(of: arrival.bundleID, .badgeCleared, at: now) }
    }

    /// Removes everything of an app that can be seen, or will be.
    mutating func removeAll(of bundleID: String, _ reason: RemovalReason, at now: Instant) {
        for place in inbox.indices where inbox[place].places.isPresent && inbox[place].bundleID == bundleID {
            remove(place, reason, at: now)
        }
    }

    /// Removes a notification from the lists.
    mutating func remove(_ place: Int, _ reason: RemovalReason, at now: Instant) {
        hide(place)
        note(
            .removed, inbox[place].sequence, app: inbox[place].bundleID, ["reason": .string(reason.rawValue)], at: now)
    }

    private mutating func hide(_ place: Int) {
        if inbox[place].places.contains(.nextSummary) {
            let sequence = inbox[place].sequence
            nextSummary.removeAll { $0.sequence == sequence }
        }
        inbox[place].places.vanish()
    }

    // MARK: Making room

    /// What goes first when there is no room: the oldest that waits for nothing, since one that waits is still to be delivered.
    var dispensable: UInt64? {
        for place in inbox.indices where !inbox[place].state.isWaiting { return inbox[place].sequence }
        return inbox.first?.sequence
    }

    /// Drops a notification altogether, because there is no room for it. One that still waited counts as discarded, too.
    mutating func drop(_ sequence: UInt64) {
        if let place = inbox.index(of: sequence), inbox[place].state.isWaiting { counts.discarded += 1 }
        forget(sequence)
        counts.dropped += 1
        lastDropped = max(lastDropped, sequence)
    }

    /// Clears a notification that a tester does not want to see any more.
    mutating func clear(_ sequence: UInt64) {
        forget(sequence)
        counts.cleared += 1
    }

    private mutating func forget(_ sequence: UInt64) {
        guard let place = inbox.index(of: sequence) else { return }
        lastLostDelivery = max(lastLostDelivery, inbox[place].lastEvent)
        inbox.remove(sequence)
        if !held.isEmpty { held.removeAll { $0.arrival.sequence == sequence } }
        if !extending.isEmpty { extending.removeAll { $0.arrival.sequence == sequence } }
        if !extended.isEmpty { extended[sequence] = nil }
        if !nextSummary.isEmpty { nextSummary.removeAll { $0.sequence == sequence } }
    }
}

extension InboxEntry {
    /// The app's bundle identifier.
    var bundleID: String { context.app.bundleID }
}

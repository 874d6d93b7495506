internal import APNs
internal import DeviceModel
internal import SiriModel
internal import Synchronization
internal import Time

/// A device's reservations on their way to the person's other devices, in the order of their creation (G.7).
struct ReservationShare: Codable {
    let person: String
    /// The device that they come from.
    let source: String
    var items: [CalendarItem]
    /// The numbers of those that changed.
    var changed: [UInt64]
    var at: Instant
    /// Of the last device they reached; nil before the first one.
    var position: DevicePosition?
}

/// Batches hold the lock for well under a millisecond, and each is an input of its own, as with broadcasts.
extension SimulatorState {
    /// A person with no more devices than this shares at once, which is a consequence of the input that leads to it.
    private static let directCount = 64

    /// While the device cannot be reached, they wait on it.
    mutating func shareReservations(of device: Device, changed: [UInt64], at now: Instant) {
        guard let person = device.state.conditions.value.person, people.count(of: person) > 1 else { return }
        guard device.state.conditions.value.isReachable else { return device.state.siri.calendar.isUnshared = true }
        device.state.siri.calendar.isUnshared = nil
        let items = device.state.siri.calendar.items
        let isSame = { (share: ReservationShare) in
            share.person == person && share.source == device.name && share.position == nil
        }
        if let place = shares.firstIndex(where: isSame) {
            shares[place].items = items
            let known = Set(shares[place].changed)
            shares[place].changed += changed.filter { !known.contains($0) }
            shares[place].at = now
            return
        }
        shares.append(
            ReservationShare(person: person, source: device.name, items: items, changed: changed, at: now))
        if shares.count == 1, people.count(of: person) <= Self.directCount { _ = shareOut(limit: Self.directCount) }
    }

    /// The clock went back: what waits happened no later than now.
    mutating func setSharesBack(to now: Instant) {
        for place in shares.indices where shares[place].at > now {
            shares[place].at = now
            for item in shares[place].items.indices {
                shares[place].items[item].setBack(to: now)
            }
        }
    }

    /// Shares the oldest waiting reservations with up to `limit` more devices, at least one before `end`.
    ///
    /// - Returns: The number of devices.
    mutating func shareOut(limit: Int, until end: ContinuousClock.Instant? = nil) -> Int {
        guard let share = shares.first else { return 0 }
        var (position, count) = (share.position, 0)
        for device in people.next(limit, of: share.person, after: position) {
            (position, count) = (DevicePosition(device), count + 1)
            if device.name != share.source, device.state.conditions.value.isReachable {
                catalog.changes?.change(device: device.name)
                catchUp(device, to: share.at)
                update(device) { $0.merge(share.items, changed: share.changed, at: share.at) }
            }
            if let end, ContinuousClock.now >= end { break }
        }
        hasShared = true
        if people.next(1, of: share.person, after: position).isEmpty {
            shares.removeFirst()
        } else {
            shares[0].position = position
        }
        return count
    }

    /// The devices that a joining one reads, if they have shared what they have: the same, except what is on its way.
    private static let sourceCount = 64

    /// For a device that joins a person or can be reached again (S4-18), which then shares its own.
    mutating func takeReservations(for device: Device, at now: Instant) {
        guard let person = device.state.conditions.value.person else { return }
        for other in people.next(Self.sourceCount + 1, of: person, after: nil)
        where other !== device && other.state.hasSiri && other.state.siri.calendar.isUnshared != true {
            device.state.merge(other.state.siri.calendar.items, changed: [], at: now)
            hasShared = true
        }
        for share in shares where share.person == person && share.source != device.name {
            device.state.merge(share.items, changed: share.changed, at: now)
        }
        if device.state.hasSiri, device.state.siri.calendar.isUnshared == true {
            shareReservations(of: device, changed: [], at: now)
        }
    }
}

extension DeviceSimulator {
    private static let shareBatchCount = 64

    /// Shares reservations with more devices.
    ///
    /// - Returns: Whether more is to do.
    package func shareReservations() -> Bool {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return store.withLock { store in
            guard store.queue?.refusal == nil, !store.shares.isEmpty else { return false }
            let count = store.shareOut(limit: Self.shareBatchCount, until: .now + Self.stepDuration)
            store.record(.shared(limit: max(1, count)))
            wakeUps = store.takeBroadcastWakeUps()
            wakeUps.hasBroadcasts = false
            return !store.shares.isEmpty
        }
    }
}

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

    /// When so many wait, a device takes no more reservations that it would share at once. What time, conditions and
    /// service extensions share is not refused: a device waits at most once for each person.
    static let maximumShareCount = 1000

    func checkShares(of device: Device, for input: DeviceInput) throws(SimulatorError) {
        guard shares.count >= Self.maximumShareCount, input.maySpread,
            let person = device.state.conditions.value.person, people[person].devices.count > 1,
            device.state.conditions.value.isReachable
        else { return }
        throw .tooManyShares(limit: Self.maximumShareCount)
    }

    /// While the device cannot be reached, they wait on it.
    mutating func shareReservations(of device: Device, changed: [UInt64], at now: Instant) {
        guard let person = device.state.conditions.value.person else { return }
        guard device.state.conditions.value.isReachable else { return device.state.siri.calendar.hold(changed) }
        if device.state.siri.calendar.hasUnshared { device.state.siri.calendar.share() }
        // A device that joins is not listed yet.
        guard people[person].next(2, after: nil).contains(where: { $0 !== device }) else { return }
        let items = device.state.siri.calendar.own
        let isSame = { (share: ReservationShare) in
            share.person == person && share.source == device.name && share.position == nil
        }
        if let index = shares.firstIndex(where: isSame) {
            let numbers = Set(shares[index].changed + changed)
            shares[index].items = items
            shares[index].changed = items.map(\.number).filter(numbers.contains)
            shares[index].at = now
            return
        }
        shares.append(
            ReservationShare(person: person, source: device.name, items: items, changed: changed, at: now))
        if shares.count == 1, people[person].devices.count <= Self.directCount { _ = shareOut(limit: Self.directCount) }
    }

    /// The clock went back: what waits happened no later than now.
    mutating func setSharesBack(from former: Instant?, to now: Instant) {
        for index in shares.indices where shares[index].at > now {
            // As on the devices, which compare it with theirs.
            let clock = ClockReturn(to: now, from: max(shares[index].at, former ?? now))
            shares[index].at = now
            for item in shares[index].items.indices { shares[index].items[item].setBack(clock) }
        }
    }

    /// Shares the oldest waiting reservations with up to `limit` more devices, at least one before `end`.
    ///
    /// - Returns: The number of devices.
    mutating func shareOut(limit: Int, until end: ContinuousClock.Instant? = nil) -> Int {
        guard let share = shares.first else { return 0 }
        var (position, count) = (share.position, 0)
        for device in people[share.person].next(limit, after: position) {
            (position, count) = (DevicePosition(device), count + 1)
            if device.name != share.source, device.state.conditions.value.isReachable {
                changes?.change(device: device.name)
                catchUp(device, to: share.at)
                update(device, at: share.at) { state, now in state.merge(share.items, changed: share.changed, at: now) }
            }
            if let end, ContinuousClock.now >= end { break }
        }
        hasShared = true
        if people[share.person].next(1, after: position).isEmpty {
            shares.removeFirst()
        } else {
            shares[0].position = position
        }
        return count
    }

    /// How many devices a joining one looks at, and how many it reads at most: those that can be reached have the same,
    /// except what is on its way and what their settings refuse.
    private static let (candidateCount, sourceCount) = (1024, 64)

    /// For a device that joins a person or can be reached again (S4-18), which then shares its own.
    mutating func takeReservations(for device: Device, at now: Instant) {
        guard let person = device.state.conditions.value.person else { return }
        for other in sources(for: device, of: person) {
            device.state.merge(other.state.siri.calendar.shared, changed: [], at: moment(of: device, at: now))
            hasShared = true
        }
        // Nothing counts as changed: a device may take the same several times.
        for share in shares where share.person == person && share.source != device.name {
            device.state.merge(share.items, changed: [], at: moment(of: device, at: now))
        }
        if device.state.hasSiri, device.state.siri.calendar.hasUnshared {
            shareReservations(of: device, changed: [], at: now)
        }
    }

    /// Devices that can be reached; if there are none, the others, which have what was shared before.
    private func sources(for device: Device, of person: String) -> [Device] {
        var (reachable, others) = ([Device](), [Device]())
        for other in people[person].next(Self.candidateCount, after: nil)
        where other !== device && other.state.hasSiri {
            if other.state.conditions.value.isReachable {
                reachable.append(other)
                if reachable.count == Self.sourceCount { break }
            } else if others.count < Self.sourceCount {
                others.append(other)
            }
        }
        return reachable.isEmpty ? others : reachable
    }
}

extension DeviceSimulator {
    private static let shareBatchCount = 64

    /// Shares reservations with more devices.
    ///
    /// - Returns: Whether more is to do.
    package func shareReservations() -> Bool {
        distribute { store in
            guard !store.shares.isEmpty else { return false }
            let count = store.shareOut(limit: Self.shareBatchCount, until: .now + Self.stepDuration)
            store.record(.shared(limit: max(1, count)))
            return !store.shares.isEmpty
        }
    }
}

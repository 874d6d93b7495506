internal import Synchronization
package import Time

extension DeviceSimulator {
    /// When time next changes a device; nil for never, or while the journal cannot be written.
    package var nextDue: Instant? { store.withLock { $0.queue?.refusal == nil ? $0.dues.firstDue() : nil } }

    /// How many local notifications have fired since the start.
    package var firedCount: UInt64 { store.withLock { $0.firedCount } }

    /// Performs what is due for about half a millisecond, so that pushes and other requests interleave.
    /// - Returns: Whether nothing more is due.
    package func advanceOneStep(to now: Instant) -> Bool {
        var wakeUps = WakeUps()
        defer { wake(wakeUps) }
        return store.withLock { store in
            guard store.queue?.refusal == nil else { return true }
            defer {
                wakeUps.hasExtensionTasks = !store.extensionTasks.isEmpty
                wakeUps.hasBroadcasts = !store.shares.isEmpty
            }
            let end = ContinuousClock.now + Self.stepDuration
            let aged = store.evictAged(at: now, limit: Self.agedPerStep)
            if aged > 0 { store.record(.aged(at: now, limit: aged)) }
            let isAged = aged < Self.agedPerStep
            while ContinuousClock.now < end {
                guard let device = store.dues.next(until: now) else { return isAged }
                let turn = store.dues.endOfTurn(of: device) ?? now
                store.advance(device, to: min(now, turn), atMost: Self.instantsPerDevice)
                wakeUps.waiters += store.takeWaiters(device: device.name, topic: nil)
            }
            return false
        }
    }

    static let stepDuration = Duration.microseconds(500)
    private static let agedPerStep = 128
    /// At most `SimulatorState.catchUpSize`, because `catchUp` replays it.
    private static let instantsPerDevice = 4

    // MARK: A clock that goes back

    /// Whether something happened on a device after `now`.
    package func isAhead(of now: Instant) -> Bool {
        !names { $0.isAhead(of: now) }.isEmpty
    }

    /// Sets the devices back that a later time has decided about, or that count from an earlier one.
    ///
    /// - Parameter former: Of the clock; nil if it is unknown: then the latest that a device shows, the same for all, so
    ///   that the order of their changes stays.
    package func setBack(from former: Instant? = nil, to now: Instant) {
        let former = former ?? latestTime
        // While the journal cannot be written, a device stays ahead.
        for name in names(where: { $0.isAhead(of: now) || $0.state.countsTime }) {
            _ = try? perform(.setBack(from: former), on: name, at: now)
        }
    }

    /// Of the last event of any device.
    private var latestTime: Instant? {
        let latest = Mutex<Instant?>(nil)
        _ = names { device in
            latest.withLock { $0 = max($0 ?? device.state.lastEventAt, device.state.lastEventAt) }
            return false
        }
        return latest.withLock { $0 }
    }
}

extension DeviceState {
    /// Whether something of it ends or begins with time.
    fileprivate var countsTime: Bool {
        nextDue != .never || hasLive || hasSiri || apps.contains { $0.isUncommon }
    }
}

extension Device {
    /// Whether something on it, or the end of one of its tokens, is dated after `now`.
    fileprivate func isAhead(of now: Instant) -> Bool {
        state.lastEventAt > now || registrations.contains { $0.status.since.map { $0 > now } ?? false }
    }
}

extension SimulatorState {
    /// Performs what is due, at most `limit` instants; the device remains due until all is done.
    mutating func advance(_ device: Device, to now: Instant, atMost limit: Int) {
        changes?.change(device: device.name)
        let reached = passTime(on: device, to: now, atMost: limit)
        record(.input(.time, device: device.name, at: reached ?? now))
    }

    /// Performs what is due, in steps, so that fired local notifications are evicted in between: a repeating one may be
    /// due very often.
    mutating func catchUp(_ device: Device, to now: Instant) {
        while device.state.nextDue <= now { passTime(on: device, to: now, atMost: Self.catchUpSize) }
    }

    /// Instants between two evictions.
    fileprivate static let catchUpSize = 64

    /// - Returns: The last instant performed if more is due than the limit; nil when all is done.
    @discardableResult
    private mutating func passTime(on device: Device, to now: Instant, atMost limit: Int) -> Instant? {
        let before = device.state.lastEvent
        var reached: Instant?
        update(device, at: now) { state, now in reached = state.advance(to: now, atMost: limit) }
        for index in dueEvents.indices {
            dueEvents[index].add(device.name, since: before, last: device.state.lastEvent)
        }
        return reached
    }
}

package import APNs
internal import DeviceModel
internal import Synchronization

/// Saving everything, and putting it back.
extension DeviceSimulator {
    /// Everything the simulator holds.
    package func snapshot() -> SimulatorSnapshot {
        // Copying costs references; the lengthy part happens outside the lock.
        let copy = store.withLock { StoreCopy($0) }
        return SimulatorSnapshot(copy.image, copy.devices)
    }

    /// Puts a snapshot in the place of everything the simulator holds; loading it twice changes nothing more.
    ///
    /// What is more than the limits allow is dropped and counted. Sequence numbers go on from the greater of both, so cursors stay good; waits go on, too.
    ///
    /// - Throws: `SnapshotError`; nothing has changed then.
    package func load(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) {
        let woken = try store.withLock { store throws(SnapshotError) in
            try store.load(snapshot, at: now)
        }
        for waiter in woken { waiter.resume() }
        clockChanged()
        extensionSignal.continuation.yield()
    }
}

extension AppState {
    var saved: SimulatorSnapshot.AppSnapshot {
        SimulatorSnapshot.AppSnapshot(
            bundleID: bundleID, settings: settings?.value, badge: badge,
            isTimeSensitiveIntroduced: isTimeSensitiveIntroduced, isProvisionalIntroduced: isProvisionalIntroduced,
            isTerminated: isTerminated, prompt: prompt, timeSensitiveReviewedAt: self.timeSensitiveReviewedAt,
            backgroundWakes: self.backgroundWakes.isEmpty ? nil : self.backgroundWakes,
            complicationDay: self.complications?.day, complicationCount: self.complications?.count,
            ephemeralUntil: self.ephemeralUntil, lastCaller: self.lastCall?.handle, lastCallAt: self.lastCall?.at,
            categories: self.categories)
    }

    init(_ saved: SimulatorSnapshot.AppSnapshot) {
        self.init(bundleID: saved.bundleID)
        settings = saved.settings.map { Shared($0) }
        badge = saved.badge
        isTimeSensitiveIntroduced = saved.isTimeSensitiveIntroduced
        isProvisionalIntroduced = saved.isProvisionalIntroduced
        isTerminated = saved.isTerminated
        prompt = saved.prompt
        self.timeSensitiveReviewedAt = saved.timeSensitiveReviewedAt
        self.backgroundWakes = saved.backgroundWakes ?? []
        if let day = saved.complicationDay, let count = saved.complicationCount {
            self.complications = Complications(day: day, count: count)
        }
        self.ephemeralUntil = saved.ephemeralUntil
        self.categories = saved.categories
        if let handle = saved.lastCaller, let at = saved.lastCallAt { self.lastCall = Call(handle: handle, at: at) }
    }
}

extension Store {
    /// Puts a snapshot in the place of everything.
    ///
    /// - Returns: The waits that slept.
    mutating func load(_ snapshot: SimulatorSnapshot, at now: Instant) throws(SnapshotError) -> [Waiter] {
        try snapshot.checkNumbers()
        let loaded = try Store(snapshot, limits: limits, like: world, at: now)
        record(.loaded(snapshot, at: now))
        return replace(with: loaded)
    }

    /// Goes on from another state; who waits, what is to be written and what is noted stay.
    ///
    /// - Returns: The waits that slept.
    mutating func replace(with other: Store) -> [Waiter] {
        var other = other
        other.changeCount = changeCount + 1
        other.lastSequence = max(other.lastSequence, lastSequence)
        other.isFinished = isFinished
        other.lastWaiter = lastWaiter
        other.queue = queue
        other.notes = notes
        let woken = Array(waiters.values)
        for device in devices.values { device.delete() }
        self = other
        return woken
    }
}

package import DeviceModel
package import Time

/// A scheduled local notification.
package struct PendingLocal: Hashable, Codable, Sendable {
    package let request: LocalRequest
    package let addedAt: Instant
    /// When it fires. For a region: when the crossing in progress counts, or nil without one.
    var dueAt: Instant?
    /// Whether the device counts as inside the region; nil for another trigger.
    var isInside: Bool?

    init(request: LocalRequest, addedAt: Instant) {
        self.request = request
        self.addedAt = addedAt
    }

    var due: Instant { dueAt ?? .never }

    /// The next time it fires; nil for a region, as on iOS.
    package var nextTriggerDate: Instant? { isInside == nil ? dueAt : nil }

    /// Whether it is finished: it fired and does not repeat.
    var isSpent: Bool { isInside == nil && dueAt == nil || hasFired }

    private var hasFired = false

    /// Advances to what is due.
    ///
    /// - Returns: Whether it fires.
    mutating func passDue(_ context: DeviceContext) -> Bool {
        guard let due = dueAt, let trigger = request.trigger else { return false }
        dueAt = nil
        guard let region = trigger.region, let wasInside = isInside else {
            if trigger.repeats { dueAt = trigger.next(after: context.now, since: due, context) }
            return true
        }
        isInside = !wasInside
        let fires = wasInside ? region.notifyOnExit : region.notifyOnEntry
        hasFired = fires && !trigger.repeats
        return fires
    }

    /// Starts or cancels the crossing of a region's boundary (N11).
    mutating func follow(_ place: DevicePlace, _ context: DeviceContext) {
        guard let region = request.trigger?.region, let isInside else { return }
        if region.holds(place, wasInside: isInside, context) == isInside {
            dueAt = nil
        } else if dueAt == nil {
            dueAt = context.now.advanced(by: context.assumptions.localDwell)
        }
    }
}

extension Region {
    /// Whether the device is inside; too close to the boundary, it keeps its previous side.
    func holds(_ place: DevicePlace, wasInside: Bool, _ context: DeviceContext) -> Bool {
        guard let distance = place.distance(outside: self) else { return false }
        let margin = Double(context.assumptions.localRegionDistance)
        return wasInside ? distance <= margin : distance <= -margin
    }
}

extension LocalTrigger {
    /// The next time that an interval or a date fires; nil for never, or for a region.
    ///
    /// - Parameter last: when it last fired; nil for a new one.
    func next(after now: Instant, since last: Instant? = nil, _ context: DeviceContext) -> Instant? {
        switch self {
        case .interval(let milliseconds, _):
            let start = last ?? now
            // Counted from the previous due time, so that a late notification does not delay the next one.
            return start.advanced(by: (now.milliseconds(since: start) / milliseconds + 1) * milliseconds)
        case .calendar(let pattern, _):
            return context.device.calendar.flatMap { pattern.next(after: now, device: $0, context.assumptions) }
        case .location: return nil
        }
    }

    /// Whether it never fires because its date has quarter 0 (N9).
    func isBlocked(_ assumptions: Assumptions) -> Bool {
        guard case .calendar(let pattern, _) = self else { return false }
        return pattern.quarter == 0 && assumptions.localQuarterBlocks
    }
}

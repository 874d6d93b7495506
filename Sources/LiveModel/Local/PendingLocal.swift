package import APNs
internal import DeviceModel

/// A scheduled local notification.
package struct PendingLocal: Hashable, Codable, Sendable {
    package let request: LocalRequest
    package let addedAt: Instant
    /// When it fires or, for a region, when a crossing that has begun counts; nil while none has.
    var dueAt: Instant?
    /// Whether the device counts as inside the region; nil without one.
    var isInside: Bool?

    init(request: LocalRequest, addedAt: Instant) {
        self.request = request
        self.addedAt = addedAt
    }

    var due: Instant { dueAt ?? .distant }

    /// nil for a region, as on iOS.
    package var nextTriggerDate: Instant? { isInside == nil ? dueAt : nil }

    /// Whether nothing more comes of it: it fired and does not repeat.
    var isSpent: Bool { isInside == nil && dueAt == nil || hasFired }

    private var hasFired = false

    /// Does what is due.
    ///
    /// - Returns: Whether it fires.
    mutating func passDue(_ context: LiveContext) -> Bool {
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

    /// Begins or cancels the crossing of a region's edge (N11).
    mutating func follow(_ place: DevicePlace, _ context: LiveContext) {
        guard let region = request.trigger?.region, let isInside else { return }
        if region.holds(place, wasInside: isInside, context) == isInside {
            dueAt = nil
        } else if dueAt == nil {
            dueAt = context.now.advanced(by: context.assumptions.localDwell)
        }
    }
}

extension Region {
    /// Whether a device is inside, or still counts as being where it was because it is too close to the edge.
    func holds(_ place: DevicePlace, wasInside: Bool, _ context: LiveContext) -> Bool {
        guard let distance = place.distance(outside: self) else { return false }
        let margin = Double(context.assumptions.localRegionDistance)
        return wasInside ? distance <= margin : distance <= -margin
    }
}

extension LocalTrigger {
    /// The next time that an interval or a date fires; nil for never, or for a region.
    ///
    /// - Parameter last: when it last fired; nil for a new one.
    func next(after now: Instant, since last: Instant? = nil, _ context: LiveContext) -> Instant? {
        switch self {
        case .interval(let milliseconds, _):
            let start = last ?? now
            // Counted from the last time, so that a late one does not delay the next.
            return start.advanced(by: (now.milliseconds(since: start) / milliseconds + 1) * milliseconds)
        case .calendar(let pattern, _):
            return context.device.calendar.flatMap { pattern.next(after: now, device: $0, context.assumptions) }
        case .location: return nil
        }
    }

    /// Whether a zero quarter keeps it from firing (N9).
    var isBlocked: Bool { if case .calendar(let pattern, _) = self { pattern.quarter == 0 } else { false } }
}

extension Instant {
    /// After every date.
    static var distant: Instant { Instant(milliseconds: .max) }
}

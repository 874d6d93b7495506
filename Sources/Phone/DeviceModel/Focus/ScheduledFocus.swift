package import Time

/// A device's Focus as the schedules of its modes change it.
package struct ScheduledFocus: Sendable, Equatable {
    /// When they do so next.
    package private(set) var nextChange: Instant

    package init(nextChange: Instant = .never) { self.nextChange = nextChange }

    package enum Input: Sendable {
        /// The conditions changed from these.
        case changed(from: DeviceConditions)
        case time
        /// The clock went back from this instant.
        case setBack(from: Instant)
    }

    /// - Returns: The modes, with the one that is active then.
    package mutating func reduce(_ input: Input, at now: Instant, on device: DeviceConditions) -> FocusSettings {
        var device = device
        switch input {
        case .changed(let old):
            let isMoved = device.timeZone != old.timeZone || device.focus.modes != old.focus.modes
            let isRescheduled = isMoved || device.focus.until != old.focus.until
            if !old.isPoweredOn { catchUp(from: old, isMoved: isMoved, at: now, &device) }
            if isRescheduled { reschedule(from: old, at: now, &device) }
        case .time:
            let timetable = device.timetable
            if let change = timetable?.nextChange(after: now.advanced(by: -1)), change.at <= now {
                device.focus.follow(change.active(following: device.focus.active), at: now)
            }
            nextChange = timetable?.nextChange(after: now)?.at ?? .never
        case .setBack(let former):
            if nextChange > now { nextChange = device.timetable?.nextChange(after: now)?.at ?? .never }
            // Unless the person has overridden the schedules.
            if device.isPoweredOn, device.focus.until == nil, let timetable = device.timetable,
                device.focus.active == timetable.mode(at: former)
            {
                device.focus.active = timetable.mode(at: now)
            }
        }
        return device.focus
    }

    /// Activates the mode that the schedules selected while the device was off.
    /// A mode that the person chose stays until the next scheduled change.
    private mutating func catchUp(
        from old: DeviceConditions, isMoved: Bool, at now: Instant, _ device: inout DeviceConditions
    ) {
        if device.focus.active == old.focus.active {
            guard device.isPoweredOn, nextChange <= now else { return }
            let wanted = isMoved ? device.timetable?.mode(at: now) : mode(reachedUntil: now, on: device)
            device.focus.follow(wanted, at: now)
        }
        nextChange = device.timetable?.nextChange(after: now)?.at ?? .never
    }

    /// The mode that the schedules reached from the active one while the device was off.
    private func mode(reachedUntil now: Instant, on device: DeviceConditions) -> String? {
        var active = device.focus.active
        guard let timetable = device.timetable else { return active }
        // Schedules repeat weekly, so their older changes make no difference.
        var since = max(nextChange, now.advanced(by: -14 * .day))
        if let until = device.focus.until, until < since { active = timetable.mode(at: since) }
        while let change = timetable.nextChange(after: since.advanced(by: -1)), change.at <= now {
            active = change.active(following: active)
            since = change.at.advanced(by: 1)
        }
        return active
    }

    /// Follows changed schedules unless the person has overridden the old ones.
    ///
    /// Assumption: a schedule that covers `now` takes effect at once, and one that no longer does ends its Focus.
    private mutating func reschedule(from old: DeviceConditions, at now: Instant, _ device: inout DeviceConditions) {
        // A change missed while the device is off stays due until it is on.
        if !old.isPoweredOn, nextChange <= now { return }
        nextChange = device.timetable?.nextChange(after: now)?.at ?? .never
        guard device.focus.active == old.focus.active, device.focus.active == old.timetable?.mode(at: now) else {
            return
        }
        device.focus.active = device.timetable?.mode(at: now)
    }
}

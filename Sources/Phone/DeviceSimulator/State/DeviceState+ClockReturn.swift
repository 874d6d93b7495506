internal import DeviceModel
internal import LiveModel
internal import SiriModel
internal import Time

/// A clock that goes back: a reset of the gateway's, or a state from the future.
extension DeviceState {
    /// Decides by `now` what was decided by a later time.
    ///
    /// What the device counts goes on from now: timers, budgets, calls, the lives of activities. What the time of day
    /// decides is decided again: Focus schedules, summaries, calendar triggers. Events and dates from outside stay.
    mutating func setBack(from former: Instant?, to now: Moment) {
        let former = latestTime(former, now.time)
        let clock = ClockReturn(to: now.time, from: former)
        let before = lastEvent
        lastEventAt = min(lastEventAt, now.time)
        let today = conditions.value.day(at: now.time)
        for index in apps.indices { apps[index].setBack(clock, today: today) }
        for index in stored.indices { stored[index].setBack(clock, now.catalog.assumptions) }
        summarize(.setBack, at: now)
        if hasLive { carryOut(at: now) { state, context, _ in state.live.setBack(clock, context) } }
        if hasSiri { carryOut(at: now) { state, context, _ in state.siri.setBack(clock, context) } }
        followSchedule(.setBack(from: former), at: now)
        if conditions.value.isPoweredOn, hasSiri {
            carryOut(at: now) { state, context, effects in state.siri.refresh(context, &effects) }
        }
        if !stored.isEmpty { deliverStored(at: now) }
        if lastEvent != before { lastEventAt = now.time }
        nextDue = due(after: now)
    }

    /// By which the device has decided until its clock goes back to `now`.
    func latestTime(_ former: Instant?, _ now: Instant) -> Instant { max(now, lastEventAt, former ?? now) }
}

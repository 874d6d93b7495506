package import APNs
package import DeviceSimulator
internal import ExtensionHost
internal import Synchronization

/// Moving the clock, with everything on the devices that is due by then.
extension Gateway {
    /// Lets everything happen that is due by now.
    ///
    /// - Returns: On how many devices something was due.
    @discardableResult
    package func settle() -> Int {
        let now = now()
        extensionHost?.enforceDeadlines(upTo: now)
        return simulator.advance(to: now)
    }

    /// Stops the clock at an instant, or now; it goes on by `advanceClock(to:)` only.
    ///
    /// - Returns: On how many devices something was due.
    /// - Throws: `SimulatedClock.Problem.goesBack`.
    @discardableResult
    package func stopClock(at instant: Instant? = nil) throws(SimulatedClock.Problem) -> Int {
        try clockNote.withLock { _ throws(SimulatedClock.Problem) in
            try clock.stop(at: instant)
            saveClock()
        }
        return settleAfterChange()
    }

    /// Moves a stopped clock on.
    ///
    /// - Returns: On how many devices something was due.
    /// - Throws: `SimulatedClock.Problem`.
    @discardableResult
    package func advanceClock(to instant: Instant) throws(SimulatedClock.Problem) -> Int {
        try clockNote.withLock { _ throws(SimulatedClock.Problem) in
            try clock.advance(by: instant.milliseconds(since: clock.now()))
            saveClock()
        }
        return settleAfterChange()
    }

    /// Lets the clock follow real time again.
    ///
    /// - Throws: `SimulatedClock.Problem.goesBack`.
    package func followRealTime() throws(SimulatedClock.Problem) {
        try clockNote.withLock { _ throws(SimulatedClock.Problem) in
            try clock.follow()
            saveClock()
        }
        settleAfterChange()
    }

    /// Lets the clock follow real time again even when it is ahead. What happened keeps its times.
    package func resetClock() {
        clockNote.withLock { _ in
            clock.show(nil)
            saveClock()
        }
        settleAfterChange()
    }

    /// Forgets devices, notifications and apps but for what `scope` keeps; without devices there is no past, so the clock
    /// follows real time again.
    package func reset(keeping scope: ResetScope) {
        extensionHost?.cancel { _ in true }
        simulator.reset(keeping: scope)
        if !scope.contains(.devices) { resetClock() }
    }

    /// What a diagnosis about time has to say of a clock that does not follow real time; empty when it does.
    var clockRemark: String {
        guard let lead = clock.lead else { return "" }
        let distance =
            lead < .zero ? "\(TokenPolicy.words(.zero - lead)) behind" : "\(TokenPolicy.words(lead)) ahead of"
        return
            " The gateway's clock is stopped at \(now().text), \(distance) real time: create tokens with that time, as "
            + "`pushcote token` does, or return to real time with `pushcote clock reset`."
    }

    @discardableResult
    private func settleAfterChange() -> Int {
        defer { simulator.clockChanged() }
        return settle()
    }
}

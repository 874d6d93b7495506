package import APNs
package import DeviceSimulator
internal import ExtensionHost
internal import Synchronization

/// The clock, and what is due on devices when it moves. Each call returns on how many devices something was due.
extension Gateway {
    /// Runs everything that is due by now.
    @discardableResult
    package func runDue() -> Int {
        let now = now()
        extensionHost?.enforceDeadlines(upTo: now)
        return simulator.advance(to: now)
    }

    /// Stops the clock at an instant, or now; from then on only `advanceClock(to:)` moves it.
    ///
    /// - Throws: `SimulatedClock.Problem.goesBack`.
    @discardableResult
    package func stopClock(at instant: Instant? = nil) throws(SimulatedClock.Problem) -> Int {
        try changeClock { () throws(SimulatedClock.Problem) in try clock.stop(at: instant) }
    }

    /// Advances a stopped clock.
    @discardableResult
    package func advanceClock(to instant: Instant) throws(SimulatedClock.Problem) -> Int {
        try changeClock { () throws(SimulatedClock.Problem) in
            try clock.advance(by: instant.milliseconds(since: clock.now()))
        }
    }

    /// Lets the clock follow real time again.
    ///
    /// - Throws: `SimulatedClock.Problem.goesBack`.
    package func followRealTime() throws(SimulatedClock.Problem) {
        try changeClock { () throws(SimulatedClock.Problem) in try clock.follow() }
    }

    /// Lets the clock follow real time again even when it is ahead. Events keep their times.
    package func resetClock() { changeClock { clock.show(nil) } }

    /// Removes devices, notifications and apps outside `scope`. Without devices there is no past, so the clock is reset.
    package func reset(keeping scope: ResetScope) {
        extensionHost?.cancel { _ in true }
        simulator.reset(keeping: scope)
        if !scope.contains(.devices) { resetClock() }
    }

    /// What a diagnosis about time adds while the clock does not follow real time; else empty.
    var clockRemark: String {
        guard let lead = clock.lead else { return "" }
        let distance =
            lead < .zero ? "\(TokenPolicy.words(.zero - lead)) behind" : "\(TokenPolicy.words(lead)) ahead of"
        return
            " The gateway's clock is stopped at \(now().text), \(distance) real time: create tokens with that time, as "
            + "`pushcote token` does, or return to real time with `pushcote clock reset`."
    }

    @discardableResult
    private func changeClock<Problem>(_ change: () throws(Problem) -> Void) throws(Problem) -> Int {
        try clockLock.withLock { _ throws(Problem) in
            try change()
            saveClock()
        }
        defer { simulator.clockChanged() }
        return runDue()
    }
}

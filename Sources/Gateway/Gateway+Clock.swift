package import APNs
package import DeviceSimulator
internal import ExtensionHost
internal import JSON
internal import Synchronization

/// The clock. Each change runs what is due and returns what happened.
extension Gateway {
    /// Performs everything due. Yields between the steps: days of a busy device take seconds.
    package func runDue() async {
        let now = now()
        extensionHost?.enforceDeadlines(upTo: now)
        requestLog.evictAged(at: now)
        while !simulator.advanceOneStep(to: now) { await Task.yield() }
    }

    /// Stops the clock at an instant, or now; afterwards only `advanceClock(to:)` moves it.
    /// - Throws: `goesBack` for an instant in the past, `goesTooFar` beyond ten years.
    package func stopClock(at instant: Instant? = nil) async throws(SimulatedClock.Problem) {
        try await changeClock { () throws(SimulatedClock.Problem) in try clock.stop(at: instant) }
    }

    /// Lets the clock run faster than real time, from an instant or from now.
    /// - Throws: `goesBack` for an instant in the past, `goesTooFar` beyond ten years.
    package func runClock(scale: Double, from instant: Instant? = nil) async throws(SimulatedClock.Problem) {
        try await changeClock { () throws(SimulatedClock.Problem) in try clock.run(scale: scale, from: instant) }
    }

    /// Advances a stopped clock.
    /// - Returns: What happened meanwhile.
    @discardableResult
    package func advanceClock(to instant: Instant) async throws(SimulatedClock.Problem) -> DueEvents {
        try await simulator.dueEvents { () throws(SimulatedClock.Problem) in
            try await changeClock { () throws(SimulatedClock.Problem) in
                try clock.advance(by: instant.milliseconds(since: clock.now()))
            }
        }
    }

    /// - Throws: `goesBack` when the clock is ahead of real time; `resetClock` does not.
    package func followRealTime() async throws(SimulatedClock.Problem) {
        try await changeClock { () throws(SimulatedClock.Problem) in try clock.follow() }
    }

    /// Follows real time even when the clock is ahead. Events keep their times.
    package func resetClock() async {
        await changeClock { clock.restore(nil) }
        simulator.setBack(to: now())
    }

    /// Sets devices back that have lived after now: they come from a gateway whose clock was ahead.
    package func setBackFuture() {
        let now = now()
        if simulator.isAhead(of: now) { simulator.setBack(to: now) }
    }

    /// Removes devices, notifications and apps outside `scope`. Removing the devices also resets the clock.
    package func reset(keeping scope: ResetScope) async {
        extensionHost?.cancel { _ in true }
        simulator.reset(keeping: scope)
        if !scope.contains(.devices) { await resetClock() }
    }

    /// Appended to diagnoses about time; empty while the clock follows real time.
    var clockRemark: String {
        guard let lead = clock.lead else { return "" }
        let distance =
            lead < .zero ? "\(TokenPolicy.words(.zero - lead)) behind" : "\(TokenPolicy.words(lead)) ahead of"
        let pace = clock.scale.map { "runs \($0.shortText) times as fast as real time" } ?? "is stopped"
        return
            " The gateway's clock \(pace) at \(now().text), \(distance) real time: create tokens with that time, as "
            + "`pushcote token` does, or return to real time with `pushcote clock reset`."
    }

    private func changeClock<Problem>(_ change: () throws(Problem) -> Void) async throws(Problem) {
        // Broadcasts accepted before the change reach their devices before it.
        simulator.finishBroadcasts()
        try clockLock.withLock { _ throws(Problem) in
            try change()
            saveClock()
        }
        await runDue()
        simulator.clockChanged()
    }
}

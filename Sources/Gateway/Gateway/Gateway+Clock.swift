internal import APNs
internal import DeviceModel
package import DeviceSimulator
internal import ExtensionHost
internal import JSON
internal import Synchronization
package import Time

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
    package func stopClock(
        at instant: Instant? = nil, firing limit: UInt64 = firingLimit
    ) async throws(SimulatedClock.Problem) {
        try await pass(to: instant, firing: limit)
        try await changeClock { () throws(SimulatedClock.Problem) in try clock.stop(at: instant) }
    }

    /// Lets the clock run faster than real time, from an instant or from now.
    /// - Throws: `goesBack` for an instant in the past, `goesTooFar` beyond ten years.
    package func runClock(
        scale: Double, from instant: Instant? = nil, firing limit: UInt64 = firingLimit
    ) async throws(SimulatedClock.Problem) {
        try await pass(to: instant, firing: limit)
        try await changeClock { () throws(SimulatedClock.Problem) in try clock.run(scale: scale, from: instant) }
    }

    /// Advances a stopped clock.
    /// - Parameter limit: Of the local notifications that fire.
    /// - Returns: What happened meanwhile.
    @discardableResult
    package func advanceClock(
        to instant: Instant, firing limit: UInt64 = firingLimit
    ) async throws(SimulatedClock.Problem) -> DueEvents {
        guard clock.mode == .manual else { throw .isRunning }
        return try await simulator.dueEvents { () throws(SimulatedClock.Problem) in
            try await pass(to: instant, firing: limit)
            try await changeClock { () throws(SimulatedClock.Problem) in
                try clock.advance(by: instant.milliseconds(since: clock.now()))
            }
            await extensionHost?.overdueRunsEnd()
        }
    }

    /// - Throws: `goesBack` when the clock is ahead of real time; `resetClock` does not.
    package func followRealTime() async throws(SimulatedClock.Problem) {
        try await changeClock { () throws(SimulatedClock.Problem) in try clock.follow() }
    }

    /// Stops the clock at a past instant while `perform` runs; then it is as before, also for a restart meanwhile.
    /// Devices that have lived later do not go back.
    package func visit<Answer>(_ instant: Instant, _ perform: () async throws -> Answer) async throws -> Answer {
        let former = clock.text
        isVisiting.store(true, ordering: .releasing)
        await changeClock { clock.show(instant) }
        let answer: Result<Answer, any Error>
        do { answer = .success(try await perform()) } catch { answer = .failure(error) }
        isVisiting.store(false, ordering: .releasing)
        await changeClock { clock.restore(former) }
        return try answer.get()
    }

    /// Follows real time even when the clock is ahead. Events keep their times.
    package func resetClock() async {
        let former = now()
        await changeClock { clock.restore(nil) }
        let now = now()
        requestLog.setBack(to: now)
        simulator.setBack(from: former, to: now)
        setBackFaults(ClockReturn(to: now, from: former))
    }

    /// Replaces everything of all devices.
    package func load(_ snapshot: SimulatorSnapshot) throws(SnapshotError) {
        try simulator.load(snapshot)
        goOn()
        cancelForgottenExtensions()
        requestLog.sharePushes(with: simulator)
    }

    /// Sets devices back that have lived after now: they come from a gateway whose clock was ahead.
    func setBackFuture() {
        let now = now()
        if simulator.isAhead(of: now) { simulator.setBack(to: now) }
    }

    /// Removes devices, notifications and apps outside `scope`. Removing the devices also resets the clock.
    package func reset(keeping scope: ResetScope) async {
        extensionHost?.cancel { _ in true }
        simulator.reset(keeping: scope, at: now())
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

    /// Of one step of the clock; takes a few seconds. More is probably a mistake.
    package static let firingLimit: UInt64 = 1_000_000

    /// Moves the clock towards an instant, about a millisecond of work at a time, so that a push meanwhile has little to
    /// catch up with. At an extension's time limit it waits until the run ends, because the result decides the push.
    private func pass(to target: Instant?, firing limit: UInt64) async throws(SimulatedClock.Problem) {
        guard let target, target > now() else { return }
        try clock.check(target)
        guard let due = await dueWithExtensions(), due < target else { return }
        try await changeClock(stoppingAt: target) { () throws(SimulatedClock.Problem) in try clock.stop() }
        let first = simulator.firedCount
        var length: Int64 = 1000
        while let due = await dueWithExtensions(), due < target {
            let start = max(now(), due)
            let step = start.advanced(by: length)
            let next = max(start, min(target, step, extensionHost?.nextDue ?? target))
            let begin = ContinuousClock.now
            // Fails if another request lets the clock run.
            try clock.advance(to: next)
            await runDue()
            let work = ContinuousClock.now - begin
            if work < .microseconds(500), next == step {
                length *= 2
            } else if work > .milliseconds(1) {
                length = max(1, length / 2)
            }
            guard simulator.firedCount - first <= limit else {
                saveClock()
                throw .firesTooOften(limit: limit, reached: now(), to: target)
            }
        }
    }

    /// What is due next, including the time limits of extensions that accepted pushes wait for.
    private func dueWithExtensions() async -> Instant? {
        await extensionHost?.overdueRunsEnd()
        askExtensions()
        await extensionHost?.submittedRequestsArrive()
        return nextDue
    }

    /// - Parameter target: Where a restart finds the clock; nil for where it is.
    private func changeClock<Problem>(
        stoppingAt target: Instant? = nil, _ change: () throws(Problem) -> Void
    ) async throws(Problem) {
        // Broadcasts accepted before the change reach their devices before it.
        simulator.finishBroadcasts()
        try clockLock.withLock { _ throws(Problem) in
            try change()
            saveClock(stoppingAt: target)
        }
        await runDue()
        simulator.clockChanged()
    }
}

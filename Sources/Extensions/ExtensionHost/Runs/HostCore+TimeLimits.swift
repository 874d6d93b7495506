internal import DeviceModel
internal import NIOCore
internal import Time

extension HostCore {
    /// - Parameter instant: On the gateway's clock.
    func begin(_ run: ActiveRun, on runner: any Runner, at instant: Instant, isNewProcess: Bool) {
        run.runner = runner
        run.begunAt = .now()
        run.phase = .starting
        run.record.startedAt = instant
        latest = max(latest, instant)
        run.record.isNewProcess = isNewProcess
        status.set(due: due(of: run), run: run.number)
    }

    /// Called for every message about a run; only the first counts.
    func entered(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .working
        run.record.startUpMilliseconds = run.milliseconds
        // The clock may have passed the deadline while the extension was starting.
        enforceDeadline(of: run, upTo: now())
    }

    func enforceDeadlines(of due: [Int], upTo instant: Instant) {
        if instant < latest { restartTimeLimits(at: instant) }
        latest = instant
        for number in (due + status.takeDue(upTo: instant)).sorted() {
            if let run = runs[number] { enforceDeadline(of: run, upTo: instant) }
        }
    }

    /// The clock went back: otherwise the time limits would grow by the difference.
    private func restartTimeLimits(at instant: Instant) {
        for run in runs.values where due(of: run) != nil && run.record.startedAt > instant {
            run.record.startedAt = instant
            status.set(due: due(of: run), run: run.number)
        }
    }

    /// Does nothing before the deadline, which settings may have moved.
    private func enforceDeadline(of run: ActiveRun, upTo instant: Instant) {
        guard let due = due(of: run) else { return }
        guard due <= instant else { return status.set(due: due, run: run.number) }
        status.set(due: nil, run: run.number)
        if case .starting = run.phase { startupDeadlinePassed(run) } else { expire(run, at: instant) }
    }

    /// The deadline of a run's phase; nil if the gateway's clock does not limit it.
    private func due(of run: ActiveRun) -> Instant? {
        let settings = status.settings
        return switch run.phase {
        case .starting: run.record.startedAt.advanced(by: min(settings.startupLimit, settings.expireAfter))
        case .working: run.record.startedAt.advanced(by: settings.expireAfter)
        case .waiting, .expiring, .answered, .timeIsUp, .over: nil
        }
    }

    /// Allows `lastChance` in real time since the start, in case the clock was just advanced.
    private func startupDeadlinePassed(_ run: ActiveRun) {
        let end = run.begunAt + TimeAmount(status.settings.lastChance)
        guard end > .now() else { return giveUpStartup(run) }
        loop.assumeIsolated().scheduleTask(deadline: end) { self.giveUpStartup(run) }
    }

    private func giveUpStartup(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .timeIsUp
        forgetIfEndless(run)
        run.runner?.giveUp(run, .startupTimedOut, "didReceive was not called within \(status.settings.startupLimit)")
    }

    private func expire(_ run: ActiveRun, at instant: Instant) {
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(status.settings.lastChance)) {
            self.lastChancePassed(run)
        }
        run.phase = .expiring(timer)
        run.record.expiredAt = min(instant, run.record.startedAt.advanced(by: status.settings.expireAfter))
        run.runner?.expire(run)
    }

    private func lastChancePassed(_ run: ActiveRun) {
        guard case .expiring = run.phase else { return }
        run.phase = .timeIsUp
        forgetIfEndless(run)
        run.runner?.giveUp(run, .expired, "")
    }

    /// Lets the clock go on although the kernel does not end the process.
    private func forgetIfEndless(_ run: ActiveRun) {
        let number = run.number
        loop.assumeIsolated().scheduleTask(in: Self.stopTimeLimit) { self.status.runEnded(number) }
    }
}

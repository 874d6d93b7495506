internal import APNs
internal import DeviceModel
internal import NIOCore

extension HostCore {
    /// A run is handed over: its time begins.
    ///
    /// - Parameter instant: when, on the gateway's clock.
    func begin(_ run: ActiveRun, on carrier: any Carrier, at instant: Instant, isNewProcess: Bool) {
        run.carrier = carrier
        run.begunAt = .now()
        run.phase = .starting
        run.record.startedAt = instant
        run.record.isNewProcess = isNewProcess
        board.set(due: due(of: run), run: run.number)
    }

    /// `didReceive` was entered. Called for every message about a run; only the first counts.
    func entered(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .working
        run.record.startUpMilliseconds = run.milliseconds
        // The clock may have passed it while the extension was starting.
        settle(run, at: now())
    }

    /// Carries out a run's deadline if it has passed; the settings may have changed since it was set.
    func settle(_ run: ActiveRun, at instant: Instant) {
        guard let due = due(of: run) else { return }
        guard due <= instant else { return board.set(due: due, run: run.number) }
        if case .starting = run.phase { startupIsOver(run) } else { expire(run, at: instant) }
    }

    /// When a run's time for what it does now is over; nil when that is not counted by the gateway's clock.
    private func due(of run: ActiveRun) -> Instant? {
        let settings = board.settings
        return switch run.phase {
        case .starting: run.record.startedAt.advanced(by: min(settings.startupLimit, settings.expireAfter))
        case .working: run.record.startedAt.advanced(by: settings.expireAfter)
        case .waiting, .expiring, .answered, .timeIsUp, .over: nil
        }
    }

    /// Start-up has taken too long, unless the clock was advanced just now: then it gets as much real time as a last chance is.
    private func startupIsOver(_ run: ActiveRun) {
        board.set(due: nil, run: run.number)
        let end = run.begunAt + TimeAmount(board.settings.lastChance)
        guard end > .now() else { return giveUpStartup(run) }
        let bound = NIOLoopBound((self, run), eventLoop: loop)
        loop.scheduleTask(deadline: end) {
            let (core, run) = bound.value
            core.giveUpStartup(run)
        }
    }

    private func giveUpStartup(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .timeIsUp
        run.carrier?.giveUp(run, .startupTimedOut, "didReceive was not called within \(board.settings.startupLimit)")
    }

    private func expire(_ run: ActiveRun, at instant: Instant) {
        let bound = NIOLoopBound((self, run), eventLoop: loop)
        let timer = loop.scheduleTask(in: TimeAmount(board.settings.lastChance)) {
            let (core, run) = bound.value
            core.timeIsUp(run)
        }
        run.phase = .expiring(timer)
        run.record.expiredAt = instant
        board.set(due: nil, run: run.number)
        run.carrier?.expire(run)
    }

    private func timeIsUp(_ run: ActiveRun) {
        guard case .expiring = run.phase else { return }
        run.phase = .timeIsUp
        run.carrier?.giveUp(run, .expired, "")
    }
}

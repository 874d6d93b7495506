internal import APNs
internal import DeviceModel
internal import NIOCore

extension HostCore {
    /// A run is handed over: its time begins.
    ///
    /// - Parameter instant: when, on the gateway's clock.
    func begin(_ run: ActiveRun, on carrier: any Carrier, at instant: Instant, isNewProcess: Bool) {
        let settings = board.settings
        run.carrier = carrier
        run.begunAt = .now()
        run.phase = .starting
        run.record.startedAt = instant
        run.record.isNewProcess = isNewProcess
        board.set(due: instant.advanced(by: min(settings.startupLimit, settings.expireAfter)), run: run.number)
    }

    /// `didReceive` was entered. Called for every message about a run; only the first counts.
    func entered(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .working
        run.record.startUpMilliseconds = run.milliseconds
        board.set(due: run.record.startedAt.advanced(by: board.settings.expireAfter), run: run.number)
        // The clock may have passed it while the extension was starting.
        settle(run, at: now())
    }

    /// Carries out a run's deadline if it has passed.
    func settle(_ run: ActiveRun, at instant: Instant) {
        let elapsed = instant.since(run.record.startedAt)
        switch run.phase {
        case .starting where elapsed >= min(board.settings.startupLimit, board.settings.expireAfter): startupIsOver(run)
        case .working where elapsed >= board.settings.expireAfter: expire(run, at: instant)
        default: break
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
        run.carrier?.giveUp(run, .startupTimedOut, "didReceive was not entered within \(board.settings.startupLimit)")
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

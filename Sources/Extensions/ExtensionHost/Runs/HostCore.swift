internal import DeviceModel
internal import NIOCore
internal import Time

/// The host's state: runs, apps, and the number of processes. Owned by the host's event loop.
final class HostCore {
    let loop: any EventLoop
    let status: HostStatus
    let delegate: any ExtensionHostDelegate

    private(set) var runs: [Int: ActiveRun] = [:]
    private(set) var apps: [String: AppQueue] = [:]
    private(set) var lastNumber = 0
    /// Apps waiting for a process, in order of arrival.
    private var waitingForProcess: CircularBuffer<AppQueue> = []
    private var processCount = 0
    /// The gateway's time when a run began or deadlines were enforced.
    private var latest = Instant(milliseconds: .min)
    /// Completed when the last process has ended; nil until `stop`.
    private var stopping: [EventLoopPromise<Void>]?

    init(loop: any EventLoop, status: HostStatus, delegate: any ExtensionHostDelegate) {
        (self.loop, self.status, self.delegate) = (loop, status, delegate)
    }

    func now() -> Instant { delegate.now() }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func submit(_ request: ExtensionRequest, at instant: Instant) {
        let run = ActiveRun(request, number: nextNumber(), at: instant)
        runs[run.number] = run
        guard stopping == nil else { return finish(run, .cancelled, "the gateway is stopping") }
        let app = request.app.bundleID
        let queue = apps[app] ?? AppQueue(app: app, core: self)
        apps[app] = queue
        queue.submit(run)
    }

    func cancel(where condition: (ExtensionRequest) -> Bool) {
        cancel(runs.values.filter { condition($0.request) }, "")
    }

    /// Cancels waiting runs first, so that none starts in a freed place.
    private func cancel(_ runs: some Collection<ActiveRun>, _ detail: String) {
        func order(_ run: ActiveRun) -> (Int, Int) { (run.runner == nil ? 0 : 1, run.number) }
        for run in runs.sorted(by: { order($0) < order($1) }) {
            // The run only awaits the return of `didReceive`.
            if run.isAnswered {
                finish(run, .answered, "")
            } else {
                run.runner?.giveUp(run, .cancelled, detail)
                finish(run, .cancelled, detail)
            }
        }
    }

    func finish(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) {
        if run.isOver { return }
        switch run.phase {
        case .expiring(let timer), .answered(let timer): timer.cancel()
        case .waiting, .starting, .working, .timeIsUp, .over: break
        }
        run.phase = .over
        runs[run.number] = nil
        run.record.end = end
        run.record.detail = detail
        // On a fast clock, the last chance, in real time, exceeds the limit.
        let limit = run.record.startedAt.advanced(by: status.settings.killAfter)
        run.record.endedAt = min(max(now(), run.record.startedAt), limit)
        if run.record.answer == nil, end == .expired, let attempt = run.bestAttempt {
            (run.record.answer, run.record.answerSource) = (attempt, .bestAttempt)
        }
        let runner = run.runner
        runner?.release(run)
        run.runner = nil
        run.addFindings(settings: status.settings)
        delegate.finishExtension(run.record, of: run.request)
        status.runEnded(run.number)
        apps[run.request.app.bundleID]?.runDidEnd(wasActive: runner != nil)
    }

    /// Returns whether a process may start; if not, the app advances when there is room.
    func claimProcess(for queue: AppQueue) -> Bool {
        if processCount < status.settings.maximumProcesses {
            processCount += 1
            return true
        }
        if !waitingForProcess.contains(where: { $0 === queue }) { waitingForProcess.append(queue) }
        let idle = apps.values.compactMap(\.idleProcess).min { $0.number < $1.number }
        idle?.retire()
        return false
    }

    var isProcessWanted: Bool { !waitingForProcess.isEmpty }

    func returnProcess() {
        processCount -= 1
        while processCount < status.settings.maximumProcesses, let queue = waitingForProcess.popFirst() {
            queue.advance()
        }
        endIfPossible()
    }

    /// The app's next request makes a new queue, which a late advance of this one must leave alone.
    func forget(_ queue: AppQueue) {
        waitingForProcess.removeAll { $0 === queue }
        if apps[queue.app] === queue { apps[queue.app] = nil }
    }

    func stop(_ promise: EventLoopPromise<Void>) {
        stopping = (stopping ?? []) + [promise]
        cancel(runs.values, "the gateway is stopping")
        for queue in apps.values { queue.endAll() }
        endIfPossible()
        // The kernel may not end a process, for example while it waits for a disk.
        loop.assumeIsolated().scheduleTask(in: Self.stopTimeLimit) { self.endIfPossible(isOverdue: true) }
    }

    private static let stopTimeLimit = TimeAmount.seconds(10)

    private func endIfPossible(isOverdue: Bool = false) {
        guard let promises = stopping, processCount == 0 || isOverdue else { return }
        stopping = []
        for promise in promises { promise.succeed() }
    }
}

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

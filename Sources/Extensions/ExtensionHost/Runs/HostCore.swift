internal import APNs
internal import ChildProcesses
internal import DeviceModel
internal import NIOCore

/// The host's state: runs, the apps they belong to, and how many processes there are.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class HostCore {
    let loop: any EventLoop
    let status: HostStatus
    let delegate: any ExtensionHostDelegate

    private(set) var runs: [Int: ActiveRun] = [:]
    private(set) var apps: [String: AppQueue] = [:]
    /// The number of the latest run or process.
    private(set) var lastNumber = 0
    /// Apps that wait for another's process to end, in the order of their arrival.
    private var starved: CircularBuffer<AppQueue> = []
    private var processCount = 0
    private var reaper: ChildReaper?
    /// Succeed when the last process has ended; nil unless the host is stopping or has stopped.
    private var stopping: [EventLoopPromise<Void>]?

    init(loop: any EventLoop, status: HostStatus, delegate: any ExtensionHostDelegate) {
        (self.loop, self.status, self.delegate) = (loop, status, delegate)
    }

    func now() -> Instant { delegate.now() }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Requests

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

    /// Cancels the waiting runs first, so that none of them starts in the place of another.
    private func cancel(_ runs: some Collection<ActiveRun>, _ detail: String) {
        func order(_ run: ActiveRun) -> (Int, Int) { (run.carrier == nil ? 0 : 1, run.number) }
        for run in runs.sorted(by: { order($0) < order($1) }) {
            // It only awaits the return of `didReceive`.
            if run.isAnswered {
                finish(run, .answered, "")
            } else {
                run.carrier?.giveUp(run, .cancelled, detail)
                // Without waiting for a process to end.
                finish(run, .cancelled, detail)
            }
        }
    }

    /// Reports a run, once.
    func finish(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) {
        if case .over = run.phase { return }
        switch run.phase {
        case .expiring(let timer), .answered(let timer): timer.cancel()
        case .waiting, .starting, .working, .timeIsUp, .over: break
        }
        run.phase = .over
        runs[run.number] = nil
        status.set(due: nil, run: run.number)
        run.record.end = end
        run.record.detail = detail
        run.record.endedAt = max(now(), run.record.startedAt)
        if run.record.answer == nil, end == .expired, let attempt = run.bestAttempt {
            (run.record.answer, run.record.answerSource) = (attempt, .bestAttempt)
        }
        let carrier = run.carrier
        carrier?.release(run)
        run.carrier = nil
        run.addFindings(settings: status.settings)
        delegate.finishExtension(run.record, of: run.request)
        apps[run.request.app.bundleID]?.hasEnded(run, wasActive: carrier != nil)
    }

    // MARK: Processes

    /// Whether one more process may be started; if not, the app advances when there is room.
    func claimProcess(for queue: AppQueue) -> Bool {
        if processCount < status.settings.maximumProcesses {
            processCount += 1
            return true
        }
        if !starved.contains(where: { $0 === queue }) { starved.append(queue) }
        // An idle process makes room.
        let idle = apps.values.compactMap(\.idleProcess).min { $0.number < $1.number }
        idle?.retire()
        return false
    }

    var isProcessWanted: Bool { !starved.isEmpty }

    /// A process has ended, or could not be started.
    func returnProcess() {
        processCount -= 1
        while processCount < status.settings.maximumProcesses, let queue = starved.popFirst() { queue.advance() }
        endIfPossible()
    }

    func startedReaper() throws(SystemError) -> ChildReaper {
        if let reaper { return reaper }
        let started = try ChildReaper()
        reaper = started
        return started
    }

    /// Drops an app that has neither requests nor processes.
    func forget(_ queue: AppQueue) { apps[queue.app] = nil }

    // MARK: The end

    func stop(_ promise: EventLoopPromise<Void>) {
        stopping = (stopping ?? []) + [promise]
        cancel(runs.values, "the gateway is stopping")
        for queue in apps.values { queue.endAll() }
        endIfPossible()
    }

    private func endIfPossible() {
        guard let promises = stopping, processCount == 0 else { return }
        reaper?.stop()
        reaper = nil
        stopping = []
        for promise in promises { promise.succeed() }
    }
}

// MARK: Time

extension HostCore {
    /// A carrier takes a run: its time begins.
    ///
    /// - Parameter instant: when, on the gateway's clock.
    func begin(_ run: ActiveRun, on carrier: any Carrier, at instant: Instant, isNewProcess: Bool) {
        run.carrier = carrier
        run.begunAt = .now()
        run.phase = .starting
        run.record.startedAt = instant
        run.record.isNewProcess = isNewProcess
        status.set(due: due(of: run), run: run.number)
    }

    /// `didReceive` was entered. Called for every message about a run; only the first counts.
    func entered(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .working
        run.record.startUpMilliseconds = run.milliseconds
        // The clock may have passed it while the extension was starting.
        enforceDeadline(of: run, upTo: now())
    }

    func enforceDeadlines(of due: [Int], upTo instant: Instant) {
        for number in (due + status.takeDue(upTo: instant)).sorted() {
            if let run = runs[number] { enforceDeadline(of: run, upTo: instant) }
        }
    }

    /// Does nothing before the deadline, which the settings may have moved.
    private func enforceDeadline(of run: ActiveRun, upTo instant: Instant) {
        guard let due = due(of: run) else { return }
        guard due <= instant else { return status.set(due: due, run: run.number) }
        status.set(due: nil, run: run.number)
        if case .starting = run.phase { startupIsOver(run) } else { expire(run, at: instant) }
    }

    /// When the time for a run's phase is over; nil when the gateway's clock does not count it.
    private func due(of run: ActiveRun) -> Instant? {
        let settings = status.settings
        return switch run.phase {
        case .starting: run.record.startedAt.advanced(by: min(settings.startupLimit, settings.expireAfter))
        case .working: run.record.startedAt.advanced(by: settings.expireAfter)
        case .waiting, .expiring, .answered, .timeIsUp, .over: nil
        }
    }

    /// Start-up has taken too long, unless the clock was advanced just now: then it gets as much real time as a last chance is.
    private func startupIsOver(_ run: ActiveRun) {
        let end = run.begunAt + TimeAmount(status.settings.lastChance)
        guard end > .now() else { return giveUpStartup(run) }
        loop.assumeIsolated().scheduleTask(deadline: end) { self.giveUpStartup(run) }
    }

    private func giveUpStartup(_ run: ActiveRun) {
        guard case .starting = run.phase else { return }
        run.phase = .timeIsUp
        run.carrier?.giveUp(run, .startupTimedOut, "didReceive was not called within \(status.settings.startupLimit)")
    }

    private func expire(_ run: ActiveRun, at instant: Instant) {
        let timer = loop.assumeIsolated().scheduleTask(in: TimeAmount(status.settings.lastChance)) {
            self.timeIsUp(run)
        }
        run.phase = .expiring(timer)
        run.record.expiredAt = instant
        run.carrier?.expire(run)
    }

    private func timeIsUp(_ run: ActiveRun) {
        guard case .expiring = run.phase else { return }
        run.phase = .timeIsUp
        run.carrier?.giveUp(run, .expired, "")
    }
}

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
    var latest = Instant(milliseconds: .min)
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
        loop.assumeIsolated().scheduleTask(in: Self.stopTimeLimit) { [weak self] in
            self?.endIfPossible(isOverdue: true)
        }
    }

    static let stopTimeLimit = TimeAmount.seconds(10)

    private func endIfPossible(isOverdue: Bool = false) {
        guard let promises = stopping, processCount == 0 || isOverdue else { return }
        stopping = []
        for promise in promises { promise.succeed() }
    }
}

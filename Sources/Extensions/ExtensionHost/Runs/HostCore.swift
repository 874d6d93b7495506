internal import APNs
internal import DeviceModel
internal import NIOCore

/// The host's state: runs, the apps they belong to, and how many processes there are.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class HostCore {
    let loop: any EventLoop
    let board: HostStatus
    let now: () -> Instant
    private let center: CenterAnswerer
    let reader: AnswerReader
    private let report: (ExtensionRequest, ExtensionRun) -> Void

    private(set) var runs: [Int: ActiveRun] = [:]
    private var apps: [String: AppQueue] = [:]
    /// The number of the latest run or process.
    private(set) var lastNumber = 0
    /// Apps that wait for another's process to end, in the order in which they came.
    private var hungry: CircularBuffer<AppQueue> = []
    private var processCount = 0
    private var workshop: ProcessLauncher?
    /// Kept when the last process has ended; nil unless the host is stopping or has stopped.
    private var stopping: [EventLoopPromise<Void>]?

    init(
        loop: any EventLoop, board: HostStatus, now: @escaping () -> Instant, reader: AnswerReader,
        finish: @escaping (ExtensionRequest, ExtensionRun) -> Void,
        center: @escaping CenterAnswerer
    ) {
        (self.loop, self.board, self.now, self.reader, self.report, self.center) = (
            loop, board, now, reader, finish, center
        )
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Requests

    /// Has a call of the notification center answered.
    ///
    /// - Parameter reply: Called on the event loop once the answer is there.
    func ask(_ call: ExtensionRun.CenterCall, for run: ActiveRun, reply: @escaping (CenterReply) -> Void) {
        let loop = loop
        let reply = NIOLoopBound(reply, eventLoop: loop)
        center(run.request, call) { answer in
            if loop.inEventLoop { reply.value(answer) } else { loop.execute { reply.value(answer) } }
        }
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

    /// Those that wait go first, so that none of them is handed over in the place of another.
    private func cancel(_ runs: [ActiveRun], _ detail: String) {
        for run in inOrder(runs.filter { $0.carrier == nil }) { cancel(run, detail) }
        for run in inOrder(runs.filter { $0.carrier != nil }) { cancel(run, detail) }
    }

    private func cancel(_ run: ActiveRun, _ detail: String) {
        // Only the return of `didReceive` was still waited for.
        if run.isAnswered { return finish(run, .answered, "") }
        if let carrier = run.carrier { carrier.giveUp(run, .cancelled, detail) }
        // What is cancelled is not waited for.
        finish(run, .cancelled, detail)
    }

    private func inOrder(_ runs: some Collection<ActiveRun>) -> [ActiveRun] { runs.sorted { $0.number < $1.number } }

    /// Reports a run; a run that has been reported stays as it is.
    func finish(_ run: ActiveRun, _ end: ExtensionRun.End, _ detail: String) {
        if case .over = run.phase { return }
        switch run.phase {
        case .expiring(let timer), .answered(let timer): timer.cancel()
        case .waiting, .starting, .working, .timeIsUp, .over: break
        }
        run.phase = .over
        runs[run.number] = nil
        board.set(due: nil, run: run.number)
        run.record.end = end
        run.record.detail = detail
        run.record.endedAt = max(now(), run.record.startedAt)
        if run.record.answer == nil, end == .expired, let attempt = run.bestAttempt {
            (run.record.answer, run.record.answerSource) = (attempt, .bestAttempt)
        }
        run.carrier?.complete(&run.record)
        run.carrier?.letGo(run)
        run.carrier = nil
        run.addFindings(settings: board.settings)
        report(run.request, run.record)
        apps[run.request.app.bundleID]?.hasEnded(run)
    }

    // MARK: Time

    func settle(at instant: Instant) {
        for number in board.takeDue(upTo: instant) {
            if let run = runs[number] { settle(run, at: instant) }
        }
    }

    // MARK: Processes

    /// Whether one more process may be started; if not, the app is woken when there is room.
    func claimProcess(for queue: AppQueue) -> Bool {
        if processCount < board.settings.maximumProcesses {
            processCount += 1
            return true
        }
        if !hungry.contains(where: { $0 === queue }) { hungry.append(queue) }
        // An idle process gives its place to who needs one.
        let idle = apps.values.compactMap(\.idleProcess).min { $0.number < $1.number }
        idle?.retire()
        return false
    }

    /// Whether an app waits for another's process to end.
    var isProcessWanted: Bool { !hungry.isEmpty }

    /// A process has ended, or could not be started.
    func returnProcess() {
        processCount -= 1
        while processCount < board.settings.maximumProcesses, let queue = hungry.popFirst() { queue.advance() }
        endIfPossible()
    }

    /// What starts programs.
    func startedWorkshop() throws(LaunchError) -> ProcessLauncher {
        if let workshop { return workshop }
        let made = try ProcessLauncher()
        workshop = made
        return made
    }

    /// An app without requests and processes is forgotten.
    func forget(_ queue: AppQueue) { apps[queue.app] = nil }

    // MARK: The end

    func stop(_ promise: EventLoopPromise<Void>) {
        stopping = (stopping ?? []) + [promise]
        cancel(Array(runs.values), "the gateway is stopping")
        for queue in apps.values { queue.endAll() }
        endIfPossible()
    }

    private func endIfPossible() {
        guard let promises = stopping, processCount == 0 else { return }
        workshop?.stop()
        workshop = nil
        stopping = []
        for promise in promises { promise.succeed() }
    }
}

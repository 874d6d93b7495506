internal import APNs
internal import DeviceModel
internal import NIOCore

/// An app's requests, in the order of their arrival, and the processes that work on them.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class AppQueue {
    let app: String
    private unowned let core: HostCore
    /// Those that were cancelled are dropped when their turn comes.
    private(set) var waiting: CircularBuffer<ActiveRun> = []
    private var activeCount = 0
    /// In the order of their launch; all but the last take no more requests.
    private(set) var processes: [ExtensionProcess] = []
    private var isAdvancing = false

    init(app: String, core: HostCore) {
        self.app = app
        self.core = core
    }

    /// The process that has no request, unless one is about to start.
    var idleProcess: ExtensionProcess? {
        waiting.isEmpty ? processes.last.flatMap { $0.isIdle ? $0 : nil } : nil
    }

    func submit(_ run: ActiveRun) {
        waiting.append(run)
        advance(submittedAt: run.submittedAt)
    }

    /// - Parameter wasActive: Whether something worked on the run; if not, it is still among those that wait.
    func hasEnded(_ run: ActiveRun, wasActive: Bool) {
        if wasActive { activeCount -= 1 }
        advance()
    }

    /// A process ended before it had read the request.
    func retry(_ run: ActiveRun) {
        run.takeBack()
        activeCount -= 1
        waiting.prepend(run)
    }

    func hasEnded(_ process: ExtensionProcess) {
        processes.removeAll { $0 === process }
        core.returnProcess()
        advance()
    }

    /// Asks the processes that have nothing to do to end, and kills the others.
    func endAll() {
        for process in processes {
            if process.endsWithItsInput { process.retire() } else { process.kill(.init(end: .cancelled, detail: "")) }
        }
    }

    /// Starts as many requests as may run.
    ///
    /// - Parameter submittedAt: When the first request's time begins: its submission if it did not have to wait.
    func advance(submittedAt: Instant? = nil) {
        if isAdvancing { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while let run = waiting.first {
            if case .over = run.phase {
                waiting.removeFirst()
                continue
            }
            guard activeCount < max(1, run.service.parallel), let carrier = carrier(for: run) else { break }
            waiting.removeFirst()
            activeCount += 1
            carrier.start(run, at: submittedAt ?? core.now())
        }
        if core.isProcessWanted { idleProcess?.retire() }
        if waiting.isEmpty, activeCount == 0, processes.isEmpty { core.forget(self) }
    }

    /// What works on the next request; nil while there is no room for a process.
    private func carrier(for run: ActiveRun) -> (any Carrier)? {
        if run.service.kind == .http { return HTTPExchange(run, core: core) }
        if let process = processes.last, process.takesRequests {
            if process.service == run.service { return process }
            // The app was changed.
            process.retire()
        }
        guard core.claimProcess(for: self) else { return nil }
        let process = ExtensionProcess(service: run.service, queue: self, core: core)
        processes.append(process)
        return process
    }
}

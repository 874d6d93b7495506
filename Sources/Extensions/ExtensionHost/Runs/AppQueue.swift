internal import DeviceModel
internal import NIOCore
internal import Time

/// An app's requests in order of arrival, and its processes. Owned by the host's event loop.
final class AppQueue {
    let app: String
    private unowned let core: HostCore
    /// Includes cancelled runs until they reach the front.
    private(set) var waiting: CircularBuffer<ActiveRun> = []
    private var activeCount = 0
    /// In launch order; only the last may take requests.
    private(set) var processes: [ExtensionProcess] = []
    private var isAdvancing = false

    init(app: String, core: HostCore) {
        self.app = app
        self.core = core
    }

    /// The process to retire for another app; nil while requests wait.
    var idleProcess: ExtensionProcess? {
        waiting.isEmpty ? processes.last.flatMap { $0.isIdle ? $0 : nil } : nil
    }

    func submit(_ run: ActiveRun) {
        waiting.append(run)
        advance(submittedAt: run.submittedAt)
    }

    /// - Parameter wasActive: false if the run is still in `waiting`.
    func runDidEnd(wasActive: Bool) {
        if wasActive { activeCount -= 1 }
        advance()
    }

    /// Called when a process ends without having read the request.
    func retry(_ run: ActiveRun) {
        run.resetForRetry()
        activeCount -= 1
        waiting.prepend(run)
    }

    func didEnd(_ process: ExtensionProcess) {
        processes.removeAll { $0 === process }
        core.returnProcess()
        advance()
    }

    func endAll() {
        for process in processes {
            if process.endsWithItsInput { process.retire() } else { process.kill(.init(end: .cancelled, detail: "")) }
        }
    }

    /// - Parameter submittedAt: When time starts for a request that did not have to wait.
    func advance(submittedAt: Instant? = nil) {
        if isAdvancing { return }
        isAdvancing = true
        defer { isAdvancing = false }
        while let run = waiting.first {
            if run.isOver {
                waiting.removeFirst()
                continue
            }
            guard activeCount < max(1, run.service.parallel), let runner = runner(for: run) else { break }
            waiting.removeFirst()
            activeCount += 1
            runner.start(run, at: submittedAt ?? core.now())
        }
        if core.isProcessWanted { idleProcess?.retire() }
        if waiting.isEmpty, activeCount == 0, processes.isEmpty { core.forget(self) }
    }

    /// nil while the process limit is reached.
    private func runner(for run: ActiveRun) -> (any Runner)? {
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

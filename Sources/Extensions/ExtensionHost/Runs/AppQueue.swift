internal import APNs
internal import DeviceModel
internal import NIOCore

/// An app's requests, in the order of their arrival, and what works on them.
///
/// - Note: Not `Sendable`; the host's event loop owns it.
final class AppQueue {
    let app: String
    private unowned let core: HostCore
    /// Those that were cancelled are dropped when their turn comes.
    private var waiting: CircularBuffer<ActiveRun> = []
    private var activeCount = 0
    /// In the order of their launch; all but the last take no more requests.
    private var processes: [ExtensionProcess] = []
    private var isAdvancing = false

    init(app: String, core: HostCore) {
        self.app = app
        self.core = core
    }

    private(set) var waitingCount = 0

    /// The process that has nothing to do, unless somebody is about to ask it.
    var idleProcess: ExtensionProcess? {
        waiting.isEmpty ? processes.last.flatMap { $0.isIdle ? $0 : nil } : nil
    }

    func submit(_ run: ActiveRun) {
        waiting.append(run)
        waitingCount += 1
        advance(submittedAt: run.submittedAt)
    }

    func hasEnded(_ run: ActiveRun) {
        if run.wasHandedOver {
            run.wasHandedOver = false
            activeCount -= 1
        } else {
            waitingCount -= 1
        }
        advance()
    }

    /// A process ended before it had read the request.
    func retry(_ run: ActiveRun) {
        run.takeBack()
        activeCount -= 1
        waiting.prepend(run)
        waitingCount += 1
    }

    func hasEnded(_ process: ExtensionProcess) {
        processes.removeAll { $0 === process }
        core.returnProcess()
        advance()
    }

    /// Ends all processes: those with nothing to do in good order, also those that are ending already.
    func endAll() {
        for process in processes {
            if process.endsInGoodOrder { process.retire() } else { process.kill(.init(end: .cancelled, detail: "")) }
        }
    }

    /// Hands over what can be.
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
            guard activeCount < max(1, run.service.parallel), let handOver = handOver(run.service) else { break }
            waiting.removeFirst()
            waitingCount -= 1
            activeCount += 1
            run.wasHandedOver = true
            handOver(run, submittedAt ?? core.now())
        }
        processes.last?.publish()
        if core.isProcessWanted { idleProcess?.retire() }
        if waiting.isEmpty, activeCount == 0, processes.isEmpty { core.forget(self) }
    }

    /// How the next request gets to the extension; nil while there is no room for a process.
    private func handOver(_ service: ServiceExtension) -> ((ActiveRun, Instant) -> Void)? {
        if service.kind == .http {
            return { [core] run, instant in HTTPExchange(run, core: core).start(at: instant) }
        }
        if let process = processes.last, process.takesRequests {
            if process.service == service { return { process.take($0, at: $1) } }
            // The app was changed.
            process.retire()
        }
        guard core.claimProcess(for: self) else { return nil }
        let process = ExtensionProcess(app: app, service: service, queue: self, core: core)
        processes.append(process)
        return { run, instant in
            process.take(run, at: instant)
            process.launch()
        }
    }
}

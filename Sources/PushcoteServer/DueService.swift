internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// Runs due events of devices on time, without waiting for a request.
struct DueService: NamedService {
    let gateway: Gateway
    let loop: any EventLoop

    func run() async throws {
        let alarm = DueAlarm(gateway: gateway, loop: loop)
        alarm.set()
        for await _ in gateway.simulator.dueChanges.cancelOnGracefulShutdown() { alarm.set() }
        alarm.end()
    }
}

/// A timer for the next due event of all devices; active while the clock follows real time.
private final class DueAlarm: Sendable {
    private enum State {
        case idle, ended
        case set(Scheduled<Void>)
    }

    private let gateway: Gateway
    private let loop: any EventLoop
    private let state = Mutex(State.idle)

    /// One day in milliseconds; a later due time takes several timers.
    private static let longest: Int64 = 86_400_000

    init(gateway: Gateway, loop: any EventLoop) {
        self.gateway = gateway
        self.loop = loop
    }

    func set() {
        state.withLock { state in
            // Read under the lock, so that the last call uses the latest state.
            let due = gateway.clock.mode == .real ? gateway.nextDue : nil
            let now = gateway.now()
            if case .ended = state { return }
            if case .set(let timer) = state { timer.cancel() }
            state = .idle
            guard let due else { return }
            let delay = min(max(0, due.milliseconds(since: now)), Self.longest)
            state = .set(loop.scheduleTask(in: .milliseconds(delay)) { self.ring() })
        }
    }

    func end() {
        state.withLock { state in
            if case .set(let timer) = state { timer.cancel() }
            state = .ended
        }
    }

    private func ring() {
        gateway.runDue()
        set()
    }
}

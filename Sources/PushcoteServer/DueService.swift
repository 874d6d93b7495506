internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// Runs what is due on devices on time, without a request.
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

/// One timer for the next due time of all devices, while the clock is real.
private final class DueAlarm: Sendable {
    private enum State {
        case idle, ended
        case set(Scheduled<Void>)
    }

    private let gateway: Gateway
    private let loop: any EventLoop
    private let state = Mutex(State.idle)

    /// The longest timer in milliseconds: a day, so that no date is too far.
    private static let longest: Int64 = 86_400_000

    init(gateway: Gateway, loop: any EventLoop) {
        self.gateway = gateway
        self.loop = loop
    }

    /// Schedules the timer anew.
    func set() {
        state.withLock { state in
            // Read under the lock, so that the last call has the latest state.
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

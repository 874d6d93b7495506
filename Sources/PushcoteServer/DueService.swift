internal import APNs
internal import DeviceSimulator
package import Gateway
package import NIOCore
internal import ServiceLifecycle
internal import Synchronization

/// Lets what is due on the devices happen when its time comes, so that who waits for it need not ask.
package struct DueService: NamedService {
    private let gateway: Gateway
    private let loop: any EventLoop

    package init(gateway: Gateway, loop: any EventLoop) {
        self.gateway = gateway
        self.loop = loop
    }

    package func run() async throws {
        let alarm = DueAlarm(gateway: gateway, loop: loop)
        alarm.set()
        for await _ in gateway.simulator.dueChanges.cancelOnGracefulShutdown() { alarm.set() }
        alarm.end()
    }
}

/// One timer for the next thing that is due on any device while the clock is real.
private final class DueAlarm: Sendable {
    private enum State {
        case idle, ended
        case set(Scheduled<Void>)
    }

    private let gateway: Gateway
    private let loop: any EventLoop
    private let state = Mutex(State.idle)

    /// The longest a timer runs, so that no date is too far for it: a day.
    private static let longest: Int64 = 86_400_000

    init(gateway: Gateway, loop: any EventLoop) {
        self.gateway = gateway
        self.loop = loop
    }

    /// Follows what is due next by now.
    func set() {
        state.withLock { state in
            // Looked up in here: whoever comes last knows most.
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

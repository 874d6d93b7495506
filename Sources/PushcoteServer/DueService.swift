internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import NIOCore
internal import ServiceLifecycle

/// Runs due events of devices on time, without waiting for a request.
struct DueService: NamedService {
    let gateway: Gateway
    let loop: any EventLoop

    /// One day in milliseconds; a later due time takes several timers.
    private static let longestDelay: Int64 = .day

    func run() async throws {
        var timer: Scheduled<Void>?
        // Sets the first timer.
        gateway.simulator.clockChanged()
        for await _ in gateway.simulator.dueChanges.cancelOnGracefulShutdown() {
            timer?.cancel()
            timer = schedule()
        }
        timer?.cancel()
    }

    /// Schedules the next due event of all devices; nil while the clock is manual.
    private func schedule() -> Scheduled<Void>? {
        guard let due = gateway.nextDue, let delay = gateway.clock.delay(until: due) else { return nil }
        return loop.scheduleTask(in: .milliseconds(min(delay, Self.longestDelay))) {
            Task {
                await gateway.runDue()
                gateway.simulator.clockChanged()
            }
        }
    }
}

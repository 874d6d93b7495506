internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Logging
internal import NIOCore
internal import ServiceLifecycle

/// Logs one line per push up to a limit per second, and counts the rest. Follows the request log, so that formatting
/// does not delay pushes.
struct PushLog: NamedService {
    static let linesPerSecond = 20

    let gateway: Gateway
    let logger: Logger
    let loop: any EventLoop

    func run() async throws { await cancelWhenGracefulShutdown { await follow() } }

    private func follow() async {
        var seen = gateway.requestLog.counts
        var window = ContinuousClock.now
        var lines = 0
        // Notifications logged while their service extension was running.
        var unfinished: [UInt64] = []
        var latest: UInt64
        repeat {
            // Before the page, so that no change is missed.
            latest = gateway.requestLog.changeCount
            if window.duration(to: .now) > .seconds(1) { (window, lines) = (.now, 0) }
            let page = gateway.requestLog.page(since: seen.total, limit: Self.linesPerSecond - lines + 1)
            for record in page.items.prefix(Self.linesPerSecond - lines) {
                logger.info("\(gateway.sentence(of: record))")
                seen.add(record.outcome)
                seen.total = record.number
                lines += 1
                if let notification = gateway.notification(of: record), notification.state == .accepted {
                    unfinished.append(notification.sequence)
                }
            }
            unfinished.removeAll { number in
                guard let notification = gateway.simulator.notification(number) else { return true }
                guard notification.state != .accepted else { return false }
                logger.info("\(notification.sentence)")
                return true
            }
            if lines == Self.linesPerSecond {
                await pause(until: window + .seconds(1))
                let counts = gateway.requestLog.counts
                if counts.total > seen.total { logger.info("\(counts.difference(from: seen))") }
                seen = counts
            } else {
                seen.total = max(seen.total, page.next)
            }
        } while await gateway.requestLog.change(after: latest, .pushLog)
    }

    /// Ends early at a graceful shutdown.
    private func pause(until end: ContinuousClock.Instant) async {
        let timer = loop.scheduleTask(in: TimeAmount(ContinuousClock.now.duration(to: end))) {}
        await withGracefulShutdownHandler {
            try? await timer.futureResult.get()
        } onGracefulShutdown: {
            timer.cancel()
        }
    }
}

extension RequestCounts {
    /// Such as `4321 more pushes: 4300 accepted, 21 BadDeviceToken`.
    fileprivate func difference(from earlier: Self) -> String {
        let rejected = refused.map { ($0.key.rawValue, $0.value - (earlier.refused[$0.key] ?? 0)) }
            .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
        let parts =
            [("accepted", accepted - min(accepted, earlier.accepted))] + rejected + [
                ("with a fault rule", handledByFault - earlier.handledByFault),
                ("with too large headers", oversized - earlier.oversized),
            ]
        let text = parts.filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
        return "\(total - earlier.total) more pushes: \(text)"
    }
}

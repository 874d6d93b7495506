package import DeviceModel
package import DeviceSimulator
package import Fields
internal import ServiceLifecycle
package import Time

/// Reads the events of changed devices and sends them to the webhooks, while there are any.
package final class WebhookService: Service, CustomStringConvertible {
    /// Changes within this time are read together.
    private static let pace = Duration.milliseconds(10)

    private let table: WebhookTable
    private let simulator: DeviceSimulator
    private let keeper: JournalKeeper?
    private let delays: [Duration]
    private let now: @Sendable () -> Instant
    private let body: @Sendable (DeviceEvent, _ device: String) -> [UInt8]
    private let listeners: @Sendable () -> [HostPort]
    private let clock = ContinuousClock()
    private let trust = WebhookTrust()

    /// - Parameters:
    ///   - keeper: the simulator's journal: events are sent once they are on disk.
    ///   - delays: before each further attempt of a delivery.
    ///   - now: the devices' time.
    ///   - listeners: the gateway's own addresses, to which nothing is sent.
    ///   - body: the body of a webhook without a template.
    package init(
        _ table: WebhookTable, _ simulator: DeviceSimulator, keeper: JournalKeeper?,
        delays: [Duration] = WebhookDelivery.retryDelays, now: @escaping @Sendable () -> Instant,
        listeners: @escaping @Sendable () -> [HostPort] = { [] },
        body: @escaping @Sendable (DeviceEvent, _ device: String) -> [UInt8]
    ) {
        (self.table, self.simulator, self.keeper) = (table, simulator, keeper)
        (self.delays, self.now, self.body) = (delays, now, body)
        self.listeners = listeners
    }

    package var description: String { "WebhookService" }

    package func run() async throws {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.read() }
            for await _ in table.sendable.stream.cancelOnGracefulShutdown() {
                trust.read(table.authorities)
                catchUp()
                while let job = table.next() { group.addTask { await self.deliver(job) } }
            }
            group.cancelAll()
        }
    }

    // MARK: Reading

    private func read() async {
        for await _ in table.starts.stream.cancelOnGracefulShutdown() {
            while !table.isEmpty, !Task.isCancelled {
                // Before reading, so that no change is missed.
                let count = simulator.changeCount
                await readUnread()
                await simulator.awaitChange(
                    after: count, .init(device: nil, topic: nil, isPoll: false), for: .seconds(10))
                try? await clock.sleep(for: Self.pace)
            }
        }
    }

    private func readUnread() async {
        let unread = simulator.takeUnread()
        for device in unread.devices {
            let (events, life) = await writtenEvents(of: device, in: unread)
            table.enqueue(events, on: device, in: life)
        }
    }

    /// Reads again what a webhook had no room for: each has its own place, so a slow receiver delays no other.
    private func catchUp() {
        while let place = table.nextPlace() {
            let gap = place.gap
            table.fill(
                place,
                with: simulator.readAgain(place.device, after: gap.first, through: gap.last, in: gap.life))
        }
    }

    /// Only events on disk, which a crash cannot undo.
    private func writtenEvents(of device: String, in unread: UnreadEvents) async -> (
        events: [DeviceEvent], life: DeviceLife
    ) {
        guard let keeper else { return simulator.readEvents(of: device, in: unread) }
        while true {
            let rollbackCount = keeper.rollbackCount
            let read = simulator.readEvents(of: device, in: unread)
            // After a rollback, fewer are left.
            if await keeper.awaitOutcome(since: rollbackCount) == .written || Task.isCancelled { return read }
        }
    }

    // MARK: Sending

    private func deliver(_ job: WebhookTable.Job) async {
        let delivery = job.delivery
        let request = WebhookRequest(
            webhook: job.webhook, number: job.number, delivery: delivery,
            standardBody: body(delivery.event, delivery.device), trust: trust, listeners: listeners())
        let outcome = await request.send()
        guard let delay = table.finish(job, outcome, delays: delays) else { return report(job) }
        if (try? await clock.sleep(for: delay)) != nil { table.retry(job) }
    }

    /// Logs a delivery's result in its device's event log, unless the webhook was deleted.
    private func report(_ job: WebhookTable.Job) {
        guard let record = table.record(of: job) else { return }
        let result = WebhookResult(
            webhook: job.webhook.name, delivery: record.id, number: record.number, event: record.event,
            app: job.delivery.event.app, attempts: record.attempts, error: record.error)
        simulator.log(result, on: record.device, in: job.delivery.life, at: now())
    }
}

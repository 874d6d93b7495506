import APNs
import DeviceModel
import DeviceSimulator
import Fields
import JSON
import Logging
import NIOCore
import ServiceLifecycle
import Testing
import Time

@testable import Webhooks

/// Delivery of device events to a receiver.
@Suite(.timeLimit(.minutes(5))) struct WebhookServiceTests {
    private let simulator = DeviceSimulator { request in
        let text = "\(request.device)/\(request.topic)/\(request.generation)"
        return DeviceToken(bytes: Array(text.utf8.prefix(200)))!
    }

    private let now = Instant(milliseconds: 1_800_000_000_000)

    private func webhook(_ receiver: Receiver, _ edit: (inout Webhook) -> Void = { _ in }) -> Webhook {
        var webhook = Webhook()
        (webhook.name, webhook.url) = ("hook", "http://127.0.0.1:\(receiver.port)/hook")
        webhook.body = "{device} {event} {token} {replaces}"
        webhook.events = [.kind(.tokenIssued)]
        edit(&webhook)
        return webhook
    }

    @discardableResult
    private func register(_ device: String = "phone", topic: String = "com.example.app") throws -> DeviceToken {
        try simulator.register(device: device, topic: topic, environment: .sandbox, kind: .app, at: now).token
    }

    /// Runs the service while the body runs.
    private func running<Result: Sendable>(
        _ table: WebhookTable, delays: [Duration] = [.milliseconds(1), .milliseconds(1)],
        listeners: [HostPort] = [],
        _ body: @Sendable () async throws -> Result
    ) async throws -> Result {
        let service = WebhookService(
            table, simulator, keeper: nil, delays: delays, now: { [now] in now }, listeners: { listeners }
        ) {
            event, device in
            Array("\(device) \(event.kind) \(event.number)".utf8)
        }
        let group = ServiceGroup(services: [service], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let result = try await body()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            return result
        }
    }

    private func makeTable(queueCapacity: Int = WebhookTable.standardQueueCapacity) -> WebhookTable {
        WebhookTable(queueCapacity: queueCapacity) { [simulator] isFollowed in simulator.followEvents(isFollowed) }
    }

    @Test func forwardsEachTokenOnceAndInOrder() async throws {
        try await Receiver.with { receiver in
            let table = makeTable()
            try register("before")
            try table.set(webhook(receiver))
            let first = try register()
            try await running(table) {
                #expect(await receiver.bodies(1) == ["phone tokenIssued \(first.hex) "])
                // The same token is returned, which is not an event.
                try register()
                try simulator.remove(first, at: now)
                let second = try register()
                #expect(await receiver.bodies(2).last == "phone tokenIssued \(second.hex) \(first.hex)")
                await finish(2, in: table)
            }
            #expect(table.status("hook")?.counts.delivered == 2)
        }
    }

    @Test func givesUpAndReports() async throws {
        try await Receiver.with(statuses: Array(repeating: 500, count: 3) + [302, 200]) { receiver in
            let table = makeTable()
            try table.set(webhook(receiver))
            for number in 1...3 { try register(topic: "com.example.app\(number)") }
            try await running(table) {
                _ = await receiver.bodies(5)
                await finish(3, in: table)
                let status = try #require(table.status("hook"))
                let counts = status.counts
                #expect((counts.delivered, counts.failed, counts.dropped) == (1, 2, 0))
                #expect(status.recent.map(\.attempts) == [3, 1, 1])
                #expect(
                    status.recent.map(\.error) == [
                        "answered 500", "answered 302; redirects are not followed", nil,
                    ])
                let results = await results(3)
                #expect(results.map { $0.details["outcome"] } == ["failed", "failed", "delivered"].map { .string($0) })
                #expect(results.map { $0.details["attempts"] } == [.integer(3), .integer(1), .integer(1)])
                #expect(results.last?.details["delivery"] == status.recent.last.map { .string($0.id) })
                #expect(results.map(\.app) == (1...3).map { "com.example.app\($0)" })
            }
        }
    }

    @Test("delivery results are never sent, even to a webhook for all events") func doesNotSendResults() async throws {
        try await Receiver.with { receiver in
            let table = makeTable()
            try table.set(webhook(receiver) { $0.events = [] })
            try register()
            try await running(table) {
                _ = await results(1)
                try register(topic: "com.example.other")
                #expect(await receiver.bodies(2).count == 2)
                _ = await results(2)
            }
            #expect(table.status("hook")?.counts.delivered == 2)
            #expect(EventSelector("webhookResult") == nil)
        }
    }

    @Test("a delivery's result is no event of a device or state that followed", arguments: [true, false])
    func reportsToItsDevice(_ isLoaded: Bool) async throws {
        try await Receiver.with(habit: .silent) { receiver in
            let table = makeTable()
            try table.set(webhook(receiver) { $0.timeout = .seconds(1) })
            try register()
            let state = simulator.snapshot()
            try await running(table, delays: []) {
                _ = await receiver.bodies(1)
                if isLoaded {
                    try simulator.load(state)
                } else {
                    #expect(simulator.deleteDevice(named: "phone"))
                    try register()
                }
                await finish(isLoaded ? 1 : 2, in: table)
            }
            let ids = try #require(table.status("hook")?.recent.map(\.id))
            #expect(Set(ids).count == ids.count)
            let results = simulator.events(EventQuery(device: "phone", kinds: [.webhookResult])).items
            #expect(results.map { $0.details["delivery"] } == ids.dropFirst().map { .string($0) })
        }
    }

    private func results(_ count: Int) async -> [DeviceEvent] {
        let query = EventQuery(device: "phone", kinds: [.webhookResult], limit: .max)
        while simulator.events(query).items.count < count, !Task.isCancelled { await Task.yield() }
        return simulator.events(query).items
    }

    /// Returns once the given number of deliveries have finished.
    private func finish(_ count: Int, in table: WebhookTable) async {
        while (table.status("hook")?.recent.count ?? 0) < count, !Task.isCancelled { await Task.yield() }
    }

    @Test(
        "a receiver that hangs, answers 1 GiB, closes or does not exist fails the delivery",
        arguments: Receiver.Habit.allCases)
    func bearsHostileReceivers(_ habit: Receiver.Habit) async throws {
        try await Receiver.with(habit: habit) { receiver in
            let table = makeTable()
            // Only a silent receiver is to run out of time.
            try table.set(webhook(receiver) { $0.timeout = .seconds(habit == .silent ? 2 : 50) })
            try register()
            try await running(table) { await finish(1, in: table) }
            let status = try #require(table.status("hook"))
            #expect(status.recent.first?.error == habit.error)
            #expect(receiver.sentByteCount < 64 << 20)
        }
    }

    @Test func aHangingReceiverDoesNotDelayShutdown() async throws {
        try await Receiver.with(habit: .silent) { receiver in
            let table = makeTable()
            try table.set(webhook(receiver) { $0.timeout = .seconds(3600) })
            try register()
            try await running(table) { _ = await receiver.bodies(1) }
        }
    }

    @Test func theQueueIsBoundedWhileTheReceiverFails() async throws {
        try await Receiver.with(habit: .silent) { receiver in
            let table = makeTable(queueCapacity: 20)
            try table.set(webhook(receiver) { $0.timeout = .milliseconds(20) })
            for number in 0..<40 { try register("phone\(number)") }
            try await running(table, delays: [.seconds(60)]) {
                while (table.status("hook")?.counts.dropped ?? 0) == 0, !Task.isCancelled { await Task.yield() }
                #expect((table.status("hook")?.counts.pending ?? 0) <= 20)
            }
        }
    }

    @Test func aFullQueueOfAReceiverThatAnswersLosesNothing() async throws {
        try await Receiver.with { receiver in
            let table = makeTable(queueCapacity: 20)
            try table.set(webhook(receiver) { $0.body = "{device}" })
            let names = (0..<40).map { "phone\($0)" }
            for name in names { try register(name) }
            try await running(table) {
                let bodies = await receiver.bodies(names.count)
                #expect(Set(bodies) == Set(names))
            }
            #expect(table.status("hook")?.counts.dropped == 0)
        }
    }

    @Test func aSlowReceiverDelaysNoOther() async throws {
        try await Receiver.with(habit: .silent) { slow in
            try await Receiver.with { fast in
                let table = makeTable(queueCapacity: 5)
                try table.set(webhook(slow) { ($0.name, $0.timeout) = ("slow", .seconds(3600)) })
                try table.set(webhook(fast) { ($0.name, $0.body) = ("fast", "{device} {topic}") })
                try await running(table) {
                    for round in 1...3 {
                        for phone in 0..<20 { try register("phone\(phone)", topic: "com.example.app\(round)") }
                        #expect(Set(await fast.bodies(20 * round)).count == 20 * round)
                    }
                    let counts = try #require(table.status("slow")?.counts)
                    #expect((counts.pending, counts.delivered, counts.dropped) == (5, 0, 0))
                }
            }
        }
    }

    @Test func aSlowReceiverGetsWhatItHadNoRoomForInOrder() async throws {
        try await Receiver.with { receiver in
            let table = makeTable(queueCapacity: 2)
            try table.set(webhook(receiver) { $0.body = "{device} {topic}" })
            let topics = (1...30).map { "com.example.app\($0)" }
            try await running(table) {
                // New events come while older ones are read again.
                for topic in topics {
                    for phone in ["a", "b", "c"] { try register(phone, topic: topic) }
                    await Task.yield()
                }
                let bodies = await receiver.bodies(90)
                for phone in ["a", "b", "c"] {
                    #expect(bodies.filter { $0.hasPrefix(phone) } == topics.map { "\(phone) \($0)" })
                }
            }
            #expect(table.status("hook")?.counts.dropped == 0)
        }
    }

    @Test func aGapEndsWithItsDeviceAndItsState() throws {
        let table = makeTable(queueCapacity: 1)
        var webhook = Webhook()
        (webhook.name, webhook.url) = ("hook", "http://localhost/")
        try table.set(webhook)
        for number in 1...3 { try register(topic: "com.example.app\(number)") }
        let unread = simulator.takeUnread()
        func enqueue(_ unread: UnreadEvents) {
            let (events, life) = simulator.readEvents(of: "phone", in: unread)
            table.enqueue(events, on: "phone", in: life)
        }
        enqueue(unread)
        #expect(table.status("hook")?.counts.pending == 1)
        #expect(table.nextPlace() == nil, "the queue is full")
        let job = try #require(table.next())
        #expect(table.finish(job, .accepted(status: 200), delays: []) == nil)
        let place = try #require(table.nextPlace())
        #expect((place.gap.first, place.gap.last) == (1, 3))
        // A device of the same name begins at 1, and has nothing to do with the gap.
        #expect(simulator.deleteDevice(named: "phone"))
        for number in 1...2 { try register(topic: "com.example.app\(number)") }
        #expect(simulator.readAgain("phone", after: 0, through: 3, in: place.gap.life) == [])
        enqueue(simulator.takeUnread())
        table.fill(place, with: [])
        let second = try #require(table.next())
        #expect(table.finish(second, .accepted(status: 200), delays: []) == nil)
        let new = try #require(table.nextPlace())
        #expect((new.gap.first, new.gap.last) == (1, 2))
        try simulator.load(simulator.snapshot())
        let left = simulator.readAgain("phone", after: 1, through: 2, in: new.gap.life)
        #expect(left == [])
        table.fill(new, with: left)
        #expect(table.nextPlace() == nil)
    }

    /// Also one of a file, or of a restored state.
    @Test func nothingIsSentToTheGatewayItself() async throws {
        try await Receiver.with { receiver in
            let table = makeTable()
            try table.set(webhook(receiver))
            try await running(table, listeners: [HostPort(host: "0.0.0.0", port: receiver.port)]) {
                try register()
                while true {
                    let count = simulator.changeCount
                    if table.status("hook")?.recent.isEmpty == false { break }
                    // Its result is an event of the device.
                    await simulator.awaitChange(
                        after: count, .init(device: nil, topic: nil, isPoll: false), for: .seconds(10))
                }
            }
            let status = table.status("hook")
            #expect(status?.counts.failed == 1)
            #expect(status?.lastError?.contains("leads to this gateway itself") == true)
        }
    }

    @Test func withoutAWebhookNothingIsTracked() throws {
        let table = makeTable()
        try register()
        #expect(simulator.takeUnread().devices == [])
        var webhook = Webhook()
        (webhook.name, webhook.url) = ("hook", "http://localhost/")
        #expect(try table.set(webhook))
        try register(topic: "com.example.other")
        #expect(simulator.takeUnread().devices == ["phone"])
        #expect(table.remove { _ in true } == 1)
        try register(topic: "com.example.third")
        #expect(simulator.takeUnread().devices == [])
    }

    @Test func aRecreatedDeviceStartsAgain() throws {
        simulator.followEvents(true)
        for number in 1...3 { try register(topic: "com.example.app\(number)") }
        let unread = simulator.takeUnread()
        #expect(simulator.deleteDevice(named: "phone"))
        try register()
        #expect(simulator.readEvents(of: "phone", in: unread).events.map(\.number) == [1])
        #expect(simulator.takeUnread().devices == [])
    }

    @Test func aLoadedStateIsNotSentAgain() throws {
        simulator.followEvents(true)
        try register()
        let unread = simulator.takeUnread()
        try simulator.load(simulator.snapshot())
        #expect(simulator.readEvents(of: "phone", in: unread).events == [])
        #expect(simulator.takeUnread().devices == [])
    }
}

import DeviceModel
import DeviceSimulator
import Testing
import Time

@testable import Webhooks

@Suite struct WebhookQueueTests {
    private func delivery(_ number: UInt64, on device: String = "phone") -> WebhookDelivery {
        WebhookDelivery(
            DeviceEvent(number: number, at: Instant(milliseconds: 0), kind: .badge), on: device, in: DeviceLife(),
            to: "hook")
    }

    private func next(_ queue: inout WebhookQueue) throws -> WebhookDelivery {
        let delivery = queue.next()
        return try #require(delivery)
    }

    @Test("one device's deliveries are sequential, those of different devices concurrent") func keepsTheOrder() throws {
        var queue = WebhookQueue()
        for number in 1...2 { for device in ["a", "b"] { queue.append(delivery(UInt64(number), on: device)) } }
        let first = try next(&queue)
        let second = try next(&queue)
        #expect([first, second].map(\.device) == ["a", "b"])
        #expect(queue.next() == nil)
        #expect(queue.finish(first, .accepted(status: 204), delays: []) == nil)
        let third = try next(&queue)
        #expect(third.device == "a" && third.event.number == 2)
        #expect(queue.next() == nil)
        #expect(queue.counts == .init(pending: 3, delivered: 1))
    }

    @Test func retriesBeforeTheNextDeliveryAndGivesUp() throws {
        var queue = WebhookQueue()
        queue.append(delivery(1))
        queue.append(delivery(2))
        let delays: [Duration] = [.seconds(1), .seconds(2)]
        for delay in delays {
            let tried = try next(&queue)
            #expect(tried.event.number == 1)
            #expect(queue.finish(tried, .failed("answered 500"), delays: delays) == delay)
            // It waits for a retry, and the next one waits behind it.
            #expect(queue.next() == nil && queue.isFailing)
            queue.retry(tried)
        }
        let last = try next(&queue)
        #expect(queue.finish(last, .failed("answered 503"), delays: delays) == nil)
        #expect(queue.counts == .init(pending: 1, failed: 1) && queue.lastError == "answered 503")
        #expect(queue.recent.map(\.attempts) == [3] && queue.recent[0].error == "answered 503")
        let next = try next(&queue)
        #expect(next.event.number == 2)
        #expect(queue.finish(next, .accepted(status: 200), delays: delays) == nil)
        #expect(queue.counts == .init(delivered: 1, failed: 1) && !queue.isFailing)
    }

    @Test(arguments: [
        (200, true), (204, true), (302, false), (400, false), (404, false), (410, false),
    ]) func finishesAtOnce(_ status: Int, _ isDelivered: Bool) throws {
        var queue = WebhookQueue()
        queue.append(delivery(1))
        let tried = try next(&queue)
        #expect(queue.finish(tried, WebhookOutcome(status), delays: [.seconds(1)]) == nil)
        #expect(queue.counts == .init(delivered: isDelivered ? 1 : 0, failed: isDelivered ? 0 : 1))
        #expect(queue.lastError?.contains("redirects") ?? false == (status == 302))
    }

    @Test(arguments: [408, 425, 429, 500, 503]) func retriesAfter(_ status: Int) {
        #expect(WebhookOutcome(status) == .failed("answered \(status)"))
    }

    @Test func isBounded() {
        var queue = WebhookQueue()
        for number in 0..<UInt64(WebhookTable.standardQueueCapacity + 5) {
            queue.append(delivery(number, on: "\(number)"))
        }
        #expect(queue.counts == .init(pending: WebhookTable.standardQueueCapacity, dropped: 5) && queue.isFull)
        #expect((0..<10).compactMap { _ in queue.next() }.count == WebhookQueue.concurrency)
    }

    @Test func recordsTheLatest() throws {
        var queue = WebhookQueue()
        for number in 1...30 as ClosedRange<UInt64> {
            queue.append(delivery(number))
            let tried = try next(&queue)
            _ = queue.finish(tried, .accepted(status: 200), delays: [])
        }
        #expect(queue.recent.map(\.number) == Array(11...30))
    }
}

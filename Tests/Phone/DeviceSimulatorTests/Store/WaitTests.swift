import DeviceModel
import DeviceSimulator
import SiriModel
import Synchronization
import TestSupport
import Testing
import Time

@Suite(.timeLimit(.minutes(5))) struct WaitTests {
    let simulator = DeviceSimulator.make()
    let phone: Registration
    let tablet: Registration

    init() {
        phone = simulator.registered("Phone")
        tablet = simulator.registered("Tablet")
    }

    /// Starts a wait and returns once it is waiting.
    private func sleeping(
        _ query: NotificationQuery, count: Int = 1, clock: any Clock<Duration> = StoppedClock()
    ) async -> Task<WaitResult<NotificationPage>, Never> {
        let sleepers = simulator.counters.waits
        let task = Task { await simulator.wait(query, count: count, timeout: .seconds(60), clock: clock) }
        while simulator.counters.waits == sleepers, !Task.isCancelled { await Task.yield() }
        return task
    }

    @Test func answersAtOnceIfEnoughMatch() async {
        simulator.push("1", to: phone)
        simulator.push("2", to: phone)
        let result = await simulator.wait(NotificationQuery(), count: 2, timeout: .seconds(60), clock: StoppedClock())
        #expect(result.outcome == .matched)
        #expect(result.page.items.map(\.sequence) == [1, 2])
    }

    @Test func wakesOnArrival() async {
        simulator.push("old", to: phone)
        let wait = await sleeping(NotificationQuery(device: "Phone", since: 1))
        simulator.push("other device", to: tablet)
        simulator.push("new", to: phone)
        let result = await wait.value
        #expect(result.outcome == .matched)
        #expect(result.page.items.map(\.decoded.content.body) == ["new"])
        #expect(result.page.next >= 3)
        #expect(simulator.counters.waits == 0)
    }

    @Test func keepsWaitingIfTheArrivalDoesNotMatch() async {
        let wait = await sleeping(NotificationQuery(text: "yes"))
        for _ in 0..<3 { simulator.push("no", to: phone) }
        simulator.push("yes", to: phone)
        #expect(await wait.value.page.items.map(\.sequence) == [4])
    }

    @Test func countsEvictedNotifications() async {
        let small = DeviceSimulator.make(limits: InboxLimits(perDevice: 1))
        let phone = small.registered("Phone")
        let wait = Task {
            await small.wait(NotificationQuery(), count: 3, timeout: .seconds(60), clock: StoppedClock())
        }
        for number in 1...3 {
            while small.counters.waits == 0, !Task.isCancelled { await Task.yield() }
            small.push("\(number)", to: phone)
        }
        #expect(await wait.value.page.items.map(\.sequence) == [1, 2, 3])
    }

    @Test func checksOnceWithoutATimeout() async {
        simulator.push("1", to: phone)
        let result = await simulator.wait(NotificationQuery(), count: 2, timeout: .zero)
        #expect(result.outcome == .timedOut)
        #expect(result.page.items.count == 1)
    }

    @Test func returnsThePartialResultOnTimeout() async {
        let clock = StoppedClock()
        simulator.push("1", to: phone)
        let wait = await sleeping(NotificationQuery(), count: 2, clock: clock)
        clock.finish()
        let result = await wait.value
        #expect(result.outcome == .timedOut)
        #expect(result.page.items.map(\.sequence) == [1])
        #expect(simulator.counters.waits == 0)
    }

    @Test func endsWhenCancelled() async {
        let wait = await sleeping(NotificationQuery())
        wait.cancel()
        #expect(await wait.value.outcome == .stopped)
        #expect(simulator.counters.waits == 0)
    }

    @Test func endsAllWaitsForShutdown() async {
        let waits = [await sleeping(NotificationQuery()), await sleeping(NotificationQuery(device: "Phone"))]
        simulator.finishWaits()
        for wait in waits { #expect(await wait.value.outcome == .stopped) }
        let late = await simulator.wait(NotificationQuery(), timeout: .seconds(60), clock: StoppedClock())
        #expect(late.outcome == .stopped)
    }

    @Test func wakesForReservationsFromThePersonsOtherDevice() async throws {
        let conditions = DeviceConditions.with { $0.person = "maria" }
        for device in ["Phone", "Tablet"] { try simulator.perform(.conditions(conditions), on: device, at: .at(0)) }
        let query = EventQuery(device: "Tablet", kinds: [.calendarEvent])
        async let found = simulator.waitForEvents(query, count: 1, timeout: .seconds(3600))
        while simulator.counters.waits == 0, !Task.isCancelled { await Task.yield() }
        try simulator.perform(.calendar(.markup(ReservationDonation([.table()]), .mail)), on: "Phone", at: .at(0))
        #expect(await found.outcome == .matched)
    }

    @Test func missesNoArrivalBetweenCheckAndWait() async throws {
        let checks = Mutex(0)
        async let result = simulator.wait(
            for: .init(device: nil, topic: nil), timeout: .seconds(60), clock: StoppedClock(),
            read: { [simulator, phone] _ in
                let count = simulator.notifications(NotificationQuery()).items.count
                if count == 0 { simulator.push("after the check", to: phone) }
                checks.withLock { $0 += 1 }
                return count
            }, until: { $0 == 1 })
        try await Patience.wait(for: "a second check") { checks.withLock { $0 } == 2 }
        #expect(await result.outcome == .matched)
    }
}

/// A stopped clock; its sleepers wake when it is finished or they are cancelled.
final class StoppedClock: Clock {
    private struct Sleepers {
        var isFinished = false
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
        var last = 0
    }

    private let sleepers = Mutex(Sleepers())
    private let start = ContinuousClock.now
    /// After `finish`, later than any deadline.
    var now: ContinuousClock.Instant {
        sleepers.withLock { $0.isFinished ? start.advanced(by: .seconds(86_400)) : start }
    }
    let minimumResolution = Duration.zero

    func finish() {
        let woken = sleepers.withLock { sleepers in
            sleepers.isFinished = true
            defer { sleepers.continuations = [:] }
            return Array(sleepers.continuations.values)
        }
        for continuation in woken { continuation.resume() }
    }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let number = sleepers.withLock { sleepers in
            sleepers.last += 1
            return sleepers.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let sleeps = sleepers.withLock { sleepers in
                    guard !sleepers.isFinished, !Task.isCancelled else { return false }
                    sleepers.continuations[number] = continuation
                    return true
                }
                if !sleeps { continuation.resume() }
            }
        } onCancel: {
            sleepers.withLock { $0.continuations.removeValue(forKey: number) }?.resume()
        }
        try Task.checkCancellation()
    }
}

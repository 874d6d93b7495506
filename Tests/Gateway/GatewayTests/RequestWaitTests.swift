import APNs
import DeviceSimulator
import Synchronization
import Testing

@testable import Gateway

/// The request log from the newest on, and waits for requests.
@Suite(.timeLimit(.minutes(5))) struct RequestWaitTests {
    let fixture = GatewayFixture(requestCapacity: 1000)
    private var log: RequestLog { fixture.gateway.requestLog }

    private func push(_ connection: ProviderConnection, isRejected: Bool = false) {
        _ = connection.answer(fixture.push { if isRejected { $0["apns-topic"] = nil } })
    }

    @Test func thePagesGoFromTheNewestToTheOldest() {
        let connection = fixture.connect()
        for number in 1...700 { push(connection, isRejected: number.isMultiple(of: 2)) }
        var seen: [UInt64] = []
        var before = UInt64.max
        while true {
            let page = log.page(before: before, limit: 100) { $0.status == 400 }
            #expect(page.newest == 700 + UInt64(seen.count / 100))
            seen += page.items.map(\.number)
            before = page.next
            guard page.hasMore else { break }
            // Later arrivals are on none of the following pages.
            push(connection, isRejected: true)
        }
        #expect(seen == (1...350).reversed().map { 2 * $0 } && before == 0)
        #expect(log.page(before: 1, limit: 10).items.isEmpty && log.page(before: 0, limit: 10).items.isEmpty)
        #expect(log.page(before: .max, limit: 0).items.map(\.number) == [703])
        #expect(log.count() == MatchCount(703))
        #expect(log.count { $0.status == 400 } == MatchCount(353))
    }

    @Test func aFullLogListsItsRecords() {
        let small = GatewayFixture(requestCapacity: 300)
        let connection = small.connect()
        for _ in 1...500 { _ = connection.answer(small.push()) }
        let first = small.gateway.requestLog.page(before: .max, limit: 200)
        #expect(first.items.map(\.number) == (301...500).reversed() && first.hasMore && first.hasGap)
        // The oldest are evicted meanwhile.
        for _ in 1...50 { _ = connection.answer(small.push()) }
        let rest = small.gateway.requestLog.page(before: first.next, limit: 200)
        #expect(rest.items.map(\.number) == (251...300).reversed() && !rest.hasMore && rest.next == 0)
        small.gateway.requestLog.removeAll()
        #expect(small.gateway.requestLog.page(before: .max, limit: 10).items.isEmpty)
        #expect(small.gateway.requestLog.count() == MatchCount(0))
    }

    /// Starts a wait for rejected requests and returns once it is waiting.
    private func sleeping(
        since: UInt64 = 0, count: Int = 1,
        where matches: @escaping @Sendable (RequestRecord) -> Bool = { $0.status == 400 }
    ) async -> Task<WaitResult<RequestPage>, Never> {
        let (log, sleepers) = (log, log.waitCount)
        let task = Task {
            await log.wait(
                since: since, count: count, timeout: .seconds(60), where: matches)
        }
        while log.waitCount == sleepers, !Task.isCancelled { await Task.yield() }
        return task
    }

    @Test func aWaitEndsWithTheLastOfTheCount() async {
        let connection = fixture.connect()
        push(connection, isRejected: true)
        let two = await sleeping(count: 2)
        let next = await sleeping(since: 1)
        push(connection)
        push(connection, isRejected: true)
        #expect(await two.value.page.items.map(\.number) == [1, 3])
        let result = await next.value
        #expect(result.outcome == .matched && result.page.items.map(\.number) == [3])
        #expect(log.waitCount == 0)
    }

    @Test func earlierMatchesCount() async {
        let connection = fixture.connect()
        for _ in 0..<3 { push(connection) }
        let log = log
        let result = await log.wait(since: 0, count: 2, timeout: .seconds(60)) { _ in true }
        #expect(result.outcome == .matched && result.page.items.map(\.number) == [1, 2] && result.page.hasMore)
        let none = await log.wait(since: 3, count: 1, timeout: .zero) { _ in true }
        #expect(none.outcome == .timedOut && none.page.items.isEmpty && none.page.next == 3)
    }

    @Test func aDelayedAnswerEndsAWaitForItsStatus() async {
        let wait = await sleeping { $0.status == 200 }
        let connection = fixture.connect()
        push(connection)
        #expect(await wait.value.page.items.map(\.number) == [1])
        let note = DelayedAnswer(.waiting, at: .start)
        log.record(note, for: 1)
        let answered = await sleeping { $0.status == 200 }
        push(connection, isRejected: true)
        log.record(DelayedAnswer(.sent, at: .start), for: 1)
        #expect(await answered.value.page.items.map(\.number) == [1])
    }

    @Test func aChangeOutsideTheLogShowsInRecordsThatWereRead() async {
        push(fixture.connect())
        let isShown = Mutex(false)
        let wait = await sleeping { _ in isShown.withLock { $0 } }
        isShown.withLock { $0 = true }
        log.changed()
        #expect(await wait.value.page.items.map(\.number) == [1])
    }

    @Test func underLoadAWaitReadsEachFinalRecordOnce() async {
        let connection = fixture.connect()
        for _ in 1...200 { push(connection) }
        log.record(DelayedAnswer(.waiting, at: .start), for: 190)
        let reads = Mutex<[UInt64: Int]>([:])
        let wait = await sleeping {
            let number = $0.number
            reads.withLock { $0[number, default: 0] += 1 }
            return $0.status == 400
        }
        for _ in 1...20 {
            let sleepers = log.waitCount
            push(connection)
            // The wait is pending again before the next push, so that each push wakes it.
            while log.waitCount < sleepers, !Task.isCancelled { await Task.yield() }
        }
        log.record(DelayedAnswer(.sent, at: .start), for: 190)
        push(connection, isRejected: true)
        #expect(await wait.value.page.items.map(\.number) == [221])
        let counts = reads.withLock { $0 }
        #expect((1...189).allSatisfy { counts[$0] == 1 })
        // A pending answer may still match.
        #expect(counts[190, default: 0] > 10)
    }

    @Test func shutdownEndsAllWaitsPresentAndFuture() async {
        let waits = [await sleeping(), await sleeping(since: 7)]
        fixture.gateway.finishWaits()
        for wait in waits { #expect(await wait.value.outcome == .stopped) }
        let log = log
        let late = await log.wait(since: 0, count: 1, timeout: .seconds(60)) { _ in true }
        #expect(late.outcome == .stopped)
        #expect(await fixture.gateway.simulator.wait(NotificationQuery(), timeout: .seconds(60)).outcome == .stopped)
    }

    @Test func cancellingEndsAWait() async {
        let wait = await sleeping()
        wait.cancel()
        #expect(await wait.value.outcome == .stopped)
        #expect(log.waitCount == 0)
    }

    @Test func noArrivalIsMissedBetweenCheckAndWait() async {
        let connection = fixture.connect()
        let log = log
        for round in UInt64(0)..<300 {
            async let result = log.wait(since: round, count: 1, timeout: .seconds(60)) { _ in true }
            push(connection)
            #expect(await result.page.items.map(\.number) == [round + 1])
        }
    }

    @Test func severalReadersFollowTheLog() async {
        let connection = fixture.connect()
        let log = log
        let readers = (0..<3).map { _ in
            Task {
                var cursor: UInt64 = 0
                while cursor < 200 {
                    let changes = log.changeCount
                    let page = log.page(since: cursor, limit: 1000)
                    #expect(page.items.map(\.number) == (cursor..<page.next).map { $0 + 1 })
                    cursor = page.next
                    if cursor < 200 { #expect(await log.change(after: changes, .pushLog)) }
                }
            }
        }
        for number in 0..<200 {
            push(connection)
            if number.isMultiple(of: 10) { await Task.yield() }
        }
        for reader in readers { await reader.value }
    }

    @Test func aDirectPushHasNoProvider() throws {
        _ = fixture.connect().answer(fixture.push())
        _ = try fixture.gateway.push(
            DirectPush("{}".bytes, to: "phone", topic: GatewayFixture.topic, environment: .sandbox))
        #expect(log.page(limit: 10).items.map(\.source) == [.provider, .hand])
    }
}

import APNs
import DeviceModel
import Synchronization
import Testing

@testable import DeviceSimulator

/// Lists with the newest notification first.
@Suite struct NewestTests {
    let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 20_000, total: 20_000))
    let phone: Registration

    init() { phone = simulator.registered("Phone") }

    private func newest(_ limit: Int = 100, before: UInt64 = .max, of simulator: DeviceSimulator? = nil)
        -> NotificationPage
    {
        (simulator ?? self.simulator).notifications(NotificationQuery(before: before, limit: limit))
    }

    /// The numbers of all pages; the body runs after each of them.
    private func pages(of limit: Int, after body: () -> Void = {}) -> [UInt64] {
        var numbers: [UInt64] = []
        var before = UInt64.max
        while true {
            let page = newest(limit, before: before)
            numbers += page.items.map(\.sequence)
            guard page.hasMore else { return numbers }
            before = page.next
            body()
        }
    }

    @Test func thePagesGoFromTheNewestToTheOldest() {
        for number in 1...7 { simulator.push("\(number)", to: phone) }
        let first = newest(3)
        #expect(first.items.map(\.sequence) == [7, 6, 5])
        #expect(first.hasMore && first.next == 5 && first.newest == 7 && !first.hasGap)
        let second = newest(3, before: first.next)
        #expect(second.items.map(\.sequence) == [4, 3, 2] && second.hasMore)
        let last = newest(3, before: second.next)
        #expect(last.items.map(\.sequence) == [1] && !last.hasMore && last.next == 0)
        #expect(!newest(7).hasMore && newest(6).hasMore)
        #expect(newest(before: 100).items.count == 7)
    }

    @Test func aListThroughANumberEndsAtIt() {
        for number in 1...7 { simulator.push("\(number)", to: phone) }
        for device in [nil, "Phone"] {
            let query = NotificationQuery(device: device, since: 2, through: 5, limit: .max)
            #expect(simulator.notifications(query).items.map(\.sequence) == [3, 4, 5])
        }
    }

    @Test func anEmptyListHasNoCursors() {
        #expect(newest().items.isEmpty && newest().newest == 0 && newest().next == 0)
        simulator.push("1", to: phone)
        for before in [UInt64(0), 1] {
            let page = newest(before: before)
            #expect(page.items.isEmpty && !page.hasMore && page.next == 0)
        }
        let nobody = NotificationQuery(device: "Nobody", before: .max)
        #expect(simulator.notifications(nobody).items.isEmpty)
        #expect(simulator.count(nobody) == MatchCount(0))
    }

    @Test func filtersSelectFromTheNewestOn() {
        let tablet = simulator.registered("Tablet", topic: "com.example.pad")
        // More than one batch, the rare match first.
        simulator.push("rare", to: phone)
        for number in 0..<5000 { simulator.push("often", to: number.isMultiple(of: 2) ? phone : tablet) }
        func numbers(_ query: NotificationQuery) -> [UInt64] {
            var query = query
            (query.before, query.limit) = (.max, 2)
            return simulator.notifications(query).items.map(\.sequence)
        }
        #expect(numbers(NotificationQuery(text: "RARE")) == [1])
        #expect(numbers(NotificationQuery(device: "Phone")) == [5000, 4998])
        #expect(numbers(NotificationQuery(topic: "com.example.pad")) == [5001, 4999])
        #expect(numbers(NotificationQuery(state: .delivered)) == [5001, 5000])
        #expect(numbers(NotificationQuery(state: .stored)) == [])
        #expect(numbers(NotificationQuery(timing: .now)) == [5001, 5000])
        #expect(numbers(NotificationQuery(outcome: .alerted)) == [5001, 5000])
        #expect(numbers(NotificationQuery(device: "Tablet", text: "rare")) == [])
    }

    @Test func nothingIsRepeatedOrLostWhileOthersArrive() {
        for number in 1...100 { simulator.push("\(number)", to: phone) }
        let newest = newest(10).newest
        #expect(pages(of: 10) { for _ in 0..<5 { simulator.push("late", to: phone) } } == (1...100).reversed())
        // Later arrivals follow the first page's newest number.
        let late = simulator.notifications(NotificationQuery(since: newest ?? 0, limit: 1000)).items
        #expect(late.map(\.sequence) == Array(101...145))
    }

    @Test func nothingIsRepeatedOrLostWhilePushesComeAtFullSpeed() async {
        for number in 1...3000 { simulator.push("\(number)", to: phone) }
        await withTaskGroup { group in
            group.addTask { for _ in 0..<3000 { simulator.push("late", to: phone) } }
            for _ in 0..<5 {
                let numbers = pages(of: 700)
                #expect(numbers == (1...(numbers.first ?? 0)).reversed())
            }
        }
    }

    @Test func onlyNotificationsEvictedMeanwhileAreMissing() {
        let small = DeviceSimulator.make(limits: InboxLimits(perDevice: 1000, total: 50))
        let phone = small.registered("Phone")
        for number in 1...60 { small.push("\(number)", to: phone) }
        let first = newest(20, of: small)
        #expect(first.items.map(\.sequence) == (41...60).reversed())
        #expect(first.hasGap && first.droppedCount == 10)
        for number in 61...80 { small.push("\(number)", to: phone) }
        let rest = newest(50, before: first.next, of: small)
        #expect(rest.items.map(\.sequence) == (31...40).reversed())
        #expect(!rest.hasMore && small.count(NotificationQuery()) == MatchCount(50))
        for number in 81...200 { small.push("\(number)", to: phone) }
        #expect(newest(50, before: 41, of: small).items.isEmpty)
    }

    @Test func clearedNotificationsAreNotListed() {
        for number in 1...3000 { simulator.push("\(number)", to: phone, id: UInt64(number % 3)) }
        simulator.clear(NotificationQuery(apnsID: APNsID(high: 0, low: 0)))
        #expect(pages(of: 300) == (1...3000).reversed().filter { !$0.isMultiple(of: 3) })
        #expect(simulator.count(NotificationQuery(device: "Phone")) == MatchCount(2000))
    }

    /// The page's cost must not grow with what is stored: the benchmark row "newest 100 of 200,000" measures it.
    @Test func aPageExaminesOnlyWhatItShows() {
        for number in 1...5000 { simulator.push("\(number)", to: phone) }
        for device in [nil, "Phone"] {
            let query = NotificationQuery(device: device, before: .max, limit: 100)
            let batch = simulator.store.withLock { $0.collect(query, from: .max, upTo: 100) }
            #expect(batch.examinedCount == 101)
        }
    }

    @Test func aCountIsExactUpToALimit() {
        #expect(simulator.count(NotificationQuery()) == MatchCount(0))
        let text = NotificationQuery(text: "yes")
        let length = DeviceSimulator.countedTexts
        for _ in 0..<length { simulator.push("yes", to: phone) }
        #expect(simulator.count(text) == MatchCount(length))
        simulator.push("yes", to: phone)
        #expect(simulator.count(text).count == length && !simulator.count(text).isExact)
        #expect(simulator.count(NotificationQuery(device: "Phone")) == MatchCount(length + 1))

        let state = NotificationQuery(device: "Phone", state: .delivered)
        for _ in length..<(DeviceSimulator.countedLength - 1) { simulator.push("no", to: phone) }
        #expect(simulator.count(state) == MatchCount(DeviceSimulator.countedLength))
        simulator.push("no", to: phone)
        #expect(simulator.count(state).count == DeviceSimulator.countedLength && !simulator.count(state).isExact)
        #expect(simulator.count(NotificationQuery()) == MatchCount(DeviceSimulator.countedLength + 1))
    }

    /// The cursors and the limit are the page's, not the count's.
    @Test func aCountCoversAllPages() {
        for _ in 1...30 { simulator.push("x", to: phone) }
        #expect(simulator.count(NotificationQuery(topic: phone.topic, since: 20, limit: 1)) == MatchCount(30))
        #expect(simulator.count(NotificationQuery(topic: phone.topic, before: 5, limit: 1)) == MatchCount(30))
    }
}

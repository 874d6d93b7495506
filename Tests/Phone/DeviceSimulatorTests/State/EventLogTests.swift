import APNs
import DeviceModel
import Testing

@testable import DeviceSimulator

/// The limit of a device's event log, and how evicted entries are reported.
@Suite struct EventLogTests {
    private func entry(_ number: UInt64) -> EventLog.Entry {
        EventLog.Entry(number: number, at: .at(Int64(number)), content: .act(.wake))
    }

    @Test(
        "entries from before the clock went back are as old as the next ones",
        arguments: [(1_000_000, 9, 1), (1_000_000, 10, 6), (8, 9, 1), (8, 10, 6)])
    func evictsTheFuture(_ wentBackBy: Int64, _ end: Int64, _ first: UInt64) {
        var eventLog = EventLog()
        for number in 1...UInt64(16) {
            let at = Int64(number) + (number <= 8 ? wentBackBy : 0)
            eventLog.append(EventLog.Entry(number: number, at: .at(at), content: .act(.wake)))
        }
        eventLog.evict(before: .at(end))
        #expect(eventLog.entries.first?.number == first)
        #expect(eventLog.lastDropped == first - 1)
    }

    @Test func findsEventsAfterACursor() {
        var eventLog = EventLog()
        for number in [2, 3, 7, 9] as [UInt64] { eventLog.append(entry(number)) }
        #expect(eventLog.entries(after: 0).map(\.number) == [2, 3, 7, 9])
        #expect(eventLog.entries(after: 3).map(\.number) == [7, 9])
        #expect(eventLog.entries(after: 4).map(\.number) == [7, 9])
        #expect(eventLog.entries(after: 9).isEmpty)
        #expect(eventLog.entries(after: .max).isEmpty)
    }

    @Test("I.6 a gap in the events is reported to readers") func reportsGaps() throws {
        let phone = Phone()
        for _ in 0..<EventLog.capacity { try phone.act(.wake) }
        #expect(!phone.simulator.events(EventQuery(device: Phone.name)).hasGap)
        #expect(try phone.isReplayed())
        try phone.act(.wake)
        let page = phone.simulator.events(EventQuery(device: Phone.name))
        #expect(page.hasGap)
        #expect(page.items.first?.number == UInt64(EventLog.capacity / 4 + 1))
        #expect(!phone.simulator.events(EventQuery(device: Phone.name, since: UInt64(EventLog.capacity / 4))).hasGap)
        #expect(try !phone.isReplayed())
    }

    @Test func reportsRemovedNotifications() {
        let phone = Phone()
        let first = phone.alert("1")
        let second = phone.alert("2")
        phone.simulator.clear(NotificationQuery(apnsID: APNsID(high: 0, low: 1)))
        let lost = EventQuery(device: Phone.name)
        #expect(phone.simulator.notification(first) == nil)
        #expect(phone.simulator.events(lost).hasGap)
        #expect(phone.simulator.events(lost).items.compactMap(\.notification).first == second)
    }

    @Test func pagesThroughEvents() {
        let phone = Phone()
        for number in 0..<5 { phone.alert("\(number)") }
        let all = phone.events()
        var pages: [DeviceEvent] = []
        var query = EventQuery(device: Phone.name, limit: 3)
        while true {
            let page = phone.simulator.events(query)
            pages += page.items
            guard page.hasMore else { break }
            query.since = page.next
        }
        #expect(pages == all)
        #expect(all.map(\.number) == (1...UInt64(all.count)).map { $0 })
    }
}

/// A device's inbox as a list.
@Suite struct InboxListTests {
    private func item(_ sequence: UInt64) -> InboxEntry {
        let context = PolicyContext(
            device: DeviceConditions(), app: App(bundleID: "a"), settings: NotificationSettings(),
            assumptions: Assumptions())
        return InboxEntry(sequence: sequence, context: context, receivedEvent: 1, kind: .alert)
    }

    @Test func remainsConsistentAfterRemovals() {
        var inbox = Inbox()
        var expected: [UInt64] = []
        var random = LinearGenerator(state: 5)
        for sequence in UInt64(1)...600 {
            inbox.append(item(sequence * 2))
            expected.append(sequence * 2)
            guard Bool.random(using: &random) else { continue }
            let victim = Bool.random(using: &random) ? expected[0] : UInt64.random(in: 0...sequence * 2, using: &random)
            inbox.remove(victim)
            expected.removeAll { $0 == victim }
            #expect(inbox.items.map(\.sequence) == expected)
            #expect(inbox.count == expected.count)
            #expect(inbox.items.first?.sequence == expected.first)
            #expect(inbox.indices.map { inbox[$0].sequence } == expected)
            #expect((inbox.index(of: victim) == nil))
            #expect(inbox.items(after: victim).map(\.sequence) == expected.filter { $0 > victim })
            if let last = expected.last { #expect(inbox.index(of: last) == inbox.indices.last) }
        }
    }
}

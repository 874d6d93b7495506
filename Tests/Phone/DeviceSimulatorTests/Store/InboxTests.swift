import APNs
import DeviceModel
import Foundation
import TestSupport
import Testing

@testable import DeviceSimulator

@Suite struct InboxTests {
    let simulator = DeviceSimulator.make(limits: InboxLimits(perDevice: 3, total: 5))

    @Test func keepsPushesInOrder() {
        let phone = simulator.registered("Phone")
        let tablet = simulator.registered("Tablet")
        let sequences = [
            simulator.push("1", to: phone), simulator.push("2", to: tablet), simulator.push("3", to: phone),
        ]
        #expect(sequences == [1, 2, 3])
        #expect(simulator.bodies() == ["1", "2", "3"])
        #expect(simulator.bodies(NotificationQuery(device: "Phone")) == ["1", "3"])
        #expect(simulator.notification(2)?.device == "Tablet")
        #expect(simulator.notification(4) == nil)
        #expect(simulator.notification(0) == nil)
    }

    @Test("stored pushes are evicted last; without room for those either, they count as discarded")
    func keepsWhatWaits() throws {
        let phone = simulator.registered("Phone")
        try simulator.perform(.conditions(.with { $0.isOnline = false }), on: "Phone", at: .at(0))
        simulator.push("waits", to: phone)
        let other = simulator.registered("Phone", topic: "com.example.other")
        for number in 1...5 { simulator.push("\(number)", to: other, id: UInt64(number + 1)) }
        #expect(simulator.notification(1)?.state == .stored(.offline))
        #expect(simulator.device(named: "Phone")?.inboxCount == 3)
        for name in ["A", "B"] {
            let device = simulator.registered(name)
            for number in 1...3 { simulator.push("\(name)\(number)", to: device) }
        }
        #expect(simulator.notification(1) == nil, "there is room for five")
        let counts = simulator.counters.counts
        #expect(counts.received == 12)
        #expect(counts.received == counts.delivered + counts.discarded)
        let states = try #require(simulator.device(named: "Phone")?.counts)
        #expect(states.received == states.delivered + states.discarded)
    }

    @Test func evictsTheOldestOfAllInboxesAtTheTotalLimit() {
        let devices = ["A", "B", "C"].map { simulator.registered($0) }
        for number in 0..<6 { simulator.push("\(number)", to: devices[number / 2]) }
        #expect(simulator.bodies() == ["1", "2", "3", "4", "5"])
        #expect(simulator.devicePage(after: nil, limit: .max).devices.map(\.counts.dropped) == [1, 0, 0])
        #expect(simulator.counters.notifications == 5)
    }

    @Test func reportsAGapBeforeACursor() {
        let phone = simulator.registered("Phone")
        let tablet = simulator.registered("Tablet")
        simulator.push("t", to: tablet)
        for number in 1...5 { simulator.push("\(number)", to: phone) }  // 2 and 3 are evicted
        #expect(simulator.notifications(NotificationQuery(since: 2)).hasGap)
        #expect(!simulator.notifications(NotificationQuery(since: 3)).hasGap)
        #expect(simulator.notifications(NotificationQuery(device: "Phone", since: 1)).hasGap)
        #expect(!simulator.notifications(NotificationQuery(device: "Tablet")).hasGap)
        #expect(simulator.notifications().droppedCount == 2)
        #expect(simulator.notifications(NotificationQuery(device: "Tablet")).droppedCount == 0)
    }

    @Test func survivesRandomBytes() {
        let phone = simulator.registered("Phone")
        var generator = LinearGenerator(state: 11)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let sequence = simulator.receive(.make(bytes, to: phone), for: phone)
            #expect(simulator.notification(sequence)?.state.discardReason != nil)
            _ = simulator.notifications(NotificationQuery(text: "x", since: sequence - 1))
        }
        #expect(simulator.counters.counts.received == 2000)
    }
}

@Suite struct QueryTests {
    let simulator = DeviceSimulator.make()
    let phone: Registration
    let mail: Registration

    init() {
        phone = simulator.registered("Phone")
        mail = simulator.registered("Tablet", topic: "com.example.mail")
        simulator.push("Hello", to: phone, id: 1)
        simulator.push("AppCatalog", to: mail, id: 2)
        simulator.push("こんにちは", to: phone, type: .voip, id: 3)
        simulator.receive(.make("{", to: phone, id: 4), for: phone)
        simulator.receive(.make(#"{"aps":{"alert":{"title":"\u0048ALLO"}},"k":"Secret"}"#, to: mail, id: 5), for: mail)
    }

    static let rows: [(NotificationQuery, [UInt64])] = [
        (NotificationQuery(), [1, 2, 3, 4, 5]),
        (NotificationQuery(device: "Phone"), [1, 3, 4]),
        (NotificationQuery(device: "Nobody"), []),
        (NotificationQuery(topic: "com.example.mail"), [2, 5]),
        (NotificationQuery(state: .discarded), [4]),
        (NotificationQuery(state: .accepted), []),
        (NotificationQuery(pushType: .voip), [3]),
        (NotificationQuery(text: "hello"), [1]),
        (NotificationQuery(text: "hallo"), [5]),
        (NotificationQuery(text: "にち"), [3]),
        (NotificationQuery(text: "secret"), [5]),
        (NotificationQuery(text: "nothing"), []),
        (NotificationQuery(apnsID: APNsID(high: 0, low: 2)), [2]),
        (NotificationQuery(since: 3), [4, 5]),
        (NotificationQuery(device: "Phone", since: 3), [4]),
        (NotificationQuery(since: .max), []),
        (NotificationQuery(device: "Phone", state: .delivered, text: "h"), [1]),
    ]

    @Test(arguments: rows) func selects(_ query: NotificationQuery, _ expected: [UInt64]) {
        #expect(simulator.notifications(query).items.map(\.sequence) == expected)
        // Paging gives the same list.
        var pages: [UInt64] = []
        var step = query
        step.limit = 1
        var page = simulator.notifications(step)
        pages += page.items.map(\.sequence)
        while page.hasMore {
            step.since = page.next
            page = simulator.notifications(step)
            pages += page.items.map(\.sequence)
        }
        #expect(pages == expected)
    }

    @Test func findsTheTextInTheDevicesLanguage() {
        var app = DeviceModel.App(bundleID: "com.example.chat")
        app.localizations = ["en": ["READY": "Your order is ready"]]
        simulator.put(app)
        let shown = simulator.receive(.make(#"{"aps":{"alert":{"loc-key":"READY"}}}"#, to: phone, id: 6), for: phone)
        #expect(simulator.notifications(NotificationQuery(text: "IS READY")).items.map(\.sequence) == [shown])
    }

    @Test(arguments: rows) func clears(_ query: NotificationQuery, _ expected: [UInt64]) {
        #expect(simulator.clear(query) == expected.count)
        #expect(simulator.notifications(query).items.isEmpty)
        #expect(simulator.counters.notifications == 5 - expected.count)
        #expect(simulator.counters.counts.cleared == expected.count)
        #expect(!simulator.notifications().hasGap)
        simulator.push("later", to: phone)
        #expect(simulator.notifications().items.last?.sequence == 6)
    }

    @Test func resetsCompletely() {
        simulator.put(App(bundleID: "com.example.chat"))
        simulator.reset(keeping: [.devices, .apps])
        #expect(simulator.notifications().items.isEmpty)
        #expect(simulator.registration(of: phone.token) != nil)
        #expect(simulator.apps().count == 1)
        #expect(simulator.counters.counts == DeliveryCounts())
        #expect(simulator.push("on", to: phone) == 6)
        simulator.reset()
        #expect(simulator.registration(of: phone.token) == nil)
        #expect(simulator.devicePage(after: nil, limit: .max).devices.isEmpty)
        #expect(simulator.apps().isEmpty)
        #expect(simulator.notifications(NotificationQuery(since: 5)).next == 6)
    }
}

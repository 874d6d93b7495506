import APNs
import DeviceModel
import DeviceSimulator
import Gateway
import JSON
import NIOCore
import Synchronization
import Testing
import Time

@testable import AdminAPI

/// The feed and its readers, on a manual clock.
@Suite struct EventFeedTests {
    // MARK: Coalescing

    @Test func `pushes between two ticks are sent as one message with the newest rows`() async throws {
        let probe = FeedProbe()
        var reader = try probe.reader()
        #expect(try await reader.read().map(\.event) == ["hello"])
        let token = try probe.register()
        for _ in 0..<120 { probe.push(token) }
        probe.tick()
        let notifications = try #require(try await reader.read().first { $0.event == "notifications" })
        #expect(notifications["added"] == .integer(120) && notifications["changed"] == .integer(0))
        #expect(notifications["skipped"] == .integer(70) && notifications["next"] == .string("120"))
        #expect(notifications.ids == Array(71...120))
        probe.tick()
        #expect(try await reader.read().isEmpty)
    }

    @Test func `a new reader gets later messages only`() async throws {
        let probe = FeedProbe()
        let token = try probe.register()
        probe.push(token)
        var first = try probe.reader()
        probe.push(token)
        var second = try probe.reader()
        probe.push(token)
        probe.tick()
        let hellos = try await [first.next(), second.next()]
        #expect(hellos.map { $0?["next"] } == [.string("1"), .string("2")])
        #expect(try await first.read(only: "notifications").map(\.ids) == [[2], [3]])
        #expect(try await second.read(only: "notifications").map(\.ids) == [[3]])
    }

    @Test func `a reader gets only the notifications that match its conditions`() async throws {
        let probe = FeedProbe()
        var reader = try probe.reader("kind=notifications&where=payload.aps.badge%3E2")
        let token = try probe.register()
        for badge in 1...4 { probe.push(token, #"{"aps":{"badge":\#(badge)}}"#) }
        probe.tick()
        let message = try #require(try await reader.read(only: "notifications").first)
        #expect(message.ids == [3, 4] && message["added"] == .integer(2))
        #expect(throws: AdminError.self) { try probe.reader("where=title") }
    }

    @Test func `counts of faults are sent once a second`() async throws {
        let probe = FeedProbe()
        var reader = try probe.reader("kind=faults")
        let rule: JSONValue = ["name": .string("x"), "effect": ["answer": ["status": .integer(503)]]]
        try probe.gateway.faults.add(try FaultRule.rules(from: rule), at: testTime)
        probe.tick(after: .milliseconds(999))
        #expect(try await reader.read(only: "faults").isEmpty)
        probe.tick(after: .milliseconds(1))
        let unfired = JSONValue.array([["name": .string("x"), "matched": .integer(0), "fired": .integer(0)]])
        #expect(try await reader.read(only: "faults").map { $0["faults"] } == [unfired])
        probe.push(try probe.register())
        probe.tick(after: .milliseconds(500))
        #expect(try await reader.read(only: "faults").isEmpty)
        probe.tick(after: .milliseconds(500))
        let fired = JSONValue.array([["name": .string("x"), "matched": .integer(1), "fired": .integer(1)]])
        #expect(try await reader.read(only: "faults").map { $0["faults"] } == [fired])
    }

    // MARK: Kinds

    @Test func `a changed notification is sent with its new row`() async throws {
        let probe = FeedProbe()
        probe.push(try probe.register())
        var reader = try probe.reader("kind=notifications,devices")
        _ = try await reader.read()
        try probe.gateway.simulator.perform(.unlock, on: "phone", at: testTime)
        probe.tick()
        let messages = try await reader.read()
        #expect(messages.map(\.event) == ["notifications", "devices"])
        #expect(messages[0]["added"] == .integer(0) && messages[0]["changed"] == .integer(1))
        #expect(messages[0].ids == [1])
        #expect(messages[1]["names"] == .strings(["phone"]))
    }

    @Test func `removed notifications are listed by number, deleted devices by name`() async throws {
        let probe = FeedProbe(limits: InboxLimits(perDevice: 2))
        let token = try probe.register()
        var reader = try probe.reader("kind=removed,devices")
        _ = try await reader.read()
        for _ in 0..<3 { probe.push(token) }
        probe.tick()
        let evicted = try await reader.read()
        #expect(evicted.map(\.event) == ["removed", "devices"])
        #expect(evicted[0]["ids"] == .array([.integer(1)]) && evicted[0]["oldest"] == .string("2"))
        probe.gateway.simulator.deleteDevice(named: "phone")
        probe.tick()
        let deleted = try await reader.read()
        #expect(deleted[0]["ids"] == .array([.integer(2), .integer(3)]) && deleted[0]["oldest"] == nil)
        #expect(deleted[1]["removed"] == .strings(["phone"]) && deleted[1]["names"] == .array([]))
    }

    @Test func `accepted requests are counted, rejected requests are sent as rows`() async throws {
        let probe = FeedProbe()
        let token = try probe.register()
        var reader = try probe.reader("kind=requests")
        _ = try await reader.read()
        probe.push(token)
        probe.push(token, topic: "com.example.other")
        probe.tick()
        let requests = try #require(try await reader.read().first)
        #expect(requests["accepted"] == .integer(1) && requests["refused"] == .integer(1))
        #expect(requests["skipped"] == .integer(0) && requests["next"] == .string("2"))
        let record = try #require(probe.gateway.requestLog.record(2))
        #expect(requests["rows"] == .array([JSONValue(probe.api.summary(record))]))
    }

    @Test func `stopping or moving the clock sends it`() async throws {
        let probe = FeedProbe()
        var reader = try probe.reader("kind=clock")
        _ = try await reader.read()
        probe.tick()
        #expect(try await reader.read().isEmpty)
        try await probe.gateway.stopClock()
        probe.tick()
        #expect(try await reader.read().map { $0["mode"] } == [.string("manual")])
        try await probe.gateway.advanceClock(to: testTime.advanced(by: 1000))
        probe.tick()
        #expect(try await reader.read().map { $0["now"] } == [.string("2026-11-21T07:00:01.000Z")])
    }

    @Test(arguments: ["reset", "load"]) func `replacing the state sends a gap`(_ how: String) async throws {
        let probe = FeedProbe()
        probe.push(try probe.register())
        var reader = try probe.reader("kind=clock")
        _ = try await reader.read()
        let simulator = probe.gateway.simulator
        if how == "load" { try simulator.load(simulator.snapshot()) } else { await probe.gateway.reset(keeping: []) }
        probe.tick()
        let messages = try await reader.read()
        #expect(messages.map(\.event) == ["gap"])
        #expect(messages[0]["next"] == .string("1"))
    }

    // MARK: Filters

    @Test func `a filtered reader gets its own rows and counts`() async throws {
        let probe = FeedProbe(limits: InboxLimits(perDevice: 3))
        let (phone, tablet) = (try probe.register(), try probe.register("tablet", topic: "com.example.mail"))
        var alice = try probe.reader("device=tablet")
        var mail = try probe.reader("topic=com.example.mail&rows=1")
        var counts = try probe.reader("rows=0&kind=notifications,requests")
        for _ in 0..<60 { probe.push(phone) }
        for _ in 0..<3 { probe.push(tablet, topic: "com.example.mail") }
        probe.push(tablet)
        probe.tick()
        let own = try await alice.read().filter { $0.event != "hello" }
        #expect(own.map(\.event) == ["notifications", "devices", "requests"])
        #expect(own[0]["added"] == .integer(3) && own[0]["skipped"] == .integer(0) && own[0].ids == [61, 62, 63])
        #expect(own[1]["names"] == .strings(["tablet"]))
        #expect(own[2]["accepted"] == .integer(3) && own[2]["refused"] == .integer(1))
        let short = try await mail.read(only: "notifications")
        #expect(short.map { $0["skipped"] } == [.integer(2)] && short.map(\.ids) == [[63]])
        let counted = try await counts.read().filter { $0.event != "hello" }
        #expect(counted.map { $0["rows"] } == [.array([]), .array([])])
        #expect(counted[0]["added"] == .integer(63) && counted[0]["skipped"] == .integer(63))
        #expect(counted[1]["refused"] == .integer(1) && counted[1]["skipped"] == .integer(1))
        probe.push(phone)
        probe.tick()
        #expect(try await alice.read().isEmpty, "nothing of its device")
    }

    @Test(arguments: [
        "kind=hello", "kind=", "kind=notifications,", "rows=51", "rows=-1", "device=", "lastEventId=x",
        "lastEventId=0a1b2c-1&lastEventId=0a1b2c-2", "state=stored",
    ]) func `an invalid query is rejected`(_ query: String) {
        #expect(StreamQuery.read(query, lastEventID: nil) == nil)
    }

    @Test func `Last-Event-ID takes precedence over the query unless it is empty`() {
        let query = "lastEventId=0a1b2c-1"
        #expect(StreamQuery.read(query, lastEventID: "0a1b2c-2")?.position?.number == 2)
        #expect(StreamQuery.read(query, lastEventID: "")?.position?.number == 1)
        #expect(StreamQuery.read("", lastEventID: "") != nil)
        #expect(StreamQuery.read("", lastEventID: "17") == nil)
    }

    // MARK: Positions

    @Test func `a reader resumes after its last message`() async throws {
        let probe = FeedProbe()
        let token = try probe.register()
        var first = try probe.reader("kind=notifications")
        for _ in 0..<3 {
            probe.push(token)
            probe.tick()
        }
        let seen = try await first.read()
        var second = try probe.reader("kind=notifications&lastEventId=\(seen[1].id)")
        let told = try await second.read()
        #expect(told.map(\.event) == ["hello", "notifications", "notifications"])
        #expect(told[0].id == seen[1].id, "so that nothing is lost if the connection ends here")
        #expect(told.dropFirst().map(\.id) == seen.suffix(2).map(\.id))
        #expect(told.dropFirst().map(\.ids) == [[2], [3]])
    }

    @Test func `a position from another run, from the future or already evicted has a gap`() async throws {
        let probe = FeedProbe()
        let token = try probe.register()
        var first = try probe.reader()
        _ = try await first.read()
        for _ in 0..<FeedRing<FeedMessage>.maximumCount {
            probe.push(token)
            probe.tick()
        }
        for position in ["0a1b2d-1", "0a1b2c-99999999", "0a1b2c-1"] {
            var reader = try probe.reader("lastEventId=\(position)")
            let messages = try await reader.read()
            #expect(messages.map(\.event) == ["hello", "gap"], "\(position)")
            #expect(messages[1]["next"] == .string("\(FeedRing<FeedMessage>.maximumCount)"))
        }
        #expect(try await first.read().map(\.event) == ["gap"], "so has one that reads too slowly")
    }

    @Test func `messages are retained for one minute after the last reader leaves`() async throws {
        let probe = FeedProbe()
        let token = try probe.register()
        var reader: FeedProbe.Reader? = try probe.reader("kind=notifications")
        let hello = try #require(try await reader?.next())
        reader = nil
        probe.push(token)
        probe.tick(after: .seconds(59))
        var second: FeedProbe.Reader? = try probe.reader("kind=notifications&lastEventId=\(hello.id)")
        #expect(try await second?.read().map(\.event) == ["hello", "notifications"])
        second = nil
        probe.push(token)
        #expect(probe.tick(after: .seconds(60)) == nil)
        #expect(probe.gateway.simulator.takeChanges() == nil, "nothing is recorded any more")
        var third = try probe.reader("kind=notifications&lastEventId=\(hello.id)")
        #expect(try await third.read().map(\.event) == ["hello", "gap"])
    }

    @Test func `an idle stream sends a heartbeat with its position every 15 seconds`() async throws {
        let probe = FeedProbe()
        let token = try probe.register()
        var reader = try probe.reader("kind=clock")
        let hello = try #require(try await reader.next())
        probe.push(token)
        probe.tick(after: .milliseconds(14_999))
        #expect(try await reader.texts() == [])
        probe.tick(after: .milliseconds(1))
        #expect(hello.id == "0a1b2c-1")
        #expect(try await reader.texts() == [": beat\nid: 0a1b2c-4\n\n"], "the push was three messages")
        probe.tick(after: .milliseconds(14_999))
        #expect(try await reader.texts() == [])
    }

    // MARK: Readers

    @Test func `the stop message comes last, even with unread messages`() async throws {
        let probe = FeedProbe()
        var reader = try probe.reader()
        probe.push(try probe.register())
        probe.tick()
        probe.feed.stop()
        #expect(try await reader.read().map(\.event) == ["hello", "stopping"])
        #expect(throws: AdminError.self) { try probe.reader() }
    }
}

/// A feed on a manual clock, with readers without sockets.
struct FeedProbe {
    let gateway: Gateway
    let api: AdminAPI
    let feed: EventFeed
    private let time = TestTime()

    final class TestTime: Sendable { let now = Mutex(ContinuousClock.now) }

    init(limits: InboxLimits = InboxLimits()) {
        let time = time
        gateway = makeGateway(limits: limits)
        api = makeAdmin(gateway)
        feed = EventFeed(gateway, run: 0x0A1B2C, now: { time.now.withLock { $0 } })
    }

    func register(_ device: String = "phone", topic: String = "com.example.app") throws -> DeviceToken {
        try fixture.register(device, topic: topic)
    }

    func push(
        _ token: DeviceToken, _ payload: String = #"{"aps":{"alert":"Hi"}}"#, topic: String = "com.example.app"
    ) {
        _ = fixture.push(token, payload, topic: topic)
    }

    private var fixture: AdminFixture {
        AdminFixture(gateway: gateway, address: try! SocketAddress(ipAddress: "127.0.0.1", port: 0), shutdown: {})
    }

    @discardableResult
    func tick(after pause: Duration = EventFeed.interval) -> Bool? {
        time.now.withLock { $0 += pause }
        return feed.tick()
    }

    func reader(_ query: String = "") throws -> Reader {
        let query = try StreamQuery(try RequestQuery(query, accepting: StreamQuery.names), lastEventID: nil)
        return Reader(
            stream: EventStream(try feed.open(after: query.position), StreamView(api: api, filter: query.filter)))
    }

    struct Reader {
        var stream: EventStream
        private var isGreeted = false
        private var unread: [Message] = []

        init(stream: EventStream) { self.stream = stream }

        /// Reads what the reader has been sent since the last call.
        mutating func texts() async throws -> [String] {
            var written: [String] = []
            if !isGreeted { try await stream.greet { written.append(String(buffer: $0)) } }
            isGreeted = true
            _ = try await stream.drain { written.append(String(buffer: $0)) }
            return written
        }

        /// All pending messages.
        mutating func read() async throws -> [Message] {
            defer { unread = [] }
            return unread + (try await texts().map { try Message($0) })
        }

        mutating func read(only event: String) async throws -> [Message] {
            try await read().filter { $0.event == event }
        }

        mutating func next() async throws -> Message? {
            unread = try await read()
            return unread.isEmpty ? nil : unread.removeFirst()
        }
    }

    struct Message {
        let event: String
        let id: String
        private let data: JSONValue

        init(_ text: String) throws {
            var fields: [Substring: Substring] = [:]
            for line in text.split(separator: "\n") {
                let colon = try #require(line.firstIndex(of: ":"))
                fields[line[..<colon]] = line[colon...].dropFirst(2)
            }
            event = String(try #require(fields["event"]))
            id = String(try #require(fields["id"]))
            let bytes = Array(try #require(fields["data"]).utf8)
            let json = JSONValue(bytes.span.bytes)
            data = try #require(json)
        }

        subscript(_ name: String) -> JSONValue? { data[name] }
        /// The numbers of its rows.
        var ids: [Int] {
            guard case .array(let rows) = data["rows"] else { return [] }
            return rows.compactMap { row in if case .integer(let id) = row["id"] { id } else { nil } }
        }
    }
}

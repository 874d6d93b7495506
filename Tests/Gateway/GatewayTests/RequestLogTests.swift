import APNs
import DeviceSimulator
import RequestWire
import Testing
import Time

@testable import Gateway

/// The request log.
@Suite struct RequestLogTests {
    @Test func retainsTheNewestAndCountsTheEvicted() {
        let fixture = GatewayFixture(requestCapacity: 3)
        let connection = fixture.connect()
        for _ in 1...5 { _ = connection.answer(fixture.push()) }
        let page = fixture.gateway.requestLog.page(since: 0, limit: 10)
        #expect(page.items.map(\.number) == [3, 4, 5])
        #expect(page.droppedCount == 2)
        #expect(page.hasGap)
        #expect(page.next == 5)
        #expect(!fixture.gateway.requestLog.page(since: 2, limit: 10).hasGap)
        #expect(fixture.gateway.requestLog.record(2) == nil)
        #expect(fixture.gateway.requestLog.record(3)?.number == 3)
        #expect(fixture.gateway.requestLog.record(0) == nil)
        #expect(fixture.gateway.requestLog.record(6) == nil)
        #expect(fixture.gateway.requestLog.record(.max) == nil)
    }

    @Test func aLateRelayResultIsStoredAfterOtherRecordsWereEvicted() {
        let log = RequestLog(capacity: 10, retention: 1000)
        for number in 0..<4 {
            log.append(
                RequestRecord(
                    receivedAt: .start.advanced(by: Int64(number) * 400), connection: 1, environment: .sandbox,
                    authentication: .off, outcome: .oversized(APNsID(high: 0, low: 1))))
        }
        log.evictAged(at: .start.advanced(by: 1500))
        #expect((1...4).map { log.record($0) != nil } == [false, false, true, true])
        for number in [2, 3] as [UInt64] {
            let push = RelayedPush(
                record: number, token: GatewayFixture().token, headers: [], authorization: nil, payload: [],
                answer: nil, isRelayed: false)
            log.record(RelayResult(.dropped, of: push, upstream: "APNs", at: .start), for: number)
        }
        #expect((1...4).map { log.record($0)?.relay?.outcome } == [nil, nil, .dropped, nil])
    }

    @Test func `a loaded state and the log share their pushes`() throws {
        let fixture = GatewayFixture()
        let (gateway, connection) = (fixture.gateway, fixture.connect())
        let edits: [(inout RequestFixture) -> Void] = [
            { _ in },
            // As another client orders its headers.
            { $0.fields.reverse() },
            { $0["apns-id"] = "123E4567-E89B-12D3-A456-426614174000" },
            { fixture in fixture[":path"] = fixture[":path"].map { "/3/device/" + $0.dropFirst(10).uppercased() } },
            { $0.fields += [("apns-priority", "5"), ("apns-expiration", "1800000000"), ("x-a", "1"), ("x-a", "2")] },
        ]
        for edit in edits { _ = connection.answer(fixture.push(edit)) }
        let snapshot = gateway.simulator.snapshot()
        _ = connection.answer(fixture.push())
        try gateway.load(snapshot)
        _ = connection.answer(fixture.push())
        let isShared = (1...edits.count + 2).map { number in
            let number = UInt64(number)
            guard case .accepted(let push, _, let notification) = gateway.requestLog.record(number)?.outcome else {
                return false
            }
            return gateway.simulator.notification(notification)?.push === push
        }
        #expect(isShared == edits.map { _ in true } + [false, true])
    }

    @Test("requests of a future clock are evicted by their age, and those after them") func evictsTheFuture() {
        let log = RequestLog(capacity: 10, retention: 1000)
        for date in [Instant.start.advanced(by: .day), .start] {
            if date == .start { log.setBack(to: .start) }
            log.append(
                RequestRecord(
                    receivedAt: date, connection: 1, environment: .sandbox, authentication: .off,
                    outcome: .oversized(APNsID(high: 0, low: 1))))
        }
        log.evictAged(at: .start.advanced(by: 1000))
        #expect([1, 2].map { log.record($0) != nil } == [true, true])
        log.evictAged(at: .start.advanced(by: 1001))
        #expect([1, 2].map { log.record($0) != nil } == [false, false])
    }

    @Test func pagesContinueAfterThePreviousOne() {
        let fixture = GatewayFixture(requestCapacity: 1000)
        let connection = fixture.connect()
        for number in 1...700 { _ = connection.answer(fixture.push { if number % 2 == 0 { $0["apns-topic"] = nil } }) }
        var seen: [UInt64] = []
        var cursor: UInt64 = 0
        while true {
            let page = fixture.gateway.requestLog.page(since: cursor, limit: 100) { $0.status == 400 }
            seen += page.items.map(\.number)
            cursor = page.next
            if page.items.count < 100 { break }
        }
        #expect(seen == (1...350).map { 2 * $0 })
        #expect(cursor == 700)
        #expect(fixture.gateway.requestLog.page(since: 700, limit: 10).next == 700)
        #expect(fixture.gateway.requestLog.page(since: 0, limit: 0).items.count == 1)
        #expect(fixture.gateway.requestLog.page(since: .max, limit: 1).items.isEmpty)
    }

    @Test func aPageSaysWhetherMoreMatch() {
        let fixture = GatewayFixture(requestCapacity: 1000)
        let connection = fixture.connect()
        for _ in 1...600 { _ = connection.answer(fixture.push()) }
        func page(_ limit: Int, upTo last: UInt64 = 600) -> RequestPage {
            fixture.gateway.requestLog.page(since: 0, limit: limit) { record in record.number <= last }
        }
        #expect(page(599).hasMore && !page(600).hasMore && !page(601).hasMore)
        #expect(page(599).next == 599)
        #expect(!page(10, upTo: 10).hasMore && page(10, upTo: 11).hasMore)
        #expect(page(10, upTo: 10).next == 600 && page(10, upTo: 11).next == 10)
        #expect(!page(10).hasGap)
    }

    @Test func clearingContinuesNumbersAndReportsALaterGap() {
        let fixture = GatewayFixture(requestCapacity: 5)
        let connection = fixture.connect()
        for _ in 1...4 { _ = connection.answer(fixture.push()) }
        fixture.gateway.requestLog.removeAll()
        #expect(fixture.gateway.requestLog.page(since: 0, limit: 10).items.isEmpty)
        #expect(!fixture.gateway.requestLog.page(since: 4, limit: 10).hasGap)
        for _ in 1...7 { _ = connection.answer(fixture.push()) }
        let page = fixture.gateway.requestLog.page(since: 5, limit: 10)
        #expect(page.items.map(\.number) == [7, 8, 9, 10, 11])
        #expect(page.hasGap)
        #expect(page.droppedCount == 2)
    }

    @Test func aRejectedRequestIsStoredWithItsDiagnosis() throws {
        let fixture = GatewayFixture()
        let request = fixture.push {
            $0["apns-id"] = "123e4567-e89b-12d3-a456-426614174000"
            $0["apns-priority"] = "11"
        }
        let answer = fixture.connect().answer(request)
        let record = try #require(fixture.gateway.lastRequest)
        guard case .refused(let undelivered, let rejection) = record.outcome else {
            Issue.record("the request was accepted")
            return
        }
        #expect(record.status == 400)
        #expect(record.connection == 1)
        #expect(record.receivedAt == .start)
        #expect(record.authentication == .verifiedToken)
        #expect(rejection.diagnosis.code == "apns-priority.value")
        #expect(undelivered.apnsID == answer.apnsID)
        #expect(undelivered.payloadByteCount == request.bodyByteCount)
        #expect(undelivered.request.value(of: .path) == "/3/device/" + fixture.token.hex)
    }

    @Test(arguments: [true, false]) func theAuthorizationHeaderIsNeverStored(_ passes: Bool) throws {
        let fixture = GatewayFixture()
        let request = fixture.push { if !passes { $0["apns-topic"] = nil } }
        _ = fixture.connect().answer(request)
        let record = try #require(fixture.gateway.lastRequest)
        #expect(record.status == (passes ? 200 : 400))
        #expect(record.request.value(of: .authorization) == nil)
        let kept = record.request.head + record.request.payload
        let signature = try #require(fixture.lastToken.split(separator: ".").last).utf8
        #expect(!String(decoding: kept, as: UTF8.self).contains(String(signature) ?? ""))
        #expect(!record.request.fields(token: fixture.token).contains { $0.name == "authorization" })
    }

    @Test func anAcceptedRequestNamesItsNotification() throws {
        let fixture = GatewayFixture()
        _ = fixture.connect().answer(fixture.push { $0["apns-collapse-id"] = "game" })
        guard case .accepted(let push, let registration, let number) = fixture.gateway.lastRequest?.outcome else {
            Issue.record("the request was refused")
            return
        }
        let notification = try #require(fixture.gateway.simulator.notification(number))
        #expect(notification.push === push)
        #expect(registration.token == fixture.token)
        #expect(push.request.value(of: .apnsTopic) == GatewayFixture.topic)
        #expect(push.collapseID == "game")
        #expect(push.connection == 1)
    }

    @Test func anUnknownTokenCreatesADevice() throws {
        let (fixture, connection) = GatewayFixture.connected()
        let request = fixture.push { $0[":path"] = "/3/device/AABBccdd" }
        for _ in 1...2 { #expect(connection.answer(request).status == 200) }
        let devices = fixture.gateway.simulator.devicePage(after: nil, limit: .max).devices
        #expect(devices.map(\.name) == ["device-aabbccdd", "phone"])
        #expect(devices.first?.inboxCount == 2)
        #expect(fixture.gateway.lastRequest?.request.value(of: .path) == "/3/device/AABBccdd")
    }

    @Test func aReactivatedTokenIsAccepted() {
        let (fixture, connection) = GatewayFixture.connected()
        fixture.gateway.simulator.setStatus(.expired, of: fixture.token, at: .start)
        #expect(connection.answer(fixture.push()).status == 410)
        fixture.gateway.simulator.setStatus(.active, of: fixture.token, at: fixture.clock.now)
        #expect(connection.answer(fixture.push()).status == 200)
    }

    @Test(arguments: [(TokenKind.app, 32), (.liveactivity, 80)]) func derivedTokensAreStable(
        _ kind: TokenKind, _ count: Int
    ) throws {
        let tokens = try (1...2).map { _ in
            try GatewayFixture().gateway.simulator.register(
                device: "phone", topic: "com.example.derived", environment: .production, kind: kind, at: .start
            ).token
        }
        #expect(tokens[0] == tokens[1])
        #expect(tokens[0].bytes.count == count)
        #expect(Set(tokens[0].bytes).count > 8)
    }
}

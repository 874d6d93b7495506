internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Queries
internal import Time
internal import Webhooks

/// Checks whether the expected documents arrived, and finds the nearest misses if not.
extension AdminAPI {
    var verifyEndpoint: Endpoint {
        Endpoint(
            .post, "/verify", .notifications, "Whether the right notifications, requests or events came",
            id: "verify",
            about: """
                Compares what came after `since` with a query, or in order with several, and waits up to `within` for
                more. `where` takes a condition, a list of conditions, or an object of tests by path; `docs/queries.md`
                has the operators. With `Accept: text/plain` the answer is the report for people.

                A count with only a lower limit passes as soon as it is reached. Any upper limit, and so an exact
                number, holds until `within` is over. A notification that is neither delivered nor discarded counts
                only against an upper limit, unless a condition asks for its `state`. 409 if something was evicted that
                might be one too many.
                """,
            body: .required("Verification"),
            answers: [
                .ok("It passed.", .of(VerifyAnswer.self), as: ["application/json", "text/plain"]),
                .init(
                    406, "It failed; with the nearest misses.", .of(VerifyAnswer.self),
                    as: ["application/json", "text/plain"]),
            ],
            errors: [404, 409]
        ) { request in
            let body = try await request.object(accepting: Verification.members)
            let wanted = try Verification(body, roots: roots)
            if let device = wanted.device ?? wanted.commonText(at: "device") { _ = try gateway.device(named: device) }
            try refuseLaterCursor(wanted)
            var tally = try await verify(wanted, request)
            // No notification has the topic, so it may be misspelt.
            if wanted.kind == .notifications, tally.scannedCount == 0, !tally.isMet {
                let others = nearMisses(wanted)
                if !others.isMet { tally = others }
            }
            var answer = VerifyAnswer(wanted, tally) { number in evidence(of: number, wanted) }
            if wanted.kind == .notifications, answer.outcome == .tooFew,
                let stray = gateway.newestStray(missing: wanted.device)
            {
                let what =
                    stray.isOfDevice ? "Newest refused push to this device" : "Newest push to no registered token"
                answer.report += "\n\(what): \(gateway.sentence(of: stray.record))"
            }
            try refuseIncomplete(wanted, tally)
            let status: HTTPResponse.Status = tally.isMet ? .ok : .notAcceptable
            var response = Response(answer, status: status)
            if request.request.headers[.accept]?.contains("text/plain") == true {
                response = Response(
                    bytes: Array((answer.report + "\n").utf8), type: "text/plain; charset=utf-8", status: status)
            }
            if wanted.within > .zero { response.headers[.connection] = "close" }
            return response
        }
    }

    /// A cursor from another run would hide everything, and pass what expects nothing.
    private func refuseLaterCursor(_ wanted: Verification) throws(AdminError) {
        let last: UInt64? =
            switch wanted.kind {
            case .notifications: gateway.simulator.notifications(NotificationQuery(before: .max, limit: 1)).newest
            case .requests: gateway.requestLog.counts.total
            case .events: wanted.device.flatMap { gateway.simulator.device(named: $0)?.eventCount }
            }
        guard let last, wanted.since > last else { return }
        throw .badRequest("'since' is \(wanted.since), but the newest of the \(wanted.kind.rawValue) is \(last).")
    }

    /// What was evicted may have been one too many.
    private func refuseIncomplete(_ wanted: Verification, _ tally: Tally) throws(AdminError) {
        guard tally.isMet, wanted.expectation.maximum != nil, isIncomplete(wanted) else { return }
        throw .conflict(
            "Older \(wanted.kind.rawValue) were evicted, so an upper limit cannot be verified: give 'since', or raise "
                + "the limit of what is retained.")
    }

    private func isIncomplete(_ wanted: Verification) -> Bool {
        switch wanted.kind {
        case .notifications:
            gateway.simulator.notifications(
                NotificationQuery(device: wanted.device, since: wanted.since, limit: 1)
            ).hasGap
        case .requests: gateway.requestLog.page(since: wanted.since, limit: 1) { _ in false }.hasGap
        case .events:
            gateway.simulator.hasEvictedEvents(of: wanted.device ?? "", after: wanted.since)
        }
    }

    private func verify(_ wanted: Verification, _ request: AdminRequest) async throws -> Tally {
        if wanted.advancesClock {
            try await gateway.advanceClock(to: gateway.now().advanced(by: wanted.within))
            return read(wanted, nil).tally
        }
        guard wanted.within > .zero else { return read(wanted, nil).tally }
        let (simulator, log) = (gateway.simulator, gateway.requestLog)
        let isFinal: @Sendable (Reading) -> Bool = { $0.tally.isFinal }
        let result = try await request.whileConnected {
            if wanted.kind == .requests {
                await log.wait(for: .poll, timeout: wanted.within, read: { read(wanted, $0) }, until: isFinal)
            } else {
                await simulator.wait(
                    for: .init(device: wanted.device, topic: nil), timeout: wanted.within, read: { read(wanted, $0) },
                    until: isFinal)
            }
        }
        // Without the rest of the time, the result is unknown.
        guard result.outcome != .stopped else { throw CancellationError() }
        return result.page.tally
    }

    /// The comparison so far.
    private struct Reading {
        var tally: Tally
        /// The newest number that was compared.
        var last: UInt64
        let life: DeviceLife
        /// Before the first document that is not settled, where the next reading begins.
        var stable: Stable?

        typealias Stable = (tally: Tally, last: UInt64)

        mutating func add(_ number: UInt64, _ document: Document, isSettled: Bool) {
            if !isSettled, stable == nil { stable = (tally, last) }
            tally.add(number, document)
            last = max(last, number)
        }
    }

    /// Compares everything after the verification's cursor; after an earlier reading only what is new, if what it has
    /// compared cannot change.
    private func read(_ wanted: Verification, _ earlier: Reading?) -> Reading {
        let life = wanted.kind == .requests ? DeviceLife() : gateway.simulator.life(of: wanted.device ?? "")
        var reading = Reading(tally: Tally(wanted.expectation), last: wanted.since, life: life)
        // Another state is compared from the start; what happened on a former device of the name stays.
        if let earlier, wanted.comparesFixedMembers, earlier.life.generation == life.generation {
            let (tally, last) = earlier.stable ?? (earlier.tally, earlier.last)
            let isOther = wanted.kind == .events && earlier.life != life
            reading = Reading(tally: tally, last: isOther ? 0 : last, life: life)
        }
        let since = reading.last
        switch wanted.kind {
        case .notifications:
            var query = NotificationQuery(device: wanted.device, since: since, limit: 1000)
            // If every query requires one value of an indexed member, only its notifications are compared.
            query.topic = wanted.commonText(at: "topic")
            each(NotificationPage.self, since: since) { since in
                query.since = since
                return gateway.simulator.notifications(query)
            } body: {
                let document = document($0)
                reading.add($0.sequence, document, isSettled: wanted.expectation.settled.matches(document))
            }
        case .requests:
            each(RequestPage.self, since: since) {
                gateway.requestLog.page(since: $0, limit: 1000) { record in
                    wanted.device == nil || gateway.device(of: record) == wanted.device
                }
            } body: {
                reading.add($0.number, document($0), isSettled: true)
            }
        case .events:
            let device = wanted.device ?? ""
            each(EventPage.self, since: since) {
                gateway.simulator.events(EventQuery(device: device, since: $0, limit: 1000))
            } body: {
                reading.add($0.number, $0.document(on: device), isSettled: true)
            }
        }
        return reading
    }

    /// Compares the newest notifications of any topic.
    private func nearMisses(_ wanted: Verification) -> Tally {
        var tally = Tally(wanted.expectation)
        let newest = gateway.simulator.notifications(
            NotificationQuery(device: wanted.device, before: .max, limit: 1000))
        for notification in newest.items.reversed() where notification.sequence > wanted.since {
            tally.add(notification.sequence, document(notification))
        }
        return tally
    }

    private func each<Item>(
        _ type: QueryPage<Item>.Type, since: UInt64, page: (UInt64) -> QueryPage<Item>, body: (Item) -> Void
    ) {
        var since = since
        while true {
            let page = page(since)
            page.items.forEach(body)
            guard page.hasMore else { return }
            since = page.next
        }
    }

    /// nil if it no longer exists.
    private func evidence(of number: UInt64, _ wanted: Verification) -> VerifyAnswer.Evidence? {
        switch wanted.kind {
        case .notifications:
            guard let notification = gateway.simulator.notification(number) else { return nil }
            let findings = gateway.findings(
                on: notification, comparesHistory: false, silencing: configuration.silencedFindings)
            return VerifyAnswer.Evidence(
                document: JSONValue(summary(notification, findings: findings)), why: notification.whyInFull,
                problems: findings.filter { $0.severity != .info })
        case .requests: return gateway.requestLog.record(number).map { .init(document: JSONValue(summary($0))) }
        case .events:
            let query = EventQuery(device: wanted.device ?? "", since: number - 1, limit: 1)
            return gateway.simulator.events(query).items.first.map { .init(document: JSONValue(EventAnswer($0))) }
        }
    }
}

/// A verification as requested.
struct Verification: Sendable {
    let kind: DocumentKind
    let device: String?
    let expectation: Expectation
    let within: Duration
    let since: UInt64
    /// Whether `within` is time of the stopped clock, which is advanced by it.
    let advancesClock: Bool

    static let members = ["of", "device", "where", "order", "count", "never", "within", "clock", "since"]

    /// - Parameter roots: What the conditions of a kind may name.
    init(_ body: MemberReader, roots: (DocumentKind) -> QueryRoots) throws {
        let kind = body.value("of", .word(DocumentKind.self)) ?? .notifications
        self.kind = kind
        device = body.value("device", .name)
        let isNever = body.value("never", .flag) ?? false
        advancesClock = body.value("clock", .word(Clock.self)) == .simulated
        let longest: FieldFormat<Duration> =
            advancesClock
            ? .duration(atMost: .seconds(86_400), "24h")
            : .duration(atMost: AdminRequest.longestWait, "600s, or 24h with clock: simulated")
        within = body.value("within", longest) ?? .zero
        since = body.value("since", Self.cursor) ?? 0
        let count = body["count"]
        try body.finish()
        let roots = roots(kind)
        var queries: [Query] = []
        if case .array(let steps) = body["order"] {
            queries = try steps.enumerated().map { index, step in
                try Query(step, at: FieldPath().member("order").element(index), roots: roots)
            }
        } else if let order = body["order"] {
            throw FieldError(problems: [.wrong(order, at: FieldPath().member("order"), accepted: "a list of queries")])
        }
        if let query = body["where"] {
            queries.append(try Query(query, at: FieldPath().member("where"), roots: roots))
        }
        if queries.isEmpty, body["order"] == nil, device != nil { queries = [Query()] }
        guard !queries.isEmpty else {
            throw AdminError.badRequest(
                "'where' is missing: conditions such as 'title~Hello', or 'order', a list of them; or give 'device'.")
        }
        guard body["where"] == nil || body["order"] == nil else {
            throw AdminError.badRequest("'where' and 'order' exclude each other; give one of them.")
        }
        guard queries.count <= Expectation.maximumQueryCount else {
            throw AdminError.badRequest("'order' has at most \(Expectation.maximumQueryCount) queries.")
        }
        if isNever, count != nil || queries.count > 1 {
            throw AdminError.badRequest("'never' means a count of 0: leave out 'count' and 'order'.")
        }
        if queries.count > 1, count != nil {
            throw AdminError.badRequest("'order' expects each of its queries once: leave out 'count'.")
        }
        if kind == .events, device == nil {
            throw AdminError.badRequest("'device' is missing: events belong to a device.")
        }
        if advancesClock, within == .zero {
            throw AdminError.badRequest("'within' is missing: how far to advance the clock, such as 500ms.")
        }
        var expectation = try Self.expectation(queries, isNever ? .integer(0) : count)
        if kind == .notifications, !queries.contains(where: \.asksForState) { expectation.settled = .settled }
        self.expectation = expectation
    }

    enum Clock: String, CaseIterable, Sendable { case real, simulated }

    /// Lists answer `next` as a text.
    private static let cursor = FieldFormat<UInt64>.custom(
        "a whole number, 0 or more, or `next` of a list", .any,
        read: { json in
            switch json {
            case .integer(let number): UInt64(exactly: number)
            case .string(let text): UInt64(text)
            default: nil
            }
        }, write: { .string(String($0)) })

    private static func expectation(_ queries: [Query], _ count: JSONValue?) throws -> Expectation {
        let path = FieldPath().member("count")
        switch count {
        case nil: return Expectation(queries)
        case .integer(let number) where number >= 0: return Expectation(queries, minimum: number, maximum: number)
        case .object(let members):
            let reader = MemberReader(.object(members), at: path, accepting: ["exactly", "atLeast", "atMost"])
            let exactly = reader.value("exactly", .integer(atLeast: 0))
            let (least, most) = (
                reader.value("atLeast", .integer(atLeast: 0)), reader.value("atMost", .integer(atLeast: 0))
            )
            try reader.finish()
            guard exactly == nil || least == nil && most == nil else {
                throw AdminError.badRequest("'count.exactly' cannot be combined with atLeast and atMost.")
            }
            guard most.map({ $0 >= (least ?? 0) }) ?? true else {
                throw AdminError.badRequest("'count.atMost' is less than 'count.atLeast'; nothing could match.")
            }
            guard exactly != nil || least != 0 || most != nil else {
                throw AdminError.badRequest(
                    "'count.atLeast' is 0, which always holds: write 1 for any match, add 'atMost', or write 'never' for none."
                )
            }
            return Expectation(queries, minimum: exactly ?? least ?? (most == nil ? 1 : 0), maximum: exactly ?? most)
        case let wrong?:
            throw FieldError(problems: [
                .wrong(wrong, at: path, accepted: "a whole number, or an object with exactly, atLeast or atMost")
            ])
        }
    }

    /// Whether a document that was compared need not be compared again.
    var comparesFixedMembers: Bool {
        // The device of a rejected request is the one that has the token now.
        (kind != .requests || device == nil)
            && expectation.queries.allSatisfy { $0.roots.isSubset(of: kind.fixedMembers) }
    }

    /// What every query requires a member to be.
    func commonText(at path: String) -> String? {
        let texts = Set(expectation.queries.map { $0.text(at: path) })
        return texts.count == 1 ? texts.first ?? nil : nil
    }
}

extension Query {
    /// The device has decided: nothing about the notification changes any more but by acts of the person.
    fileprivate static let settled = Query([
        Condition(QueryPath(["state"]), .oneOf([.init(.string("delivered")), .init(.string("discarded"))]))
    ])

    /// Whether it is about notifications that wait.
    fileprivate var asksForState: Bool {
        conditions.contains { condition in
            ["state", "holdReason", "extension.state"].contains(condition.path.text)
                || condition.path.text == "outcome" && condition.text.contains(PushOutcome.waiting.rawValue)
        }
    }
}

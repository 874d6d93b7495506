internal import DeviceSimulator
internal import Gateway
internal import JSON
internal import Queries
internal import Time

/// Writes the feed's messages for one reader, as server-sent events (HTML Standard §9.2).
struct StreamView: Sendable {
    let api: AdminAPI
    let filter: FeedFilter

    private var gateway: Gateway { api.gateway }
    private var simulator: DeviceSimulator { api.gateway.simulator }

    /// How long a browser waits before it connects again.
    private static let retryMilliseconds = 1000

    func hello(_ reader: FeedReader, at position: FeedPosition) -> [UInt8] {
        let information = api.information()
        let hello = StreamHello(
            run: position.runText, version: information.version, now: gateway.now(),
            mode: gateway.clock.mode, scale: gateway.clock.scale, next: String(reader.notification),
            oldest: oldest,
            counts: JSONValue(InformationAnswer.Counts(gateway)))
        return Array("retry: \(Self.retryMilliseconds)\n".utf8) + event("hello", at: position, hello)
    }

    func stopping(at position: FeedPosition) -> [UInt8] { event("stopping", at: position, JSONValue.object([:])) }

    /// A comment and the position, so that a reader whose filter admits little does not reconnect with a gap.
    func beat(at position: FeedPosition) -> [UInt8] { Array(": beat\nid: \(position)\n\n".utf8) }

    /// - Returns: nil when the message has nothing for this reader.
    func event(_ message: FeedMessage, at position: FeedPosition) -> [UInt8]? {
        if let kind = message.kind, !filter.kinds.contains(kind) { return nil }
        let shape: (any APIShape)? =
            switch message {
            case .notifications(let since, let last, let changed): notifications(since, last, changed)
            case .removed(let removed, let isTruncated): self.removed(removed, isTruncated)
            case .requests(let since, let last, let accepted): requests(since, last, accepted)
            case .devices(let since, let last, let others, let removed, let isTruncated):
                devices(since, last, others, removed, isTruncated)
            case .clock: api.clock()
            case .faults: StreamFaults(of: gateway)
            case .gap(let next): StreamGap(next: String(next))
            }
        return shape.map { event(message.kind?.rawValue ?? "gap", at: position, $0) }
    }

    /// JSON has no line feeds, so the data is one line.
    private func event(_ name: String, at position: FeedPosition, _ shape: some APIShape) -> [UInt8] {
        Array("event: \(name)\nid: \(position)\ndata: ".utf8) + JSONTextEncoder.bytes(shape, as: .answer)
            + Array("\n\n".utf8)
    }

    private var oldest: String? { simulator.counters.firstSequence.map { String($0) } }

    // MARK: Notifications

    private func notifications(_ since: UInt64, _ last: UInt64, _ numbers: [UInt64]) -> StreamNotifications? {
        let changed = simulator.notifications(numbers).filter(admits)
        var (added, new) = (last - since, [Notification]())
        if !filter.isOpen {
            new = self.new(since, last, topic: filter.topic)
            added = UInt64(new.count)
        } else if filter.rowCount > 0 {
            new = self.new(max(since, last - min(last, UInt64(filter.rowCount))), last)
        }
        let total = added + UInt64(changed.count)
        guard total > 0 else { return nil }
        // Changed ones take precedence: a list answers the new ones, too.
        let old = changed.suffix(filter.rowCount)
        let rows = old + new.suffix(filter.rowCount - old.count)
        return StreamNotifications(
            rows: rows.map { api.summary($0) }, added: added, changed: changed.count,
            skipped: total - min(total, UInt64(rows.count)), next: String(last))
    }

    /// The notifications for this reader that are still stored.
    private func new(_ since: UInt64, _ last: UInt64, topic: String? = nil, limit: Int = .max) -> [Notification] {
        var query = NotificationQuery(device: filter.device, topic: topic, since: since, through: last, limit: limit)
        query.condition = api.condition(filter.query)
        return simulator.notifications(query).items
    }

    private func admits(_ notification: Notification) -> Bool {
        filter.admits(device: notification.device, topic: notification.registration.topic)
            && filter.query.matches(api.document(notification))
    }

    private func removed(_ removed: [ChangeSet.Removed], _ isTruncated: Bool) -> StreamRemoved? {
        let ids = removed.filter { filter.admits(device: $0.device, topic: $0.topic) }.map(\.number)
        guard !ids.isEmpty || isTruncated else { return nil }
        return StreamRemoved(ids: ids, oldest: oldest, isTruncated: isTruncated)
    }

    // MARK: Others

    private func requests(_ since: UInt64, _ last: UInt64, _ accepted: UInt64) -> StreamRequests? {
        let total = last - since
        var (accepted, refused) = (min(accepted, total), total - min(accepted, total))
        var rows: [RequestRecord] = []
        if !filter.isOpen || refused > 0 {
            let records = records(since, last)
            rows = records.filter { !$0.isAccepted }
            if !filter.isOpen {
                (accepted, refused) = (UInt64(records.count - rows.count), UInt64(rows.count))
            }
        }
        guard accepted + refused > 0 else { return nil }
        rows = rows.suffix(filter.rowCount)
        return StreamRequests(
            rows: rows.map(api.summary), accepted: accepted, refused: refused,
            skipped: refused - min(refused, UInt64(rows.count)), next: String(last))
    }

    /// The requests for this reader that are still logged; of an open filter, the refused ones.
    private func records(_ since: UInt64, _ last: UInt64) -> [RequestRecord] {
        gateway.requestLog.page(since: since, through: last, limit: .max) { record in
            if filter.isOpen { return !record.isAccepted }
            return (filter.topic == nil || filter.topic == record.topic)
                && (filter.device == nil || filter.device == api.gateway.device(of: record))
        }.items
    }

    private func devices(
        _ since: UInt64, _ last: UInt64, _ others: [String], _ removed: [String], _ isTruncated: Bool
    ) -> StreamDevices? {
        if let device = filter.device {
            let isChanged = others.contains(device) || !new(since, last, limit: 1).isEmpty
            let isRemoved = removed.contains(device)
            guard isChanged || isRemoved || isTruncated else { return nil }
            return StreamDevices(
                names: isChanged ? [device] : [], removed: isRemoved ? [device] : [], isTruncated: isTruncated)
        }
        // Only the newest pushes are read; a flood makes the list incomplete.
        let limit = UInt64(Self.readPushCount)
        let pushed = new(max(since, last - min(last, limit)), last).map(\.device)
        let names = Set(others).union(pushed).sorted()
        return StreamDevices(
            names: names, removed: removed, isTruncated: isTruncated || last - since > limit)
    }

    private static let readPushCount = 256
}

/// The data of the messages of `GET /events/stream`.
struct StreamHello: APIShape {
    var run: String
    var version: String
    var now: Instant
    var mode: SimulatedClock.Mode
    var scale: Double?
    /// The newest notification; every later one is reported.
    var next: String
    var oldest: String?
    var counts: JSONValue

    static let shape = Shape([
        "run": .with(#"pattern: "^[0-9a-f]{6}$""#, "Differs from start to start."),
        "version": .filled(),
        "scale": .with("minimum: 1, maximum: 3600"),
        "next": .ref("NotificationCursor"),
        "oldest": .ref("NotificationCursor", "The oldest stored notification."),
        "counts": .type("type: object", "As in `GET /info`."),
    ])
}

struct StreamNotifications: APIShape {
    var rows: [NotificationAnswer]
    var added: UInt64
    var changed: Int
    var skipped: UInt64
    var next: String

    static let shape = Shape(
        about: "`rows` and `skipped` add up to `added` and `changed`; changed ones come first if not all fit.",
        [
            "rows": .with("maxItems: 50", "By number; as they are when the message is sent."),
            "added": "New notifications; with a filter, those that are still stored.",
            "changed": "Existing ones whose state, timing, places or texts changed.",
            "skipped": "Those that are not in `rows`.",
            "next": .ref("NotificationCursor"),
        ])
}

struct StreamRemoved: APIShape {
    var ids: [UInt64]
    var oldest: String?
    var isTruncated: Bool

    static let shape = Shape([
        "ids": .type(
            "type: array, maxItems: 1024, items: {type: integer, minimum: 1}", "Cleared or evicted notifications."),
        "oldest": .ref(
            "NotificationCursor", "The oldest stored notification; all before it are gone. Absent when none is stored."),
        "isTruncated": "Whether more were removed.",
    ])
}

struct StreamRequests: APIShape {
    var rows: [RequestAnswer]
    var accepted: UInt64
    var refused: UInt64
    var skipped: UInt64
    var next: String

    static let shape = Shape(
        about: "`rows` and `skipped` add up to `refused`.",
        [
            "rows": .with("maxItems: 50", "Requests that were not accepted, by number."),
            "refused": "Rejected, handled by a fault rule, or too large to read.",
            "skipped": "Refused ones that are not in `rows`.",
            "next": .with(#"pattern: "^[0-9]+$""#, "The newest request; pass as `since` to `GET /requests`."),
        ])
}

struct StreamDevices: APIShape {
    var names: [String]
    var removed: [String]
    var isTruncated: Bool

    static let shape = Shape(
        about: "Devices that were created or deleted, or whose conditions, screen, badges or registrations changed.",
        [
            "names": .type("type: array, items: {type: string, minLength: 1}"),
            "removed": .type("type: array, items: {type: string, minLength: 1}"),
            "isTruncated": "Whether other devices may have changed, too, such as after more than 256 pushes at once.",
        ])
}

struct StreamFaults: APIShape, Equatable {

    static let shape = Shape(about: "All rules, when a count changes or a rule is added or removed.")
    struct Fault: APIShape, Equatable {
        var name: String
        var matched: Int
        var fired: Int

        static let shape = Shape(["name": .filled()])
    }

    var faults: [Fault]

    init(of gateway: Gateway) {
        faults = gateway.faults.statuses.map { Fault(name: $0.rule.name, matched: $0.matched, fired: $0.fired) }
    }
}

struct StreamGap: APIShape {
    var next: String

    static let shape = Shape(
        about: """
            Messages are lost: the reader was too slow or away too long, the state was loaded or reset, or too much \
            changed at once.
            """,
        [
            "next": .ref("NotificationCursor")
        ])
}

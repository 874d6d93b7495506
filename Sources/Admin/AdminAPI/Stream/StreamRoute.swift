internal import DeviceSimulator
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import NIOCore
internal import Queries
internal import Time

extension AdminAPI {
    var streamEndpoint: Endpoint {
        Endpoint(
            .get, "/events/stream", .events, "Follow what changes on the gateway, as server-sent events",
            id: "stream",
            about: """
                The first message is `hello`. The others report what changed since; the `event` of a message names the
                schema of its `data`. A message has the `id` `<run>-<number>`: with it in `Last-Event-ID` or
                `lastEventId`, the stream continues after that message if it is one of the latest 512 (at most 4 MiB)
                of this run; otherwise `gap` says to reload everything. The messages are kept for 60 seconds after the
                last reader left. Each kind comes at most ten times a second (`faults` once), and with at most 50 rows.
                A comment comes every 15 seconds. There may be 16 streams (503). With the journal, a stream shows only
                what is stored.
                """,
            answers: [.ok("The messages, until the gateway stops.", "StreamMessage", as: ["text/event-stream"])],
            query: StreamQuery.names
        ) { request in
            let query = try StreamQuery(request.query, lastEventID: request.request.headers[.lastEventID])
            let reader = try feed.open(after: query.position)
            let view = StreamView(api: self, filter: query.filter)
            let requestBody = request.request.body
            // Without a body, as for HEAD, the reader leaves at once.
            let body = ResponseBody { writer in
                var stream = EventStream(reader, view)
                // The stream ends when the client disconnects.
                try await requestBody.consumeWithCancellationOnInboundClose { _ in
                    try await stream.run { try await writer.write($0) }
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, headers: Self.streamHeaders, body: body)
        }
    }

    private static let streamHeaders: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        // Without it, nginx buffers the messages.
        .named("x-accel-buffering"): "no",
        // Watching for a disconnect makes the connection unusable.
        .connection: "close",
    ]
}

extension HTTPField.Name {
    fileprivate static let lastEventID = named("last-event-id")
}

/// The request of a stream's reader.
package struct StreamQuery: Sendable {
    static let names = ["device", "topic", "kind", "rows", "lastEventId", RequestQuery.condition]

    let filter: FeedFilter
    /// Continue after this message; nil begins now.
    package let position: FeedPosition?

    /// - Parameter lastEventID: The header that a browser sends when it reconnects; takes precedence over the query's.
    init(_ query: RequestQuery, lastEventID: String?) throws(AdminError) {
        filter = try FeedFilter(query)
        let header = lastEventID?.ifAny
        guard let text = header ?? query["lastEventId"] else {
            position = nil
            return
        }
        guard let position = FeedPosition(text) else {
            throw .badRequest(
                "'\(header == nil ? "lastEventId" : "Last-Event-ID")' is '\(text.prefix(40))'; it must be the id of a "
                    + "message of this stream, such as 0a1b2c-17.")
        }
        self.position = position
    }

    /// - Parameter text: The query without `?`.
    /// - Returns: nil if the request is rejected.
    package static func read(_ text: String, lastEventID: String?) -> StreamQuery? {
        guard let query = try? RequestQuery(text, accepting: names) else { return nil }
        return try? StreamQuery(query, lastEventID: lastEventID)
    }
}

/// The id of a message: `<run>-<number>`.
package struct FeedPosition: Sendable, Hashable, CustomStringConvertible {
    /// Differs from start to start, so that an old number never means another message.
    let run: UInt32
    package let number: UInt64

    init(run: UInt32, number: UInt64) { (self.run, self.number) = (run, number) }

    /// nil unless the text is as `description` writes it.
    package init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].utf8.count == 6, let run = UInt32(parts[0], radix: 16),
            let number = UInt64(parts[1])
        else { return nil }
        self.init(run: run, number: number)
        guard description == text else { return nil }
    }

    var runText: String { run.padded(to: 6, radix: 16) }

    package var description: String { "\(runText)-\(number)" }
}

/// Selects a reader's messages and their rows.
struct FeedFilter: Sendable {
    /// The most rows of one message; the newest are shown.
    static let maximumRowCount = 50

    let device: String?
    let topic: String?
    /// Of notifications.
    let query: Query
    let kinds: Set<FeedKind>
    let rowCount: Int

    init(_ query: RequestQuery) throws(AdminError) {
        device = query["device"]
        topic = query["topic"]
        rowCount = try query.integer("rows", in: 0...Self.maximumRowCount) ?? Self.maximumRowCount
        self.query = try query.query(QueryRoots.notifications)
        kinds = Set(try query.choices("kind") ?? FeedKind.allCases)
        guard self.query.isEmpty || kinds == [.notifications] else {
            throw .badRequest("'where' is about notifications: add kind=notifications.")
        }
    }

    /// Whether it admits all notifications.
    var isOpen: Bool { device == nil && topic == nil && query.isEmpty }

    func admits(device: String?, topic: String?) -> Bool {
        (self.device == nil || self.device == device) && (self.topic == nil || self.topic == topic)
    }
}

/// Sends the feed to one reader until the gateway stops or the connection ends.
struct EventStream {
    /// Idle streams send heartbeats, so that both ends notice a lost connection.
    static let beatInterval = Duration.seconds(15)

    private let reader: FeedReader
    private let view: StreamView
    private let gateway: Gateway
    private var number: UInt64
    private var sentAt: ContinuousClock.Instant

    init(_ reader: FeedReader, _ view: StreamView) {
        self.reader = reader
        self.view = view
        gateway = reader.feed.gateway
        number = reader.start
        sentAt = reader.feed.now()
    }

    private var feed: EventFeed { reader.feed }

    private var position: FeedPosition { FeedPosition(run: feed.run, number: number) }

    /// - Parameter write: Suspends while the client does not read.
    mutating func run(_ write: (ByteBuffer) async throws -> Void) async throws {
        try await greet(write)
        if try await drain(write) { return }
        for await _ in reader.wakeUps {
            if try await drain(write) { return }
        }
    }

    mutating func greet(_ write: (ByteBuffer) async throws -> Void) async throws {
        let reader = reader
        // After another run, a gap follows.
        let first = FeedPosition(run: feed.run, number: number == .max ? 0 : number)
        try await send(write) { $0.hello(reader, at: first) }
    }

    /// Sends everything after the position, or a heartbeat if nothing was sent for a while.
    /// - Returns: Whether the stream is over.
    mutating func drain(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool {
        while true {
            switch feed.next(after: number) {
            case .upToDate:
                guard feed.now() - sentAt >= Self.beatInterval else { return false }
                let position = position
                try await send(write) { $0.beat(at: position) }
            case .message(let message):
                number += 1
                let position = position
                try await send(write) { $0.event(message, at: position) }
            case .gap(let last, let notification):
                number = last
                let position = position
                try await send(write) { $0.event(.gap(next: notification), at: position) }
            case .stopping:
                try await write(ByteBuffer(bytes: view.stopping(at: position)))
                return true
            }
        }
    }

    /// Waits until the journal has stored everything that is sent, so that a crash cannot undo it.
    /// - Throws: After a rollback; the client connects again, and has a gap.
    private mutating func send(
        _ write: (ByteBuffer) async throws -> Void, _ text: (StreamView) -> [UInt8]?
    ) async throws {
        let rollbackCount = gateway.keeper?.rollbackCount ?? 0
        guard let bytes = text(view) else { return }
        if let keeper = gateway.keeper, await keeper.awaitOutcome(since: rollbackCount) != .written {
            throw CancellationError()
        }
        try await write(ByteBuffer(bytes: bytes))
        sentAt = feed.now()
    }
}

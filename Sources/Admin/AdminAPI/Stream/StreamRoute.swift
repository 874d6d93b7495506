internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
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

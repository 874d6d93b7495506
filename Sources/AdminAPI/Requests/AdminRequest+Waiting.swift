internal import DeviceSimulator
internal import Fields
internal import Hummingbird
internal import JSON

extension AdminRequest {
    /// The longest wait; a test that needs more has gone wrong.
    static let longestWait = Duration.seconds(600)
    /// How many a list may have, or a wait may be for.
    static let listCounts = 1...1000

    /// How many a list has at most.
    func limit() throws(AdminError) -> Int { try query.integer("limit", in: Self.listCounts) ?? Self.defaultLimit }
    static let defaultLimit = 100

    /// Answers a list, or waits for one when the query asks for it.
    ///
    /// - Parameters:
    ///   - list: what is there now.
    ///   - wait: waits for so many, and no longer than that.
    ///   - json: what is found, with the outcome of a wait.
    func list<Page: Sendable>(
        now list: () -> Page, wait: @escaping @Sendable (Int, Duration) async -> WaitResult<Page>,
        json: (Page, WaitOutcome?) -> JSONValue
    ) async throws -> Response {
        let longest = try query.value("wait", .duration(atMost: Self.longestWait, "600s"))
        let count = try query.integer("count", in: Self.listCounts)
        guard let longest else {
            if count != nil { throw AdminError.badRequest("'count' needs 'wait', such as 5s.") }
            return Response(json: json(list(), nil))
        }
        let first = await wait(count ?? 1, .zero)
        if first.outcome == .matched || longest == .zero { return Response(json: json(first.page, first.outcome)) }
        // Waits no longer than somebody listens.
        let result = try await request.body.consumeWithCancellationOnInboundClose { _ in
            await wait(count ?? 1, longest)
        }
        var response = Response(json: json(result.page, result.outcome))
        // Watching for the client to hang up uses the connection up.
        response.headers[.connection] = "close"
        return response
    }

    /// The cursor of a list that is ordered by number.
    func since() throws(AdminError) -> UInt64 {
        if query["since"] != nil, query["cursor"] != nil {
            throw .badRequest("'since' and 'cursor' mean the same; use one.")
        }
        let since = try query.integer("since", in: 0...UInt64.max)
        let cursor = try query.integer("cursor", in: 0...UInt64.max)
        return since ?? cursor ?? 0
    }
}

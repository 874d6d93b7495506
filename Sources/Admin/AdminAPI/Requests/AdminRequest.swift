internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle

/// A routed and authorized request with a valid query.
struct AdminRequest: Sendable {
    let request: Request
    /// The endpoint's, with parameters in braces.
    let path: String
    let query: RequestQuery
    let configuration: AdminConfiguration

    /// A path parameter, percent-decoded.
    func parameter(_ name: String) throws(AdminError) -> String {
        let parts = zip(path.split(separator: "/"), request.uri.path.split(separator: "/"))
        guard let text = parts.first(where: { $0.0 == "{\(name)}" })?.1 else {
            preconditionFailure("the path has no {\(name)}")
        }
        guard let decoded = percentDecoded(text), !decoded.isEmpty else {
            throw .badRequest("'\(name)' in the path is not percent-encoded UTF-8.")
        }
        return decoded
    }

    func parameter<Value>(_ name: String, _ format: FieldFormat<Value>) throws -> Value {
        try format.value(of: try parameter(name), at: name)
    }

    /// The device need not exist.
    func deviceName() throws(AdminError) -> String {
        let name = try parameter("name")
        guard DeviceName.isValid(name) else { throw .badRequest("A device's name has \(DeviceName.rule).") }
        return name
    }

    func number<Number: FixedWidthInteger>(_ name: String) throws(AdminError) -> Number {
        let text = try parameter(name)
        guard let number = Number(text) else {
            throw .badRequest("'\(name)' in the path is '\(text.prefix(40))'; it must be a whole number.")
        }
        return number
    }

    func body(limit: Int? = nil) async throws -> [UInt8] {
        let limit = limit ?? configuration.maximumBodyByteCount
        let length = request.headers[.contentLength].flatMap { Int($0) } ?? 0
        if length > limit { throw AdminError.tooLarge(limit: limit) }
        let body = request.body
        do {
            // A client that stops in mid-body must not delay shutdown.
            return try await cancelWhenGracefulShutdown {
                var bytes: [UInt8] = []
                // A long body is in memory once, not in a buffer that grows.
                bytes.reserveCapacity(max(0, length))
                for try await part in body {
                    guard bytes.count + part.readableBytes <= limit else { throw AdminError.tooLarge(limit: limit) }
                    bytes += part.readableBytesView
                }
                return bytes
            }
        } catch let error where !(error is CancellationError || error is HTTPParserError || error is AdminError) {
            throw AdminError.badRequest("The body ended early.")
        }
    }

    /// A filter in the body of a DELETE would be overlooked, and everything be deleted. Accepts what some clients send for
    /// no body: `null` or `{}`.
    func refuseBody() async throws {
        guard ["", "null", "{}"].contains(String(decoding: try await body(), as: UTF8.self)) else {
            throw AdminError.badRequest(
                "DELETE takes no body; name what to delete in the path and the query, such as ?device=phone.")
        }
    }

    /// - Parameter isNeeded: If false, an empty body means `{}`; a space or NUL is not empty.
    func members(isNeeded: Bool = false) async throws -> JSONObject {
        try Self.members(of: try await body(), isNeeded: isNeeded)
    }

    /// The error is untyped: where a typed one is inlined into an async function, Swift 6.3.1's optimizer crashes.
    static func members(of body: [UInt8], isNeeded: Bool = false) throws -> JSONObject {
        if body.isEmpty, !isNeeded { return [:] }
        if case .invalid(let problem) = PayloadScan(body.span.bytes) {
            throw AdminError.badRequest("The body is \(problem.message).")
        }
        guard case .object(let members) = JSONValue(body.span.bytes) else {
            throw AdminError.badRequest("The body must be a JSON object.")
        }
        let repeated = body.withUnsafeBytes { bytes in
            var reader = JSONReader(bytes)
            return reader.repeatedKeys()
        }
        // A payload is the provider's: APNs accepts it.
        if let path = repeated.first(where: { !$0.hasPrefix("payload") }) {
            throw AdminError.badRequest("'\(path)' occurs more than once; keep one.")
        }
        return members
    }

    /// Rejects `null` members.
    func object(accepting names: [String]) async throws -> MemberReader {
        let reader = MemberReader(.object(try await members()), accepting: names, refusesNull: true)
        try reader.finish()
        return reader
    }

    /// Rejects `null`: a complete description has nothing to reset.
    /// - Parameter ignored: Read-only members, dropped so that a client can send a response back.
    func description(isNeeded: Bool = false, without ignored: [String] = []) async throws -> JSONValue {
        var members = try await members(isNeeded: isNeeded)
        for name in ignored { members[name] = nil }
        let body = JSONValue.object(members)
        try body.refuseNull()
        return body
    }
}

extension JSONValue {
    func refuseNull(at path: FieldPath = FieldPath()) throws(AdminError) {
        if let path = firstNull(at: path) {
            throw .badRequest("'\(path)' is null; give it a value or leave it out.")
        }
    }

    /// The first `null`, with members in alphabetical order.
    private func firstNull(at path: FieldPath) -> FieldPath? {
        switch self {
        case .null: path
        case .bool, .integer, .number, .string, .verbatim: nil
        case .array(let elements):
            elements.enumerated().lazy.compactMap { $0.element.firstNull(at: path.element($0.offset)) }.first
        case .object(let members):
            members.sorted { $0.key < $1.key }.lazy.compactMap { $0.value.firstNull(at: path.member($0.key)) }.first
        }
    }
}

// MARK: Lists

extension AdminRequest {
    static let longestWait = Duration.seconds(600)
    static let listCounts = 1...1000
    static let defaultLimit = 100

    func limit() throws(AdminError) -> Int { try query.integer("limit", in: Self.listCounts) ?? Self.defaultLimit }

    /// The cursor of a list ordered by number.
    func since() throws(AdminError) -> UInt64 {
        if query["since"] != nil, query["cursor"] != nil {
            throw .badRequest("'since' and 'cursor' mean the same; use one.")
        }
        let since = try query.integer("since", in: 0...UInt64.max)
        let cursor = try query.integer("cursor", in: 0...UInt64.max)
        return since ?? cursor ?? 0
    }

    /// The cursor of a list with the newest first; nil if the oldest come first.
    func before() throws(AdminError) -> UInt64? {
        let order = try query.choice("order", of: ["oldest", "newest"]) { $0 }
        let before = try query.integer("before", in: 0...UInt64.max)
        guard order == "newest" else {
            guard before == nil else {
                throw .badRequest("'before' needs order=newest; a list with the oldest first continues with 'since'.")
            }
            return nil
        }
        for name in ["since", "cursor", "wait", "count"] where query[name] != nil {
            throw .badRequest(
                "'\(name)' and order=newest exclude each other: continue with 'before', or omit 'order' to list or await "
                    + "what comes after a number.")
        }
        return before ?? .max
    }

    /// Answers with the current page, or with `wait` in the query waits for matches.
    /// - Parameter wait: Waits for this many matches, at most this long.
    func list<Page: Sendable>(
        now list: () -> Page, wait: @escaping @Sendable (Int, Duration) async -> WaitResult<Page>,
        answer: (Page, WaitOutcome?) -> some APIShape
    ) async throws -> Response {
        let longest = try query.value("wait", .duration(atMost: Self.longestWait, "600s"))
        let count = try query.integer("count", in: Self.listCounts)
        guard let longest else {
            if count != nil { throw AdminError.badRequest("'count' needs 'wait', such as 5s.") }
            return Response(answer(list(), nil))
        }
        let first = await wait(count ?? 1, .zero)
        if first.outcome == .matched || longest == .zero { return Response(answer(first.page, first.outcome)) }
        let result = try await whileConnected { await wait(count ?? 1, longest) }
        var response = Response(answer(result.page, result.outcome))
        response.headers[.connection] = "close"
        return response
    }

    /// Cancels the wait when the client disconnects. The answer must close the connection, because watching for a disconnect
    /// makes it unusable.
    func whileConnected<Result: Sendable>(_ wait: @escaping @Sendable () async -> Result) async throws -> Result {
        try await request.body.consumeWithCancellationOnInboundClose { _ in await wait() }
    }
}

/// The end of a page of notifications or requests.
struct PageEnd: APIShape {
    /// How many entries were compared with filters; nil without any.
    var scanned: Int?
    /// These three only with the newest first.
    var total: Int?
    var isTotalExact: Bool?
    var since: String?
    var outcome: WaitOutcome?

    static let shape = Shape([
        "scanned": .ref("Scanned"),
        "total": .ref("Total"),
        "isTotalExact": .ref("IsTotalExact"),
        "since": .ref("NextSince"),
        "outcome": "Only with `wait`.",
    ])

    init<Item>(_ page: QueryPage<Item>, _ outcome: WaitOutcome?, total: MatchCount?, isFiltered: Bool) {
        scanned = isFiltered ? page.scannedCount : nil
        (self.total, isTotalExact) = (total?.count, total?.isExact)
        since = page.newest.map { String($0) }
        self.outcome = outcome
    }
}

internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Hummingbird
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import ServiceLifecycle

/// What Hummingbird keeps of a request.
struct AdminContext: RequestContext {
    var coreContext: CoreRequestContextStorage

    init(source: ApplicationRequestContextSource) { coreContext = CoreRequestContextStorage(source: source) }
}

/// A request as the routes see it: found, allowed, and its query known.
struct AdminRequest: Sendable {
    let request: Request
    let context: AdminContext
    let query: RequestQuery
    let configuration: AdminConfiguration

    /// A part of the path, decoded.
    func parameter(_ name: String) throws(AdminError) -> String {
        guard let text = context.parameters[name[...]] else { preconditionFailure("the path has no {\(name)}") }
        guard let decoded = percentDecoded(text), !decoded.isEmpty else {
            throw .badRequest("'\(name)' in the path is not percent-encoded UTF-8.")
        }
        return decoded
    }

    /// The value that a part of the path is.
    func parameter<Value>(_ name: String, _ format: FieldFormat<Value>) throws -> Value {
        try format.value(of: try parameter(name), at: name)
    }

    /// The device that the path names, whether there is one or not.
    func deviceName() throws(AdminError) -> String {
        let name = try parameter("name")
        guard DeviceName.isValid(name) else { throw .badRequest("A device's name has \(DeviceName.rule).") }
        return name
    }

    /// The app that the path names.
    func bundleID() throws -> String { try parameter("bundleId", .topic) }

    /// The number that a part of the path is.
    func number<Number: FixedWidthInteger>(_ name: String, _ type: Number.Type) throws(AdminError) -> Number {
        let text = try parameter(name)
        guard let number = Number(text) else {
            throw .badRequest("'\(name)' in the path is '\(text.prefix(40))'; it must be a whole number.")
        }
        return number
    }

    /// The body; what is larger than the limit is not read.
    func body(limit: Int? = nil) async throws -> [UInt8] {
        let limit = limit ?? configuration.maximumBodyByteCount
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit {
            throw AdminError.tooLarge(limit: limit)
        }
        let body = request.body
        do {
            // A client that stops in mid-body must not hold up the end.
            let buffer = try await cancelWhenGracefulShutdown { try await body.collect(upTo: limit) }
            return Array(buffer: buffer)
        } catch is NIOTooManyBytesError {
            throw AdminError.tooLarge(limit: limit)
        } catch let error where !(error is CancellationError || error is HTTPParserError) {
            throw AdminError.badRequest("The body ended early.")
        }
    }

    /// The members of the body, a JSON object. Blanks or a NUL are something, and no JSON.
    ///
    /// - Parameter isNeeded: Whether there must be a body; if not, nothing at all counts as `{}`.
    func members(isNeeded: Bool = false) async throws -> JSONObject {
        let body = try await body()
        if body.isEmpty, !isNeeded { return [:] }
        if case .invalid(let problem) = PayloadScan(body.span.bytes) {
            throw AdminError.badRequest("The body is \(problem.message).")
        }
        guard case .object(let members) = JSONValue(body.span.bytes) else {
            throw AdminError.badRequest("The body must be a JSON object.")
        }
        return members
    }

    /// Changes what the body names of a value, through the table of its type; nothing when something is wrong.
    func apply<Value: FieldDescribed>(to value: inout Value) async throws {
        try value.apply(.object(try await members()))
    }

    /// The body as a JSON object, in which `null` is a mistake.
    func object(accepting names: [String]) async throws -> MemberReader {
        let reader = MemberReader(.object(try await members()), accepting: names, refusesNull: true)
        try reader.finish()
        return reader
    }

    /// The body as a description of something that is made whole, so that there is nothing that `null` could take back.
    func description(isNeeded: Bool = false) async throws -> JSONValue {
        let body = JSONValue.object(try await members(isNeeded: isNeeded))
        try body.refuseNull()
        return body
    }
}

extension JSONValue {
    /// Rejects `null`: an object that is replaced as a whole has nothing to reset.
    func refuseNull(at path: FieldPath = FieldPath()) throws(AdminError) {
        if let path = firstNull(at: path) {
            throw .badRequest("'\(path)' is null; give it a value or leave it out.")
        }
    }

    /// Where the first `null` is, in the alphabetical order of members.
    private func firstNull(at path: FieldPath = FieldPath()) -> FieldPath? {
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
    ///   - answer: what is found, with the outcome of a wait.
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
        // Waits no longer than somebody listens.
        let result = try await request.body.consumeWithCancellationOnInboundClose { _ in
            await wait(count ?? 1, longest)
        }
        var response = Response(answer(result.page, result.outcome))
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

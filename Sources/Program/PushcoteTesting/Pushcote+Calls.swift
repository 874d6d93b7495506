internal import Clients
internal import Fields
internal import FoundationEssentials
internal import JSON
internal import NIOCore

extension Pushcote {
    /// Creates a device, with a unique name unless given, and conditions such as `["isOnline": false]`.
    public func device(_ name: String? = nil, _ conditions: JSON = [:]) async throws -> Device {
        let device = Device(pushcote: self, name: name ?? "device-\(UInt64.random(in: 0...(.max)))")
        try await call("PUT", "/devices/{name}", [device.name], conditions)
        return device
    }

    /// Addresses, key and counts of the gateway.
    public func info() async throws -> JSON { try await call("GET", "/info") }

    /// Verifies an expectation, an object as for `POST /verify`; a failed verdict has the nearest misses.
    public func verify(_ expectation: JSON) async throws -> Verdict {
        Verdict(try await call("POST", "/verify", [], expectation))
    }

    /// The first 100 requests of providers that meet all conditions, with their answers: `requests("status=410")`.
    public func requests(_ conditions: String...) async throws -> [JSON] {
        try await call("GET", "/requests", query: conditions.map { ("where", $0) }).requests.elements
    }

    /// Why the device showed a notification as it did, in sentences.
    /// - Parameter notification: What `wait` or `push` returned.
    public func explain(_ notification: JSON) async throws -> String {
        try await call("GET", "/notifications/{id}/explanation", [notification.id.description]).description
    }

    /// Makes the gateway fail while the body runs, with a rule such as `["scenario": "outage"]`.
    public func fault<Result>(
        _ rule: JSON, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        let names = try await call("POST", "/faults", [], rule).faults.elements.map(\.name.description)
        let result: Result
        do {
            result = try await body()
        } catch {
            try? await removeFaults(names)
            throw error
        }
        try await removeFaults(names)
        return result
    }

    /// In a task of its own: a cancelled task, such as a test after its time limit, sends nothing.
    private func removeFaults(_ names: [String]) async throws {
        try await Task { for name in names { try await call("DELETE", "/faults/{name}", [name]) } }.value
    }

    /// Removes devices, apps, requests and faults except those to keep: `reset(keeping: "devices")`.
    public func reset(keeping kept: String...) async throws {
        try await call("POST", "/reset", [], ["keep": JSON(.strings(kept))])
    }

    /// The clock that the gateway and all its devices share.
    public var clock: Clock { Clock(pushcote: self) }

    /// Stops, advances and resets a gateway's clock.
    public struct Clock: Sendable {
        let pushcote: Pushcote

        /// Stops the clock, now or at a given time such as `2027-01-01T09:00:00Z`.
        public func stop(at time: String? = nil) async throws {
            let body: JSONValue = ["mode": .string("manual"), "now": time.map { .string($0) }]
            try await pushcote.call("PUT", "/clock", [], JSON(body))
        }

        /// Advances the stopped clock; everything due happens before this returns.
        public func advance(by duration: Duration) async throws {
            try await pushcote.call("POST", "/clock/advance", [], ["by": JSON(DurationText.text(duration))])
        }

        /// Follows real time again.
        public func reset() async throws { try await pushcote.call("POST", "/clock/reset") }
    }

    /// A call of the admin API: a path of openapi.yaml below `/api/v1`, the values for its braces, and the body.
    /// - Returns: The answer; a text if it is not JSON.
    /// - Throws: `PushcoteError` with the gateway's message.
    @discardableResult
    public func call(
        _ method: String, _ path: String, _ values: [String] = [], _ body: JSON? = nil,
        query: [(name: String, value: String)] = []
    ) async throws -> JSON {
        var values = values[...]
        let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? values.popFirst() ?? "" : String($0) }
        let pairs = query.map { "\(percentEncoded($0.name))=\(percentEncoded($0.value))" }.joined(separator: "&")
        let target = "/api/v1/" + segments.map { percentEncoded($0) }.joined(separator: "/")
        let answer = try await exchange(method, pairs.isEmpty ? target : "\(target)?\(pairs)", body)
        let text = String(decoding: answer.body, as: UTF8.self)
        let json = JSON(JSONValue(answer.body.span.bytes) ?? .string(text))
        // A failed verification is an answer.
        guard answer.status < 400 || answer.status == 406 else {
            throw PushcoteError(json.error.string ?? text, status: answer.status)
        }
        return json
    }

    private func exchange(_ method: String, _ target: String, _ body: JSON?) async throws -> HTTPAnswer {
        guard let address = HostPort(admin) else { throw PushcoteError("The gateway has no admin API.") }
        var headers = [(name: "content-type", value: "application/json")]
        if let adminToken { headers.append(("authorization", "Bearer \(adminToken)")) }
        let call = HTTPCall(
            host: address.host, port: address.port, authority: admin, method: method, target: target, headers: headers,
            body: ByteBuffer(bytes: body?.value.bytes ?? []), connectTimeout: .seconds(10))
        do {
            // The gateway answers a wait within 600 seconds.
            return try await call.answer(maximumByteCount: 256 << 20, timeout: .seconds(630))
        } catch {
            throw PushcoteError("No answer from \(admin) (\(error)). Is the gateway stopped?")
        }
    }
}

extension Pushcote {
    /// A JSON value, written as a literal and read by name: `["aps": ["badge": 3]]`, `notification.payload.aps.badge == 3`.
    @dynamicMemberLookup
    public struct JSON: Hashable, Sendable, CustomStringConvertible {
        let value: JSONValue

        init(_ value: JSONValue) { self.value = value }

        /// A value that is not a literal, such as a payload's `Codable` structure.
        /// - Throws: What the value's own encoding throws.
        public init(encoding value: some Encodable) throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            self.value = JSONValue(Array(try encoder.encode(value)).span.bytes) ?? .null
        }

        /// A text that is not a literal.
        public init(_ text: String) { value = .string(text) }

        /// A number that is not a literal.
        public init(_ number: Int) { value = .integer(number) }

        /// The member with a name; nil, which is null, if there is none.
        public subscript(name: String) -> JSON { JSON(value[name] ?? .null) }

        /// The member with a name; null if there is none.
        public subscript(dynamicMember name: String) -> JSON { self[name] }

        /// The elements of a list; otherwise none.
        public var elements: [JSON] { value.elements.map { JSON($0) } }

        /// The text; nil for another value.
        public var string: String? { value.string }

        /// A text as it is, another value as JSON.
        public var description: String { string ?? value.text }

        /// The whole number; nil for another value.
        public var int: Int? { if case .integer(let number) = value { number } else { nil } }
    }
}

extension Pushcote.JSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral text: String) { value = .string(text) }
    public init(integerLiteral number: Int) { value = .integer(number) }
    public init(floatLiteral number: Double) { value = .number(number) }
    public init(booleanLiteral flag: Bool) { value = .bool(flag) }
    public init(nilLiteral: ()) { value = .null }
    public init(arrayLiteral elements: Self...) { value = .array(elements.map(\.value)) }
    public init(dictionaryLiteral members: (String, Self)...) {
        value = .object(JSONObject(members.map { ($0.0, $0.1.value) }))
    }
}

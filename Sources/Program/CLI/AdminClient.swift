package import Clients
internal import Fields
internal import JSON
internal import NIOCore

/// Client of a gateway's admin API; opens one connection per request.
package struct AdminClient: Sendable {
    package let address: AdminAddress
    private let token: String?
    /// Further addresses, tried in order when the connection fails.
    var alternatives: [AdminAddress] = []

    var connectTimeout = Duration.seconds(5)

    /// Exceeds a list of 1000 notifications with the largest payloads.
    package var maximumByteCount = 256 << 20

    package init(address: AdminAddress = .standard, token: String? = nil) {
        self.address = address
        self.token = token
    }

    /// Sends a request for a path below `/api/v1`.
    /// - Parameter expected: statuses of 400 or above that are answers, not errors.
    /// - Throws: `AdminClientError.refused` for another status of 400 or above; other cases if there is no valid answer.
    package func send(
        _ request: APICall, accepting expected: Set<Int> = []
    ) async throws(AdminClientError) -> HTTPAnswer {
        let answer = try await exchange(request, target: "/api/v1" + request.target)
        guard answer.status < 400 || expected.contains(answer.status) else {
            let problem = JSONValue(answer.body.span.bytes)?["error"]?.string
            let message = "\(address) gives no reason; is this the port of the admin API (listen.admin, default 8197)?"
            throw .refused(status: answer.status, message: problem ?? message)
        }
        return answer
    }

    /// Sends a request for a path at the root, such as `/readyz`; returns the answer whatever its status.
    package func sendToRoot(_ request: APICall) async throws(AdminClientError) -> HTTPAnswer {
        try await exchange(request, target: request.target)
    }

    func read(_ answer: HTTPAnswer, to call: APICall) throws(AdminClientError) -> Answer {
        guard let json = JSONValue(answer.body.span.bytes) else {
            throw .unexpectedAnswer(path: call.path, why: "it is not JSON")
        }
        return Answer(json)
    }

    package func ask(_ call: APICall) async throws(AdminClientError) -> Answer {
        try read(try await send(call), to: call)
    }

    private func exchange(_ request: APICall, target: String) async throws(AdminClientError) -> HTTPAnswer {
        do throws(AdminClientError) {
            return try await exchange(request, target: target, with: address)
        } catch .unreachable(let first, let why) {
            for alternative in alternatives {
                do throws(AdminClientError) {
                    return try await exchange(request, target: target, with: alternative)
                } catch .unreachable {
                    continue
                }
            }
            throw .unreachable(first, why: why)
        }
    }

    private func exchange(
        _ request: APICall, target: String, with address: AdminAddress
    ) async throws(AdminClientError) -> HTTPAnswer {
        var headers = [(name: "accept", value: "application/json")]
        if let token { headers.append(("authorization", "Bearer \(token)")) }
        if !request.body.isEmpty { headers.append(("content-type", "application/json")) }
        let call = HTTPCall(
            host: address.host, port: address.port, authority: address.authority, method: request.method.rawValue,
            target: address.path + target, headers: headers, body: ByteBuffer(bytes: request.body),
            connectTimeout: connectTimeout)
        do {
            return try await call.answer(maximumByteCount: maximumByteCount, timeout: request.timeout)
        } catch {
            switch error {
            case .unreachable(let why): throw .unreachable(address, why: why)
            case .connectTimeout:
                throw .unreachable(address, why: "no connection within \(DurationText.text(connectTimeout))")
            case .answerTimeout: throw .timedOut(address, after: request.timeout)
            case .notHTTP: throw .noAnswer(address, why: "it does not speak HTTP/1.1")
            case .spokeFirst: throw .noAnswer(address, why: "it sent data before the request")
            case .closed: throw .noAnswer(address, why: "it closed the connection")
            case .tooLong: throw .tooLong(address, byteCount: maximumByteCount)
            }
        }
    }
}

package enum AdminClientError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreachable(AdminAddress, why: String)
    case timedOut(AdminAddress, after: Duration)
    /// The connection ended before the answer did, or the answer is not HTTP.
    case noAnswer(AdminAddress, why: String)
    /// The answer has more bytes.
    case tooLong(AdminAddress, byteCount: Int)
    /// Status 400 or above, with the gateway's message.
    case refused(status: Int, message: String)
    case unexpectedAnswer(path: String, why: String)

    package var description: String {
        switch self {
        case .unreachable(let address, let why):
            "nothing answers at \(address) (\(why)): is `pushcote serve` running? Set another address with --admin or "
                + "PUSHCOTE_ADMIN"
        case .timedOut(let address, let duration):
            "\(address) accepted the request but did not answer within \(DurationText.text(duration))"
        case .noAnswer(let address, let why):
            "no answer from \(address) (\(why)): either the gateway is stopping, or this is not the port of its admin API "
                + "(listen.admin, default 8197)"
        case .tooLong(let address, let byteCount):
            "the answer of \(address) is larger than \(byteCount >> 20) MiB, the most that pushcote reads: use curl"
        case .refused(401, let message):
            "\(message) (401): pass the gateway's admin.token with --admin-token or PUSHCOTE_ADMIN_TOKEN"
        case .refused(let status, let message): "\(message) (\(status))"
        case .unexpectedAnswer(let path, let why):
            "cannot read the answer to \(path) (\(why)): do the client and the gateway have the same version?"
        }
    }
}

package struct APICall: Sendable {
    package var method: Method
    /// Path segments below the base, not escaped.
    package var segments: [String]
    package var query: Query
    package var body: [UInt8]
    package var timeout: Duration

    /// Not escaped; a pair with value `nil` is omitted.
    package typealias Query = [(name: String, value: String?)]

    package enum Method: String, Sendable {
        case get = "GET", post = "POST", put = "PUT", patch = "PATCH", delete = "DELETE"
    }

    package init(
        _ method: Method, _ segments: [String], query: Query = [], body: [UInt8] = [], timeout: Duration = .seconds(30)
    ) {
        (self.method, self.segments, self.query, self.body, self.timeout) = (method, segments, query, body, timeout)
    }

    init(_ method: Method, _ segments: [String], json: JSONValue, timeout: Duration = .seconds(30)) {
        self.init(method, segments, body: json.bytes, timeout: timeout)
    }

    /// For messages; not escaped.
    var path: String { segments.map { "/" + $0 }.joined() }

    /// Path and query, escaped: `/devices/phone%20two?limit=3`.
    package var target: String {
        let path = segments.map { "/" + percentEncoded($0) }.joined()
        let pairs = query.compactMap { pair in
            pair.value.map { "\(percentEncoded(pair.name))=\(percentEncoded($0))" }
        }
        return pairs.isEmpty ? path : path + "?" + pairs.joined(separator: "&")
    }
}

extension HTTPAnswer {
    package var text: String { String(decoding: body, as: UTF8.self) }
}

package struct AdminAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets.
    package var host: String
    package var port: Int
    /// The prefix of `/api/v1`, without a trailing slash; usually empty.
    package var path: String

    /// The default of `pushcote serve`.
    package static let standard = AdminAddress(host: "127.0.0.1", port: 8197, path: "")

    package init(host: String, port: Int, path: String = "") { (self.host, self.port, self.path) = (host, port, path) }

    /// Reads `http://127.0.0.1:8197`, `http://[::1]:8197/mock` or `localhost:8197`. The default port is 80 after
    /// `http://`, otherwise 8197.
    /// - Throws: For any other text, `https://` included: the admin API does not use TLS.
    package init(_ text: String) throws(AdminAddressProblem) {
        guard !text.lowercased().hasPrefix("https://") else {
            throw AdminAddressProblem("the admin API does not use TLS; use http://\(text.dropFirst("https://".count))")
        }
        let problem = AdminAddressProblem("accepted: an address such as http://127.0.0.1:8197")
        let hasScheme = text.lowercased().hasPrefix("http://")
        let rest = hasScheme ? text.dropFirst("http://".count) : text[...]
        let authority = rest.prefix { $0 != "/" }
        var path = String(rest[authority.endIndex...])
        while path.hasSuffix("/") { path.removeLast() }
        if path.hasSuffix("/api/v1") { path.removeLast("/api/v1".count) }
        guard !path.contains(where: { $0.isWhitespace || $0 == "?" || $0 == "#" }) else {
            throw problem
        }
        guard let address = HostPort(authority, defaultPort: hasScheme ? 80 : 8197) else { throw problem }
        self.init(host: address.host, port: address.port, path: path)
    }

    /// As in the `Host` header: `127.0.0.1:8197`.
    var authority: String { HostPort(host: host, port: port).text }

    package var description: String { "http://\(authority)\(path)" }
}

/// Why a text is not an address of the admin API, with the remedy.
package struct AdminAddressProblem: Error, CustomStringConvertible {
    package let description: String

    fileprivate init(_ description: String) { self.description = description }
}

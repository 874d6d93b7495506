internal import DeviceModel
internal import Fields
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// Talks to a gateway's admin API, one connection for each request.
package struct AdminClient: Sendable {
    /// Where the gateway is.
    package let address: AdminAddress
    private let token: String?

    /// How long a connection may take to come about.
    var connectTimeout = Duration.seconds(5)

    /// - Parameter token: The gateway's `admin.token`, when it demands one.
    package init(address: AdminAddress = .standard, token: String? = nil) {
        self.address = address
        self.token = token
    }

    /// Sends a request for a path below `/api/v1`.
    /// - Throws: `AdminError.refused` for a status of 400 and above, other `AdminError`s when there is no answer.
    package func send(_ request: AdminRequest) async throws(AdminError) -> AdminAnswer {
        let answer = try await exchange(request, target: "/api/v1" + request.target)
        guard answer.status < 400 else {
            let problem = try? JSONDecoder().decode(Problem.self, from: Data(answer.body))
            throw .refused(status: answer.status, message: problem?.error ?? "the gateway rejected \(request.target)")
        }
        return answer
    }

    /// Sends a request for a path at the root, such as `/readyz`, and returns the answer of whatever status.
    package func sendToRoot(_ request: AdminRequest) async throws(AdminError) -> AdminAnswer {
        try await exchange(request, target: request.target)
    }

    /// Decodes an answer.
    func decode<Value: Decodable>(_: Value.Type, from answer: AdminAnswer, to path: String) throws(AdminError) -> Value
    {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(answer.body))
        } catch {
            throw .unexpectedAnswer(path: path, why: words(error))
        }
    }

    /// The shape of every refusal.
    private struct Problem: Decodable {
        var error: String
    }

    private func exchange(_ request: AdminRequest, target: String) async throws(AdminError) -> AdminAnswer {
        let channel = try await connect()
        let promise = channel.eventLoop.makePromise(of: AdminAnswer.self)
        do {
            try await channel.eventLoop.submit {
                let handlers = channel.pipeline.syncOperations
                try handlers.addHTTPClientHandlers()
                try handlers.addHandler(AnswerHandler(promise: promise))
            }.get()
        } catch {
            promise.fail(error)
        }
        let timeout = channel.eventLoop.scheduleTask(in: .nanoseconds(Self.nanoseconds(request.timeout))) {
            promise.fail(ChannelError.connectTimeout(.zero))
            channel.close(promise: nil)
        }
        defer { timeout.cancel() }
        // The peer may have gone before the handlers came; only the write notices then.
        write(request, target: target, to: channel).whenFailure { _ in promise.fail(AnswerHandler.Incomplete()) }
        do {
            return try await promise.futureResult.get()
        } catch ChannelError.connectTimeout {
            throw .timedOut(address, after: request.timeout)
        } catch is HTTPParserError {
            throw .noAnswer(address, why: "it does not speak HTTP/1.1")
        } catch {
            throw .noAnswer(address, why: words(error))
        }
    }

    private func connect() async throws(AdminError) -> any Channel {
        do {
            return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(.nanoseconds(Self.nanoseconds(connectTimeout)))
                .connect(host: address.host, port: address.port).get()
        } catch {
            throw .unreachable(address, why: words(error))
        }
    }

    private func write(_ request: AdminRequest, target: String, to channel: any Channel) -> EventLoopFuture<Void> {
        var headers: HTTPHeaders = ["host": address.authority, "accept": "application/json", "connection": "close"]
        if let token { headers.add(name: "authorization", value: "Bearer \(token)") }
        if !request.body.isEmpty || request.method != .get {
            headers.add(name: "content-length", value: String(request.body.count))
        }
        if !request.body.isEmpty { headers.add(name: "content-type", value: "application/json") }
        let head = HTTPRequestHead(
            version: .http1_1, method: HTTPMethod(rawValue: request.method.rawValue), uri: address.path + target,
            headers: headers)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: request.body))), promise: nil)
        return channel.writeAndFlush(HTTPClientRequestPart.end(nil))
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }

    /// An error of NIO's or Foundation's for people.
    private func words(_ error: any Error) -> String {
        switch error {
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { words($0.error) } ?? "unknown host \(error.host)"
        case let error as IOError where error.errnoCode == ECONNREFUSED: "connection refused"
        case let error as IOError where error.errnoCode == ECONNRESET: "it closed the connection"
        case is AnswerHandler.Incomplete, ChannelError.ioOnClosedChannel, ChannelError.alreadyClosed, ChannelError.eof:
            "it closed the connection"
        case is NIOHTTPDecoderError: "it sent data before the request"
        case ChannelError.connectTimeout: "no connection within \(DurationText.text(connectTimeout))"
        case DecodingError.keyNotFound(let key, _): "\(key.stringValue) is missing"
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
        case DecodingError.dataCorrupted: "it is not JSON"
        default: "\(error)"
        }
    }
}

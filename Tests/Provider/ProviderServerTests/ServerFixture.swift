import Foundation
import HTTP2Engine
import Logging
import NIOCore
import NIOPosix
import RequestWire
import Synchronization
import TLSEngine
import TestSupport
import Testing

@testable import ProviderServer

/// Answers every request with 200: `/hold` when `/release` comes on the same connection, `/later` after a while, everything
/// else at once; `/body`, `/large` and `/clock` with a body. `/lose`, `/goaway` and `/silence` are faults.
final class EchoDelegate: ConnectionDelegate {
    let log: DelegateLog
    let description: ConnectionDescription
    var initialStreamLimit: UInt32 { 100 }

    init(log: DelegateLog, description: ConnectionDescription) {
        self.log = log
        self.description = description
        log.append("connected")
    }

    private var held: [Responder] = []

    /// A client certificate is too much here.
    var goodbye: [UInt8]? { description.tls?.clientCertificate == nil ? nil : Array("no certificates".utf8) }

    var goodbyeDetail: String { "Certificates are too much here." }

    func received(_ request: Request, _ responder: Responder) {
        log.append("request \(request.block.bodyByteCount)")
        switch path(of: request) {
        case "/hold": held.append(responder)
        case "/release":
            for responder in held { answer(responder) }
            held = []
            answer(responder)
        case "/body": answer(responder, body: Array(repeating: 0x78, count: 100))
        case "/large": answer(responder, body: Array(repeating: 0x78, count: 100_000))
        case "/clock": answer(responder, body: Array("\(ThreadClock.ofThisThread.nanoseconds)".utf8))
        case "/later": responder.schedule(after: Self.pause) { self.answer(responder) }
        case "/lose":
            responder.schedule(after: Self.pause) {
                responder.abandon()
                self.log.append("abandoned")
            }
        case "/goaway":
            responder.disown()
            responder.send(GoAwayNotice(code: .noError, lastStream: nil, unprocessed: 1, debugData: [[]], closes: true))
        case "/linger":
            answer(responder)
            responder.send(
                GoAwayNotice(code: .noError, lastStream: nil, unprocessed: 0, debugData: [[]], closes: false))
        case "/leave":
            responder.disown()
            responder.abandon()
            responder.send(
                GoAwayNotice(code: .noError, lastStream: nil, unprocessed: 1, debugData: [[]], closes: false))
        case "/slow-leave":
            responder.disown()
            responder.schedule(after: Self.pause) {
                responder.abandon()
                responder.send(
                    GoAwayNotice(code: .noError, lastStream: nil, unprocessed: 1, debugData: [[]], closes: false))
            }
        case "/close": responder.end(.close)
        case "/silence": responder.end(.silence)
        default: answer(responder)
        }
    }

    private static let pause = Duration.milliseconds(50)

    private func answer(_ responder: Responder, body: [UInt8] = []) {
        var response = Response(status: 200)
        response.body = body
        response.addField("x-http", description.httpVersion?.rawValue ?? "none")
        response.addField("x-target", description.connectTarget ?? "none")
        responder.respond(response)
    }

    private func path(of request: Request) -> String { request.block.value(of: .path) ?? "" }

    func receivedOversizedHeaders(_ responder: Responder) {
        log.append("header list")
        responder.respond(Response(status: 431))
    }

    func received(settings: [HTTP2Setting]) { log.append("settings \(settings.count)") }
    func receivedPing() { log.append("ping") }
    func refusedStreams(_ count: Int) { log.append("refused \(count)") }
    func refusedAfterGoAway() { log.append("refused after GOAWAY") }
    func receivedAll() {}
    func introduced(_ responder: Responder) {}
    func cancelled(_ stream: Int32) {}
    func sent(_ goAway: SentGoAway) {}
    func ended(_ outcome: ConnectionOutcome) {
        if let limit = outcome.limit { log.append("ended by \(limit.rawValue)") }
    }
    func closed() { log.append("closed") }
}

extension ProviderServer {
    var openConnectionCount: Int { connections.withLock { $0.count } }
}

/// A request for a path of `EchoDelegate`.
func headers(path: String, stream: Int32 = 1) -> [UInt8] {
    headers(plainFields.map { $0.0 == ":path" ? (":path", path) : $0 }, stream: stream, endStream: true)
}

/// The calls of a server's delegates, in order; a test can wait for a line.
final class DelegateLog: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (lines, continuation) = AsyncStream.makeStream() }

    func append(_ line: String) { continuation.yield(line) }

    func wait(for line: String, _ sourceLocation: SourceLocation = #_sourceLocation) async {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let end = eventLoop.scheduleTask(in: TimeAmount(Patience.limit)) { [continuation] in continuation.finish() }
        defer { end.cancel() }
        for await next in lines where next == line { return }
        Issue.record("waited \(Patience.limit) for the line '\(line)', in vain", sourceLocation: sourceLocation)
    }
}

extension ConnectionLimits {
    /// Waits without a limit: other tests may delay a test's client.
    static var patient: Self {
        var limits = Self()
        limits.handshakeTimeout = .zero
        limits.prefaceTimeout = .zero
        limits.settingsTimeout = .zero
        limits.frameTimeout = .zero
        limits.requestTimeout = .zero
        limits.sendTimeout = .zero
        limits.idleTimeout = .zero
        return limits
    }
}

/// Runs a server on port 0 and stops it afterwards.
func withServer(
    _ traffic: Traffic, host: String = "127.0.0.1", limits: ConnectionLimits = .patient,
    noticeTimeout: Duration = .zero, group: MultiThreadedEventLoopGroup = .singleton,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    edit: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (_ port: Int, _ server: ProviderServer, _ log: DelegateLog) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.addProxyTarget("API.push.apple.com.")
    configuration.limits = limits
    configuration.noticeTimeout = noticeTimeout
    edit(&configuration)
    let log = DelegateLog()
    let server = ProviderServer(
        configuration: configuration, tls: try TestCertificates.context(), group: group,
        logger: logger
    ) { EchoDelegate(log: log, description: $0) }
    let listener = try await server.listen(host: host, port: 0, traffic)
    do {
        try await body(listener.port, server, log)
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
}

/// Runs a server with one client, which speaks TLS on the provider's port.
func withClient(
    _ traffic: Traffic, isInsideTLS: Bool = true, host: String = "127.0.0.1", limits: ConnectionLimits = .patient,
    noticeTimeout: Duration = .zero, group: MultiThreadedEventLoopGroup = .singleton,
    logger: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
    edit: (inout ServerConfiguration) -> Void = { _ in },
    _ body: (_ client: RawClient, _ server: ProviderServer, _ log: DelegateLog) async throws -> Void
) async throws {
    try await withServer(
        traffic, host: host, limits: limits, noticeTimeout: noticeTimeout, group: group, logger: logger, edit: edit
    ) { port, server, log in
        try await RawClient.withConnection(to: port, host: host) { client in
            if traffic == .provider, isInsideTLS { try await client.startTLS() }
            try await body(client, server, log)
        }
    }
}

/// Certificates for the servers of these tests, made once.
enum TestCertificates {
    static let now = Int64(Date().timeIntervalSince1970)
    static let authority = Result { try CertificateAuthority(names: ["localhost", "127.0.0.1"], now: now) }
    private static let server = Result { try authority.get().issueServer(names: ["localhost", "127.0.0.1"], now: now) }

    static func context() throws -> TLSContext {
        let (server, authority) = (try server.get(), try authority.get())
        return try TLSContext(
            TLSConfiguration(
                certificateChain: server.chain, privateKey: server.key.pem,
                clientAuthorities: authority.certificate.pem + authority.intermediate.pem))
    }
}

import HTTP2Engine
import HTTP2Server
import Logging
import NIOPosix
import Synchronization
import TLSEngine

/// Answers every request by its path: `/later` answers when told, everything else 200 at once.
final class EchoDelegate: ConnectionDelegate {
    let log: DelegateLog
    let description: ConnectionDescription
    var initialStreamLimit: UInt32 { 100 }

    init(log: DelegateLog, description: ConnectionDescription) {
        self.log = log
        self.description = description
    }

    var goodbye: [UInt8]? { nil }

    func received(_ request: Request, _ responder: Responder) {
        log.append("request \(request.bodyByteCount)")
        var response = Response(status: 200)
        response.addField("x-http", description.httpVersion.rawValue)
        response.addField("x-target", description.connectTarget ?? "none")
        responder.respond(response)
    }

    func refusedHeaderList() { log.append("header list") }
    func received(settings: [HTTP2Setting]) { log.append("settings \(settings.count)") }
    func receivedPing() { log.append("ping") }
    func closed() { log.append("closed") }
}

/// What the delegates of a server saw, in order; a test can wait for a line.
final class DelegateLog: Sendable {
    private let lines: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() { (lines, continuation) = AsyncStream.makeStream() }

    func append(_ line: String) { continuation.yield(line) }

    func wait(for line: String) async {
        for await next in lines where next == line { return }
    }
}

/// Runs a server on port 0 and stops it afterwards.
func withServer(
    _ traffic: ListenerAddress.Traffic, tls: TLSContext, host: String = "127.0.0.1",
    _ body: (_ port: Int, _ server: HTTP2Server, _ log: DelegateLog) async throws -> Void
) async throws {
    var configuration = ServerConfiguration()
    configuration.proxyTargets = ["api.push.apple.com"]
    let log = DelegateLog()
    let server = try await HTTP2Server(
        configuration: configuration, tls: tls, group: .singleton, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    ) { EchoDelegate(log: log, description: $0) }
    let listener = try await server.listen(on: ListenerAddress(host: host, port: 0, traffic: traffic))
    do {
        try await body(listener.port, server, log)
    } catch {
        await server.stop(grace: .zero)
        throw error
    }
    await server.stop(grace: .zero)
}

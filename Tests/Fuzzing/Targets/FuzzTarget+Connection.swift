internal import APNs
internal import Gateway
internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import ProviderServer
internal import RequestWire
internal import TLSEngine

extension FuzzTarget {
    /// Everything behind a listener's socket: what is sniffed, the CONNECT proxy, HTTP/1.1, HTTP/2, and the gateway's answers.
    ///
    /// Control modulo 3: 0 is the clear-text port, 1 the proxy, 2 the provider's.
    static let connection = FuzzTarget("connection") { input in
        guard let input = ControlledInput(input) else { return }
        let traffic: [Traffic] = [.clearText, .proxy, .provider]
        let loop = EmbeddedEventLoop()
        let channel = EmbeddedChannel(loop: loop)
        do {
            let server = ProviderServer(
                configuration: serverConfiguration, tls: try tls.get(), group: loop,
                logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }, makeDelegate: FuzzDelegate.init)
            let handler = try server.makeHandler(for: traffic[Int(input.control) % 3], on: channel)
            try channel.pipeline.syncOperations.addHandler(handler)
            channel.pipeline.fireChannelActive()
            input.inPieces { piece in
                channel.pipeline.fireChannelRead(ByteBuffer(bytes: piece))
                channel.pipeline.fireChannelReadComplete()
                loop.run()
                return channel.isActive
            }
            while try channel.readOutbound(as: ByteBuffer.self) != nil {}
        } catch {
            preconditionFailure("\(error)")
        }
        channel.close(promise: nil)
        // Timers of a closed connection must end by themselves.
        loop.advanceTime(by: .seconds(5))
    }

    private static let serverConfiguration = {
        var configuration = ServerConfiguration()
        configuration.http2.maximumConcurrentStreams = 8
        configuration.limits.http2.frameBurst = 500
        configuration.addProxyTarget("api.push.apple.com")
        return configuration
    }()

    private static let tls = Result {
        let now: Int64 = 1_767_571_200
        let authority = try CertificateAuthority(names: ["localhost"], now: now)
        let server = try authority.issueServer(names: ["localhost"], now: now)
        return try TLSContext(
            TLSConfiguration(
                certificateChain: server.chain, privateKey: server.key.pem,
                clientAuthorities: authority.certificate.pem))
    }
}

/// Connects to a gateway that requires no credentials.
private final class FuzzDelegate: ConnectionDelegate {
    private let connection: ProviderConnection
    /// Answered when the next request comes.
    private var held: [(Responder, Response)] = []

    init(_ description: ConnectionDescription) {
        connection = FuzzGateway(isOpen: true, isStrict: false, hasFaults: false).connect()
    }

    var initialStreamLimit: UInt32 { connection.initialStreamLimit }
    var goodbye: [UInt8]? { nil }
    var goodbyeDetail: String { "" }

    func received(_ request: Request, _ responder: Responder) {
        let answer = connection.answer(request.block)
        var response = Response(status: answer.status)
        response.body = answer.body
        for (responder, response) in held { responder.respond(response) }
        held = []
        // Rejections are delayed to cover late answers.
        if answer.status == 200 { responder.respond(response) } else { held.append((responder, response)) }
        if let limit = answer.streamLimit { responder.setStreamLimit(limit) }
    }

    func receivedOversizedHeaders(_ responder: Responder) { responder.respond(Response(status: 431)) }
    func received(settings: [HTTP2Setting]) {
        connection.received(settings: settings.map { (name: $0.name, value: $0.value) })
    }
    func receivedPing() { connection.receivedPing() }
    func receivedAll() {}
    func introduced(_ responder: Responder) {}
    func cancelled(_ stream: Int32) {}
    func sent(_ goAway: SentGoAway) {}
    func ended(_ outcome: ConnectionOutcome) {}
    func refusedStreams(_ count: Int) { connection.refusedStreams(count) }
    func refusedAfterGoAway() { connection.refusedAfterGoAway() }
    func closed() { connection.closed() }
}

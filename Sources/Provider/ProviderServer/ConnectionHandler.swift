internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import RequestWire
internal import Synchronization
internal import TLSEngine

/// One HTTP/2 connection on its socket. Writes once per event loop turn.
final class ConnectionHandler: ServingHandler {
    typealias InboundIn = ByteBuffer

    enum Transport {
        case clearText
        case tls(TLSConnection)
    }

    let server: ProviderServer
    let transport: Transport
    private var description: ConnectionDescription
    let loop: EventLoopState
    var context: ChannelHandlerContext?
    var session: HTTP2Session?
    var delegate: (any ConnectionDelegate)?
    var lifecycle = ConnectionLifecycle.serving
    var watch: ConnectionWatch
    /// A read is in progress; output is written at its end.
    var isInTurn = false
    var isClosing = false
    let faults = ConnectionFaults()
    var ending: ConnectionOutcome?
    /// Debug data of a graceful shutdown's GOAWAY.
    var shutdownDebugData = Array(#"{"reason":"Shutdown"}"#.utf8)
    /// The client's SETTINGS, its first frame, arrived.
    private var isIntroduced = false
    /// Streams refused in this turn, and whether the connection has logged any refusal.
    private var refusedStreamCount = 0
    private var hasLoggedRefusedStreams = false

    init(server: ProviderServer, transport: Transport, description: ConnectionDescription, loop: EventLoopState) {
        self.server = server
        self.transport = transport
        self.description = description
        self.description.httpVersion = .http2
        self.loop = loop
        watch = ConnectionWatch(timeouts: server.timeouts, now: loop.now)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        attach(to: context)
        if case .clearText = transport { open(tls: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { release() }

    func channelInactive(context: ChannelHandlerContext) {
        release()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosing, !faults.isSilent else { return }
        isInTurn = true
        let bytes = unwrapInboundIn(data)
        switch transport {
        case .clearText: receive(bytes.readableBytesSpan)
        case .tls(let tls): decrypt(bytes.readableBytesSpan, tls)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isInTurn = false
        flush()
        loop.frames.removeAll(keepingCapacity: true)  // what a connection that has ended left unsent
    }

    /// Stops reading while the peer does not read its responses.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        watch.writability(isWritable, now: loop.now)
        context.channel.setOption(.autoRead, value: isWritable).whenFailure { _ in }
        if isWritable { flush() }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        server.logger.debug("Connection failed", metadata: ["error": "\(error)"])
        ending = ending ?? .client
        close()
    }

    private func decrypt(_ bytes: RawSpan, _ tls: TLSConnection) {
        do throws(TLSError) {
            loop.plaintext.removeAll(keepingCapacity: true)
            let progress = try tls.receive(bytes, into: &loop.plaintext)
            if session == nil, let handshake = tls.handshake { open(tls: handshake) }
            let plaintext = loop.plaintext  // a second reference, not a copy; released before the next turn writes
            if !plaintext.isEmpty { receive(plaintext.span.bytes) }
            if progress == .closed {
                ending = ending ?? .client
                closeAfterFlush()
            }
        } catch {
            refuse(error)
        }
    }

    /// Starts HTTP/2, after the handshake if there is TLS.
    private func open(tls: TLSHandshake?) {
        guard context != nil else { return }
        description.tls = tls
        let delegate = server.makeDelegate(description)
        var settings = server.configuration.http2
        settings.maximumConcurrentStreams = delegate.initialStreamLimit
        self.delegate = delegate
        do throws(HTTP2Error) {
            session = try HTTP2Session(settings: settings, limits: server.configuration.limits.http2, now: loop.now)
            watch.handshakeFinished(now: loop.now)
            if !isInTurn { flush() }
        } catch {
            fail(error)
        }
    }

    private func receive(_ bytes: RawSpan) {
        guard let session else { return }
        do throws(HTTP2Error) {
            try session.receive(bytes, now: loop.now) {
                handleEvents(of: session)
                if !isClosing, !faults.isSilent { takeFrames() }
            }
            handleEvents(of: session)
            delegate?.receivedAll()
            if refusedStreamCount > 0 { reportRefusedStreams() }
        } catch  where error.isBadPreface {
            refusePreface(bytes)
        } catch {
            fail(error)
        }
    }

    private func handleEvents(of session: HTTP2Session) {
        while let event = session.nextEvent() {
            if !isClosing && !faults.isSilent { handle(event) }
        }
    }

    private func handle(_ event: consuming HTTP2Event) {
        switch consume event {
        case .request(let request):
            if isAnnouncedAsUnprocessed(request.stream) { break }
            faults.process(request.stream)
            let responder = Responder(sink: self, stream: request.stream)
            delegate?.received(request, responder)
        case .headerListTooLarge(let stream):
            if isAnnouncedAsUnprocessed(stream) { break }
            faults.process(stream)
            delegate?.receivedOversizedHeaders(Responder(sink: self, stream: stream))
        case .settings(let settings):
            watch.settingsReceived()
            delegate?.received(settings: settings)
            guard !isIntroduced else { return }
            isIntroduced = true
            if let debugData = delegate?.goodbye { return dismiss(debugData) }
            if let channel = context?.channel { server.connections.withLock { $0.serve(channel) } }
            delegate?.introduced(Responder(sink: self, stream: 0))
        case .ping: delegate?.receivedPing()
        case .pingAcknowledged: perform(lifecycle.noticeAcknowledged())
        case .attack(let attack):
            record(attack)
            closeAfterFlush()
        case .streamClosed(let stream, _):
            faults.abandoned.remove(stream)
            delegate?.cancelled(stream)
        case .streamRefused:
            // After a fault's GOAWAY every stream is refused, whatever the limit.
            if faults.isLingering { delegate?.refusedAfterGoAway() } else { refusedStreamCount += 1 }
        case .goAway:
            // The client ends the connection, unless it answers our own GOAWAY.
            if lifecycle == .serving, !faults.isLingering { ending = ending ?? .client }
        }
    }

    private func reportRefusedStreams() {
        delegate?.refusedStreams(refusedStreamCount)
        if !hasLoggedRefusedStreams { log(.refusedStreams, ["streams": "\(refusedStreamCount)"]) }
        hasLoggedRefusedStreams = true
        refusedStreamCount = 0
    }

    private func release() {
        guard context != nil else { return }
        if isInTurn { loop.frames.removeAll(keepingCapacity: true) }
        faults.cancelTimers()
        detach()
    }
}

/// The life of a connection during a graceful shutdown (RFC 9113 §6.8).
enum ConnectionLifecycle {
    case serving
    /// The notice was sent; streams opened before the client reads it are still served.
    case notified
    /// GOAWAY with the last stream was sent; open streams may finish.
    case draining
    case closed

    enum Action: Equatable { case none, sendNotice, sendGoAway, closeSocket }

    mutating func stopRequested() -> Action { advance(from: .serving, to: .notified, .sendNotice) }

    /// The client acknowledged the PING sent after the notice, so it has read the notice.
    mutating func noticeAcknowledged() -> Action { advance(from: .notified, to: .draining, .sendGoAway) }

    mutating func flushed(openStreams: Int) -> Action {
        openStreams == 0 ? advance(from: .draining, to: .closed, .closeSocket) : .none
    }

    private mutating func advance(from state: Self, to next: Self, _ action: Action) -> Action {
        guard self == state else { return .none }
        self = next
        return action
    }
}

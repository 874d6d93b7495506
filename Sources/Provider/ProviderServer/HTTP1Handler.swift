internal import HTTP2Engine
internal import NIOCore
internal import NIOHTTP1
internal import RequestWire
internal import Synchronization

/// Sequential HTTP/1.1 requests on the clear-text port, for back ends without HTTP/2.
final class HTTP1Handler: ServingHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let server: ProviderServer
    private let description: ConnectionDescription
    let loop: EventLoopState
    var context: ChannelHandlerContext?
    var delegate: (any ConnectionDelegate)?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var bodyByteCount = 0
    private var isAnswering = false
    /// A response to HEAD has no body (RFC 9110 §9.3.2).
    private var isHead = false
    /// The first bytes are no request line, so neither is their beginning a method.
    var isNonsense = false
    /// The end of the request's body; a request that is too large is answered before it.
    private var hasEnd = false
    let faults = ConnectionFaults()
    var ending: ConnectionOutcome?
    private var isStopping = false
    private var keepsAlive = true
    /// Start of the connection, of the request, or of the idle time after the last response.
    private var since: Int64
    private var isIntroduced = false
    private var unreadSince: Int64?
    /// When the first bytes of an incomplete head arrived.
    private var headSince: Int64?

    init(server: ProviderServer, description: ConnectionDescription, loop: EventLoopState) {
        self.server = server
        self.description = description
        self.loop = loop
        since = loop.now
    }

    func handlerAdded(context: ChannelHandlerContext) {
        attach(to: context)
        var description = description
        description.httpVersion = .http1
        delegate = server.makeDelegate(description)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        faults.cancelTimers()
        detach()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !faults.isSilent else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            headSince = nil
            since = loop.now
            let channel = context.channel
            if !isIntroduced { server.connections.withLock { $0.serve(channel) } }
            isIntroduced = true
            keepsAlive = head.isKeepAlive
            isHead = head.method == .HEAD
            hasEnd = false
            body = []
            bodyByteCount = 0
            if head.headers["expect"].contains(where: { $0.lowercased() == "100-continue" }) {
                context.writeAndFlush(wrapOutboundOut(.head(.init(version: .http1_1, status: .continue))), promise: nil)
            }
        case .body(let chunk):
            guard head != nil else { return }
            bodyByteCount += chunk.readableBytes
            let room = server.configuration.http2.keptBodyByteCount - body.count
            if room > 0 { body.append(contentsOf: chunk.readableBytesView.prefix(room)) }
            if bodyByteCount > server.configuration.http2.drainedBodyByteCount {
                keepsAlive = false
                dispatch()
            }
        case .end:
            headSince = nil
            hasEnd = true
            dispatch()
        }
    }

    /// Bytes arrived before a complete head.
    func receivedBytes() { headSince = headSince ?? loop.now }

    /// Stops reading while the client does not read its responses.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        unreadSince = isWritable ? nil : loop.now
        context.channel.setOption(.autoRead, value: isWritable).whenFailure { _ in }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        ending = ending ?? .client
        guard let error = error as? HTTPParserError, !isAnswering else { return close() }
        head = nil
        isAnswering = true
        (isHead, hasEnd) = (false, false)
        refuse(error == .invalidMethod && !isNonsense ? .methodNotAllowed : .malformed)
    }

    private func dispatch() {
        guard let head = head.take() else { return }
        isAnswering = true
        guard head.version != .http1_1 || head.headers["host"].count == 1 else { return refuse(.missingHost) }
        let fields = Self.fields(of: head)
        let listSize = fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        guard listSize <= server.configuration.http2.maximumHeaderListSize else {
            delegate?.receivedOversizedHeaders(Responder(sink: self, stream: 1))
            return
        }
        var block = RequestBlock(fields: fields, body: body, bodyByteCount: bodyByteCount)
        if !hasEnd { block.announceBody(byteCount: head.headers.first(name: "content-length").flatMap { Int($0) }) }
        let request = Request(stream: 1, block: block)
        delegate?.received(request, Responder(sink: self, stream: request.stream))
        delegate?.receivedAll()
    }

    private static func fields(of head: HTTPRequestHead) -> [(name: String, value: String)] {
        let target = RequestTarget(head.uri)
        let pseudo = [
            (name: ":method", value: head.method.rawValue), (name: ":scheme", value: "http"),
            (name: ":path", value: target.path),
        ]
        return pseudo
            + head.headers.map { name, value in
                let name = name.lowercased()
                return (name: name, value: name == "host" ? target.authority ?? value : value)
            }
    }

    /// Answers a request that the delegate never gets, and closes.
    private func refuse(_ refusal: HTTP1Refusal) {
        keepsAlive = false
        respond(to: 1, with: refusal.response)
    }
}

extension HTTP1Handler: ResponseSink {
    @discardableResult
    func respond(to stream: Int32, with response: Response) -> Bool {
        guard let context, isAnswering, !faults.isSilent else { return false }
        isAnswering = false
        since = loop.now
        var headers = HTTPHeaders(response.textFields)
        headers.add(name: "content-length", value: String(response.body.count))
        let closes = isStopping || !keepsAlive
        if closes { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: Int(response.status)), headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if !response.body.isEmpty, !isHead {
            let body = context.channel.allocator.buffer(bytes: response.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        }
        guard closes else {
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            return true
        }
        ending = ending ?? (isStopping ? .gateway : .client)
        guard hasEnd else {
            // Closing while the client still sends causes a reset, which may discard the response.
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            context.closeHalf()
            return true
        }
        // Closing earlier would discard what the socket has not taken yet.
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
        return true
    }

    var isConnected: Bool { context != nil && !faults.isSilent }

    func isOpen(_ stream: Int32) -> Bool { isConnected && isAnswering }

    func setStreamLimit(_ limit: UInt32) {}
}

extension HTTP1Handler {
    func stop() {
        isStopping = true
        let isBusy = isAnswering || head != nil
        if !isBusy || faults.isSilent || !faults.abandoned.isEmpty { close() }
    }

    func close() {
        ending = ending ?? .gateway
        context?.close(promise: nil)
    }

    func checkTimeouts(at now: Int64) {
        guard let attack = overdue(at: now) else { return }
        server.attacks.add(attack)
        ending = .limit(attack)
        if let context { server.log(attack, of: context.channel) }
        close()
    }

    private func overdue(at now: Int64) -> AttackClass? {
        if let unreadSince { return now - unreadSince >= server.timeouts.send ? .slowReader : nil }
        // A request waiting for its response is not the client's delay.
        guard !isAnswering else { return nil }
        guard head == nil, isIntroduced else { return now - since >= server.timeouts.request ? .slowRequest : nil }
        if let headSince, now - max(headSince, since) >= server.timeouts.request { return .slowRequest }
        return now - since >= server.timeouts.idle ? .idle : nil
    }
}

/// The faults that HTTP/1.1 can express; it has no streams, windows or GOAWAY.
extension HTTP1Handler {
    func abandon(_ stream: Int32) { faults.abandoned.insert(stream) }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) { end(.reset) }

    /// The response was already sent whole.
    func trickle(_ stream: Int32, every pause: Duration, then end: @escaping () -> Void) { end() }

    func disown(_ stream: Int32) {}

    func resetAgain(_ stream: Int32, _ code: HTTP2ErrorCode) {}

    func setInitialWindow(_ byteCount: UInt32) {}
    func starve(_ scope: WindowScope) {}

    /// Closes after the response.
    func send(_ notice: GoAwayNotice, about stream: Int32) { stop() }

    func end(_ end: ConnectionEnd) {
        switch end {
        case .silence: faults.isSilent = true
        case .reset:
            ending = .reset
            context?.channel.resetTCP()
        case .close:
            ending = .close
            faults.isSilent = true
            context?.closeHalf()
        }
    }
}

/// Reports received bytes to the handler; the decoder hides a slowly sent head until it is complete.
final class HTTP1ByteObserver: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let handler: HTTP1Handler

    init(handler: HTTP1Handler) { self.handler = handler }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        handler.receivedBytes()
        context.fireChannelRead(data)
    }
}

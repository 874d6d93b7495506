internal import Clients
internal import Gateway
internal import HTTP2Engine
internal import NIOCore

/// One connection to the upstream. Nothing is sent twice: a push without an answer may have arrived.
final class RelayLink: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// Concurrent pushes; the upstream's own limit may be lower.
    private static let concurrency = 100
    private static let timeout = TimeAmount.seconds(30)
    /// For TLS and the upstream's SETTINGS.
    private static let handshakeTimeout = TimeAmount.seconds(10)

    private let relay: Relay
    private var context: ChannelHandlerContext?
    private var http2: HTTP2Client?
    private var sent: [Int32: (push: RelayedPush, timer: Scheduled<Void>)] = [:]
    private var isReady = false
    /// The relay owns it.
    private var isOpen = false
    private var isLeaving = false
    private var lastReadAt = NIODeadline.now()
    /// Why the upstream ended it.
    private var reason = "the connection ended before the answer"

    init(_ relay: Relay) { self.relay = relay }

    var hasRoom: Bool { isReady && !isLeaving && sent.count < Self.concurrency }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.handshakeTimeout) { [weak self] in
            guard let self, !isReady else { return }
            end("no TLS and HTTP/2 within 10 s")
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let handshake = event as? TLSClientHandler.Established else { return }
        guard handshake.selectedProtocol == "h2" else { return end("the upstream does not speak HTTP/2") }
        do {
            http2 = try HTTP2Client()
            try flush()
        } catch {
            end("\(error)")
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastReadAt = .now()
        do {
            try receive(unwrapInboundIn(data))
        } catch {
            end("\(error)")
        }
    }

    func channelInactive(context: ChannelHandlerContext) { end(reason) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end("\(error)") }

    func send(_ push: RelayedPush, _ fields: [(name: String, value: String)]) {
        guard let http2, let context else { return relay.record(.failed(reason), of: push) }
        do {
            let stream = try http2.send(fields, body: push.payload)
            let sentAt = NIODeadline.now()
            let timer = context.eventLoop.assumeIsolated().scheduleTask(in: Self.timeout) { [weak self] in
                guard let self else { return }
                // A silent connection may be dead; the next push gets another one.
                if lastReadAt < sentAt { end("the upstream was silent for 30 s") } else { expire(stream) }
            }
            sent[stream] = (push, timer)
            try flush()
        } catch {
            relay.record(.failed("\(error)"), of: push)
            end("\(error)")
        }
    }

    func close() { end("the gateway stopped") }

    private func receive(_ bytes: ByteBuffer) throws {
        guard let http2 else { return }
        let events = try http2.receive(bytes.readableBytesSpan)
        for event in events { handle(event) }
        try flush()
        if http2.isFinished { return end(reason) }
        guard hasRoom, !events.isEmpty else { return }
        isOpen = true
        relay.advance(self)
    }

    private func handle(_ event: HTTP2Client.Event) {
        switch event {
        case .ready: isReady = true
        case .answered(let stream, let answer):
            finish(stream, .answered(RelayAnswer(status: answer.status, body: answer.body)))
        case .failed(let stream, let errorCode):
            finish(stream, .failed(isLeaving ? reason : "the stream was reset with code \(errorCode)"))
        case .goAway(let debugData):
            isLeaving = true
            let words = RelayAnswer.reason(in: debugData) ?? "no reason"
            reason = "the upstream ended the connection: \(words)"
            relay.left(self)
        }
        if isLeaving, sent.isEmpty { end(reason) }
    }

    private func expire(_ stream: Int32) {
        finish(stream, .failed("no answer within 30 s"))
        try? http2?.cancel(stream)
        try? flush()
        // There is room again, even if no answer ever arrives.
        if hasRoom { relay.advance(self) }
    }

    private func finish(_ stream: Int32, _ fate: RelayResult.Fate) {
        guard let (push, timer) = sent.removeValue(forKey: stream) else { return }
        timer.cancel()
        relay.record(fate, of: push)
    }

    private func flush() throws {
        guard let frames = try http2?.takeOutput(), !frames.isEmpty, let context else { return }
        context.writeAndFlush(NIOAny(context.channel.allocator.buffer(bytes: frames)), promise: nil)
    }

    private func end(_ reason: String) {
        guard let context else { return }
        self.context = nil
        isLeaving = true
        for stream in sent.keys { finish(stream, .failed(reason)) }
        context.close(promise: nil)
        if isOpen { relay.left(self) } else { relay.failed("no connection: \(reason)") }
    }
}

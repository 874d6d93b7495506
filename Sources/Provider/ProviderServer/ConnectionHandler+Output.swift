internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import RequestWire
internal import TLSEngine

extension ConnectionHandler: ResponseSink {
    @discardableResult
    func respond(to stream: Int32, with response: Response) -> Bool {
        guard isConnected else { return false }
        var isAccepted = false
        attempt { session throws(HTTP2Error) in
            isAccepted = try session.respond(to: stream, with: response, now: loop.now)
        }
        return isAccepted
    }

    var isConnected: Bool { context != nil && !isClosing && !faults.isSilent }

    func isOpen(_ stream: Int32) -> Bool { isConnected && session?.isOpen(stream) == true }

    func hold() -> Bool {
        guard !isInTurn else { return false }
        isInTurn = true
        return true
    }

    func flushHeld() {
        isInTurn = false
        flush()
    }

    func setStreamLimit(_ limit: UInt32) {
        guard !faults.isLingering else { return }
        attempt { session throws(HTTP2Error) in try session.setStreamLimit(limit) }
    }

    func goAway(_ code: HTTP2ErrorCode, debugData: [UInt8]) {
        attempt { session throws(HTTP2Error) in try session.submitGoAway(code, debugData: debugData) }
    }

    func attempt(_ action: (HTTP2Session) throws(HTTP2Error) -> Void) {
        guard let session else { return }
        do throws(HTTP2Error) {
            try action(session)
            if !isInTurn { flush() }
        } catch {
            fail(error)
        }
    }

    /// Writes all queued output at once, unless the peer reads too slowly.
    func flush() {
        guard !isClosing, !faults.isSilent else { return }
        writeFrames()
        guard let session, let context, context.channel.isActive else { return }
        perform(lifecycle.flushed(openStreams: awaitedStreamCount))
        closeAfterPromisedResponses()
        if session.isFinished { finish() }
    }

    func writeFrames() {
        guard let context, context.channel.isActive, takeFrames() else {
            return loop.frames.removeAll(keepingCapacity: true)
        }
        // Taken first: a write may call `channelWritabilityChanged`, and so this function, before it returns.
        var frames: [UInt8] = []
        swap(&frames, &loop.frames)
        if !frames.isEmpty {
            writePlaintext(frames)
            reportSentGoAways()
        }
        writeCiphertext()
        frames.removeAll(keepingCapacity: true)
        if loop.frames.isEmpty { swap(&frames, &loop.frames) }
    }

    /// Appends queued output to the turn's frames, unless the peer reads too slowly.
    /// - Returns: False when that ended the connection.
    @discardableResult
    func takeFrames() -> Bool {
        guard let session, let context, context.channel.isWritable, session.wantsOutput else { return true }
        do throws(HTTP2Error) {
            try session.takeOutput(into: &loop.frames)
            return true
        } catch {
            server.logger.debug("HTTP/2 ended", metadata: ["error": "\(error)"])
            finish()
            return false
        }
    }

    func reportSentGoAways() {
        guard let session, !session.sentGoAways.isEmpty else { return }
        for goAway in session.takeSentGoAways() {
            delegate?.sent(goAway)
            // A limit has its own line.
            if goAway.isViolation, ending?.limit == nil { reportViolation(goAway) }
        }
    }

    func closeAfterFlush() {
        delegate?.receivedAll()
        isInTurn = false
        writeFrames()
        finish()
    }

    /// Half-closes first: closing while the client still sends causes a reset, which may discard the GOAWAY.
    private func finish() {
        guard !isClosing, let context else { return }
        isClosing = true
        ending = ending ?? .gateway
        closeTLS()
        context.closeHalf()
    }

    private func closeTLS() {
        guard case .tls(let tls) = transport else { return }
        tls.close()
        writeCiphertext()
    }

    /// Over TLS, the ciphertext leaves with `writeCiphertext`.
    func writePlaintext(_ bytes: [UInt8]) {
        guard let context, !bytes.isEmpty else { return }
        switch transport {
        case .clearText: context.send(bytes)
        case .tls(let tls):
            do throws(TLSError) { try tls.send(bytes.span.bytes) } catch { close() }
        }
    }

    func writeCiphertext() {
        guard let context, case .tls(let tls) = transport else { return }
        let bytes = tls.takeOutput()
        guard !bytes.isEmpty else { return }
        context.send(bytes)
    }
}

extension ChannelHandlerContext {
    /// Delay between half-close and close.
    private static let linger = TimeAmount.seconds(1)

    func send(_ bytes: [UInt8]) { writeAndFlush(NIOAny(channel.allocator.buffer(bytes: bytes)), promise: nil) }

    /// Half-closes, then closes after a delay, because closing while the client still sends causes a reset.
    func closeHalf() {
        close(mode: .output, promise: nil)
        let channel = channel
        eventLoop.scheduleTask(in: Self.linger) { channel.close(promise: nil) }
    }
}

extension ConnectionHandler {
    func stop() {
        if faults.isSilent { return close() }
        perform(lifecycle.stopRequested())
        endOnceIdle()
    }

    /// Grace is for open requests. A client that keeps an idle connection may not read the notice until its next one.
    private func endOnceIdle() {
        let timeout = server.configuration.noticeTimeout
        guard timeout > .zero else { return }
        schedule(after: timeout) { [weak self] in
            guard let self, isConnected, lifecycle == .notified else { return }
            guard awaitedStreamCount == 0 else { return endOnceIdle() }
            // Flushing the GOAWAY half-closes; the client's end, or a moment, closes.
            perform(lifecycle.noticeAcknowledged())
            schedule(after: timeout) { [weak self] in self?.context?.close(promise: nil) }
        }
    }

    func close() {
        ending = ending ?? .gateway
        closeTLS()
        context?.close(promise: nil)
    }

    func perform(_ action: ConnectionLifecycle.Action) {
        switch action {
        case .none: break
        case .sendNotice:
            // Before HTTP/2 starts there is no peer to notify.
            guard session != nil else { return close() }
            attempt { session throws(HTTP2Error) in try session.submitShutdownNotice(debugData: shutdownDebugData) }
        case .sendGoAway: goAway(.noError, debugData: shutdownDebugData)
        case .closeSocket: finish()
        }
    }
}

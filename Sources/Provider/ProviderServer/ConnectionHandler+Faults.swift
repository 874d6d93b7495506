internal import HTTP2Engine
internal import NIOCore
internal import RequestWire

extension ConnectionHandler {
    func abandon(_ stream: Int32) {
        // The client may have cancelled it already.
        if session?.isOpen(stream) == true { faults.abandoned.insert(stream) }
        if !isInTurn { flush() }
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        faults.abandoned.remove(stream)
        attempt { session throws(HTTP2Error) in try session.reset(stream: stream, code) }
    }

    func trickle(_ stream: Int32, every pause: Duration, then end: @escaping () -> Void) {
        schedule(after: pause) { [weak self] in
            guard let self else { return }
            var hasMore = false
            attempt { session throws(HTTP2Error) in
                hasMore = try session.releaseBody(of: stream, now: loop.now)
            }
            if hasMore { trickle(stream, every: pause, then: end) } else { end() }
        }
    }

    func disown(_ stream: Int32) { faults.disown(stream) }

    func resetAgain(_ stream: Int32, _ code: HTTP2ErrorCode) {
        guard !isClosing, !faults.isSilent else { return }
        writeFrames()
        writePlaintext(HTTP2Session.resetFrame(stream, code))
        writeCiphertext()
    }

    func setInitialWindow(_ byteCount: UInt32) {
        attempt { session throws(HTTP2Error) in try session.setInitialWindow(byteCount) }
    }

    func starve(_ scope: WindowScope) { session?.starvedWindow = scope }

    func send(_ notice: GoAwayNotice, about stream: Int32) {
        guard !isClosing, !faults.isSilent else { return }
        if let idle = notice.idle {
            faults.idleSince = .now()
            return wait(idle, notice, stream)
        }
        guard notice.isGraceful else { return sendGoAways(notice, about: stream) }
        shutdownDebugData = notice.debugData.first ?? []
        perform(lifecycle.stopRequested())
    }

    private func wait(_ rest: Duration, _ notice: GoAwayNotice, _ stream: Int32) {
        schedule(after: rest) { [weak self] in
            guard let self, let idle = notice.idle, let since = faults.idleSince else { return }
            let rest = idle - .nanoseconds((NIODeadline.now() - since).nanoseconds)
            if awaitedStreamCount > 0 { return wait(idle, notice, stream) }
            if rest > .zero { return wait(rest, notice, stream) }
            var notice = notice
            notice.idle = nil
            send(notice, about: stream)
        }
    }

    private func sendGoAways(_ notice: GoAwayNotice, about stream: Int32) {
        guard let session else { return }
        session.refuseNewStreams()
        faults.isLingering = true
        let last = notice.last(about: stream, processed: faults.processed.last)
        // Later streams were processed, so the last-stream-id cannot exclude this one; reset it.
        if notice.excludesRequest, stream > 0, stream <= last { reset(stream, .refusedStream) }
        writeFrames()
        for debugData in notice.debugData {
            writePlaintext(session.announceGoAway(notice.code.number, lastStream: last, debugData: debugData))
        }
        reportSentGoAways()
        writeCiphertext()
        guard notice.closes else { return }
        faults.isEnding = true
        closeAfterPromisedResponses()
    }

    /// Closes after the last response that a GOAWAY promised.
    func closeAfterPromisedResponses() {
        guard faults.isEnding, awaitedStreamCount == 0 else { return }
        faults.isEnding = false
        closeAfterFlush()
    }

    /// Whether a GOAWAY excluded the request. If the connection stays open, also resets the stream.
    func isAnnouncedAsUnprocessed(_ stream: Int32) -> Bool {
        guard let session, stream > session.lastStream else { return false }
        if faults.isLingering, !faults.isEnding { reset(stream, .refusedStream) }
        return true
    }

    func end(_ end: ConnectionEnd) {
        guard !isClosing else { return }
        if !faults.isSilent { writeFrames() }
        switch end {
        case .silence: faults.isSilent = true
        case .reset:
            isClosing = true
            ending = .reset
            context?.channel.resetTCP()
        case .close:
            isClosing = true
            ending = .close
            context?.closeHalf()
        }
    }

    /// Open streams that will be answered.
    var awaitedStreamCount: Int {
        guard let session else { return 0 }
        let last = session.lastStream
        return session.openStreamCount(upTo: last) - faults.abandoned.count { $0 <= last && session.isOpen($0) }
    }
}

/// A class, because every push reads it and accesses to a struct would be checked for exclusivity.
final class ConnectionFaults {
    var abandoned: Set<Int32> = []
    /// The socket stays open; what arrives is discarded, and nothing is written.
    var isSilent = false
    /// GOAWAY was sent but the connection stays open; new streams are refused whatever the announced limit.
    var isLingering = false
    /// GOAWAY was sent; the connection closes after the last promised response.
    var isEnding = false
    /// The highest processed stream, with and without the latest request.
    private(set) var processed: (last: Int32, before: Int32) = (0, 0)
    /// Time of the last request, while a GOAWAY waits for an idle period.
    var idleSince: NIODeadline?
    private var timers: [Int: Scheduled<Void>] = [:]
    private var timerCount = 0

    func process(_ stream: Int32) {
        if idleSince != nil { idleSince = .now() }
        processed = (max(processed.last, stream), processed.last)
    }

    /// Undoes `process` for the latest request.
    func disown(_ stream: Int32) {
        if processed.last == stream { processed.last = processed.before }
    }

    func schedule(after delay: Duration, on eventLoop: any EventLoop, _ body: @escaping () -> Void) {
        timerCount += 1
        timers[timerCount] = eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(delay)) { [timerCount] in
            // The connection may have closed in this turn.
            if self.timers.removeValue(forKey: timerCount) != nil { body() }
        }
    }

    func cancelTimers() {
        for timer in timers.values { timer.cancel() }
        timers = [:]
    }
}

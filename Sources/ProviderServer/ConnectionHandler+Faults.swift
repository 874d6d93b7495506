internal import HTTP2Engine
internal import NIOCore
internal import Wire

/// What a connection does wrong because it was asked to.
extension ConnectionHandler {
    func abandon(_ stream: Int32) {
        // The client may have given it up itself meanwhile.
        if session?.isOpen(stream) == true { faults.abandoned.insert(stream) }
        if !isInTurn { flush() }
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
        faults.abandoned.remove(stream)
        attempt { session throws(HTTP2Error) in try session.reset(stream: stream, code) }
    }

    func trickle(_ stream: Int32, every pause: Duration) {
        schedule(after: pause) { [weak self] in
            guard let self else { return }
            var hasMore = false
            attempt { session throws(HTTP2Error) in
                hasMore = try session.releaseBody(of: stream, now: loop.now)
            }
            if hasMore { trickle(stream, every: pause) }
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

    func send(_ notice: GoAwayNotice, about stream: Int32) {
        guard !isClosing, !faults.isSilent else { return }
        if let idle = notice.idle {
            faults.idleSince = .now()
            return wait(idle, notice, stream)
        }
        guard notice.isGraceful else { return sayGoodbye(notice, about: stream) }
        goodbyeText = notice.debugData.first ?? []
        perform(lifecycle.stopRequested())
    }

    /// Sends a GOAWAY once nothing was asked for a while.
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

    private func sayGoodbye(_ notice: GoAwayNotice, about stream: Int32) {
        guard let session else { return }
        session.refuseNewStreams()
        faults.isLingering = true
        let last = notice.last(about: stream, processed: faults.processed.last)
        // Neither processed nor above the last stream, as later ones were processed: said by itself.
        if notice.leavesOut, stream > 0, stream <= last { reset(stream, .refusedStream) }
        writeFrames()
        for debugData in notice.debugData {
            writePlaintext(session.announceGoAway(notice.code.number, lastStream: last, debugData: debugData))
        }
        tellGoAways()
        writeCiphertext()
        guard notice.closes else { return }
        faults.isEnding = true
        closeIfPromisesAreKept()
    }

    /// A GOAWAY promised answers up to a stream: with the last of them the connection ends.
    func closeIfPromisesAreKept() {
        guard faults.isEnding, awaitedStreamCount == 0 else { return }
        faults.isEnding = false
        closeAfterFlush()
    }

    /// Whether a GOAWAY has said that a request is not processed; where the connection lingers, its stream is reset, too.
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

    /// Open streams that will be answered one day.
    var awaitedStreamCount: Int {
        guard let session else { return 0 }
        let last = session.lastStream
        return session.openStreamCount(upTo: last) - faults.abandoned.count { $0 <= last && session.isOpen($0) }
    }
}

/// What faults have made of a connection. A class: each push asks it, and accesses to a structure would be checked.
final class ConnectionFaults {
    /// Streams that are never answered.
    var abandoned: Set<Int32> = []
    /// Nothing is read or written any more, though the socket is open.
    var isSilent = false
    /// GOAWAY was sent and nothing else changed: new streams are refused, whatever limit is announced.
    var isLingering = false
    /// GOAWAY was sent; the connection ends once the streams up to the last one are answered.
    var isEnding = false
    /// The highest stream whose request was processed, and the highest one before the latest request.
    private(set) var processed: (last: Int32, before: Int32) = (0, 0)
    /// The last request, while a GOAWAY waits for a time without any.
    var idleSince: NIODeadline?
    /// What is to be done later.
    private var timers: [Int: Scheduled<Void>] = [:]
    private var lastTimer = 0

    /// A request is handed over.
    func process(_ stream: Int32) {
        if idleSince != nil { idleSince = .now() }
        processed = (max(processed.last, stream), processed.last)
    }

    /// The latest request is not processed after all.
    func disown(_ stream: Int32) {
        if processed.last == stream { processed.last = processed.before }
    }

    /// - Returns: The timer's name, for `forget`.
    func nextTimer() -> Int {
        lastTimer += 1
        return lastTimer
    }

    func keep(_ timer: Scheduled<Void>, as name: Int) { timers[name] = timer }

    func forget(_ name: Int) { timers[name] = nil }

    /// Nothing is done later any more.
    func cancel() {
        for timer in timers.values { timer.cancel() }
        timers = [:]
    }
}

internal import HTTP2Engine
internal import NIOCore

/// What a connection does wrong because it was asked to.
extension ConnectionHandler {
    func abandon(_ stream: Int32) {
        // The client may have given it up itself meanwhile.
        if session?.isOpen(stream) == true { faults.abandoned.insert(stream) }
        if !isInTurn { flush() }
    }

    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
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

    func send(_ notice: GoAwayNotice, about stream: Int32) {
        guard !isClosing, !faults.isSilent, let session else { return }
        session.refuseNewStreams()
        faults.isLingering = true
        writeFrames()
        writePlaintext(notice.frames(about: stream))
        writeCiphertext()
        guard notice.closes else { return }
        faults.lastPromised = notice.last(about: stream)
        closeIfPromisesAreKept()
    }

    /// A GOAWAY promised answers up to a stream: with the last of them the connection ends.
    func closeIfPromisesAreKept() {
        guard let last = faults.lastPromised, let session else { return }
        let isPromised = { (stream: Int32) in stream <= last }
        guard session.openStreamCount(upTo: last) == faults.abandoned.count(where: isPromised) else { return }
        faults.lastPromised = nil
        closeAfterFlush()
    }

    func end(_ end: ConnectionEnd) {
        guard !isClosing else { return }
        if !faults.isSilent { writeFrames() }
        switch end {
        case .silence: faults.isSilent = true
        case .reset:
            isClosing = true
            context?.channel.resetTCP()
        case .close:
            isClosing = true
            context?.close(promise: nil)
        }
    }

    /// Open streams that will be answered one day.
    var awaitedStreamCount: Int { (session?.openStreamCount ?? 0) - faults.abandoned.count }
}

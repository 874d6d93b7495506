internal import HTTP2Engine
internal import NIOCore

/// What a connection does wrong because it was asked to, as far as HTTP/1.1 can.
extension HTTP1Handler {
    func abandon(_ stream: Int32) { faults.abandoned.insert(stream) }

    /// There are no streams: the connection is reset.
    func reset(_ stream: Int32, _ code: HTTP2ErrorCode) { end(.reset) }

    /// The answer has left whole.
    func trickle(_ stream: Int32, every pause: Duration) {}

    /// There is no GOAWAY that could count it.
    func disown(_ stream: Int32) {}

    /// The connection was reset.
    func resetAgain(_ stream: Int32, _ code: HTTP2ErrorCode) {}

    func setInitialWindow(_ byteCount: UInt32) {}

    /// There is no GOAWAY: the connection is closed after the answer.
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

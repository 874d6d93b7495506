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

/// Life of a connection during a graceful stop (RFC 9113 §6.8).
enum ConnectionLifecycle: ~Copyable {
    case serving
    /// The notice is out; streams that the client opens before it reads it are still served.
    case notified
    /// GOAWAY with the last stream is out; what is open may finish.
    case draining
    case closed

    enum Action: Equatable { case none, sendNotice, sendGoAway, closeSocket }

    mutating func stopRequested() -> Action {
        switch consume self {
        case .serving:
            self = .notified
            return .sendNotice
        case let other:
            self = other
            return .none
        }
    }

    /// The client answered the PING behind the notice, so it knows.
    mutating func noticeSeen() -> Action {
        switch consume self {
        case .notified:
            self = .draining
            return .sendGoAway
        case let other:
            self = other
            return .none
        }
    }

    /// Everything queued has left.
    mutating func flushed(openStreams: Int) -> Action {
        switch consume self {
        case .draining where openStreams == 0:
            self = .closed
            return .closeSocket
        case let other:
            self = other
            return .none
        }
    }
}

/// The life of a connection during a graceful shutdown (RFC 9113 §6.8).
enum ConnectionLifecycle: ~Copyable {
    case serving
    /// The notice was sent; streams opened before the client reads it are still served.
    case notified
    /// GOAWAY with the last stream was sent; open streams may finish.
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

    /// The client acknowledged the PING sent after the notice, so it has read the notice.
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

internal import RequestWire

/// Attacks and exceeded limits that end a connection; raw values appear in metrics, logs and GOAWAY debug data.
public enum AttackClass: String, CaseIterable, Sendable {
    // Frames that get no answer, named by the type that exceeded the budget.
    case dataFlood = "DataFlood"
    case headersFlood = "HeadersFlood"
    case priorityFlood = "PriorityFlood"
    /// Requests that the client cancels, or streams that it provokes the server to reset.
    case resetFlood = "ResetFlood"
    case settingsFlood = "SettingsFlood"
    case pingFlood = "PingFlood"
    case goAwayFlood = "GoAwayFlood"
    case windowUpdateFlood = "WindowUpdateFlood"
    case continuationFlood = "ContinuationFlood"
    case unknownFrameFlood = "UnknownFrameFlood"
    /// PING and SETTINGS arrive faster than their acknowledgements can be sent.
    case unreadAcknowledgements = "UnreadAcknowledgements"
    /// A header block over the limit, encoded or decoded.
    case headerBomb = "HeaderBomb"

    /// Repeated handshakes on an established connection: KeyUpdate, renegotiation.
    case handshakeFlood = "HandshakeFlood"

    case slowHandshake = "SlowHandshake"
    case slowPreface = "SlowPreface"
    case slowSettings = "SlowSettings"
    case slowFrame = "SlowFrame"
    case slowRequest = "SlowRequest"
    /// An answer waits for a socket or a window that does not open.
    case slowReader = "SlowReader"
    /// Apple's own term.
    case idle = "IdleTimeout"

    case connections = "Connections"
    case connectionsPerAddress = "ConnectionsPerAddress"
    /// The process had no file descriptor for another connection.
    case descriptors = "Descriptors"

    var errorCode: HTTP2ErrorCode {
        switch self {
        case .idle: .noError
        case .slowSettings: .settingsTimeout
        case .slowPreface: .protocolError
        default: .enhanceYourCalm
        }
    }

    /// The flood class of a frame type (RFC 9113 §6).
    init(floodOf frameType: UInt8) {
        let known: [AttackClass] = [
            .dataFlood, .headersFlood, .priorityFlood, .resetFlood, .settingsFlood, .unknownFrameFlood, .pingFlood,
            .goAwayFlood, .windowUpdateFlood, .continuationFlood,
        ]
        self = Int(frameType) < known.count ? known[Int(frameType)] : .unknownFrameFlood
    }
}

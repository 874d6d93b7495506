internal import Wire

/// Ways of wearing a server out, as far as a bound ends them; raw values stand in metrics, logs and GOAWAY's debug data.
public enum AttackClass: String, CaseIterable, Sendable {
    // Frames that lead to no answer, named by the frame that was one too many.
    case dataFlood = "DataFlood"
    case headersFlood = "HeadersFlood"
    case priorityFlood = "PriorityFlood"
    /// Requests that are taken back, or streams that the server is provoked to end.
    case resetFlood = "ResetFlood"
    case settingsFlood = "SettingsFlood"
    case pingFlood = "PingFlood"
    case goAwayFlood = "GoAwayFlood"
    case windowUpdateFlood = "WindowUpdateFlood"
    case continuationFlood = "ContinuationFlood"
    case unknownFrameFlood = "UnknownFrameFlood"
    /// PING and SETTINGS faster than their acknowledgements can leave.
    case unreadAcknowledgements = "UnreadAcknowledgements"
    /// A header block that is too long as it comes, or as it decodes.
    case headerBomb = "HeaderBomb"

    /// Handshakes on a connection that has had its own: KeyUpdate, renegotiation.
    case handshakeFlood = "HandshakeFlood"

    // Time that ran out.
    case slowHandshake = "SlowHandshake"
    case slowPreface = "SlowPreface"
    case slowSettings = "SlowSettings"
    case slowFrame = "SlowFrame"
    case slowRequest = "SlowRequest"
    /// Answers wait for a socket or a window that does not open.
    case slowReader = "SlowReader"
    /// Apple's own word.
    case idle = "IdleTimeout"

    // Connections by the thousand.
    case connections = "Connections"
    case connectionsPerAddress = "ConnectionsPerAddress"
    /// The system had no descriptor for another connection.
    case descriptors = "Descriptors"

    /// The code that GOAWAY carries.
    var errorCode: HTTP2ErrorCode {
        switch self {
        case .idle: .noError
        case .slowSettings: .settingsTimeout
        case .slowPreface: .protocolError
        default: .enhanceYourCalm
        }
    }

    /// The flood that frames of a type (RFC 9113 §6) make.
    init(floodOf frameType: UInt8) {
        let known: [AttackClass] = [
            .dataFlood, .headersFlood, .priorityFlood, .resetFlood, .settingsFlood, .unknownFrameFlood, .pingFlood,
            .goAwayFlood, .windowUpdateFlood, .continuationFlood,
        ]
        self = Int(frameType) < known.count ? known[Int(frameType)] : .unknownFrameFlood
    }
}

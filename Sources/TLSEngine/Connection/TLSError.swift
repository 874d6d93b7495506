/// Why a TLS connection cannot go on, or cannot begin.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// The client does not speak TLS; these are its first bytes.
        case clearText([UInt8])
        /// The client's ALPN has no `h2`, or there is none and the configuration asks for one. An alert is in the output if it
        /// offered others: these.
        case noApplicationProtocol(offered: [String])
        /// The handshake takes more bytes than are allowed.
        case handshakeTooLong
        /// The handshake failed; an alert may be waiting in the output.
        case handshakeFailed
        /// More handshakes after the first than any client has use for.
        case handshakeFlood
        /// A record is damaged, or the peer broke the protocol.
        case protocolViolation
        /// A certificate or key cannot be used.
        case unusableCertificate
    }

    package var kind: Kind
    /// OpenSSL's words, oldest first.
    package var reasons: [String]

    package init(_ kind: Kind, reasons: [String] = []) {
        self.kind = kind
        self.reasons = reasons
    }

    /// The client rejected the server's certificate (RFC 8446 §6.2: unknown_ca, certificate_unknown, bad_certificate).
    package var isDistrust: Bool {
        let alerts = ["alert unknown ca", "alert certificate unknown", "alert bad certificate"]
        return reasons.contains { reason in alerts.contains { reason.hasSuffix($0) } }
    }

    package var description: String {
        let summary =
            switch kind {
            case .clearText: "clear text instead of TLS"
            case .noApplicationProtocol(let offered):
                offered.isEmpty
                    ? "the client offered no application protocol (ALPN)"
                    : "the client's ALPN has no h2, but \(offered.joined(separator: ", "))"
            case .handshakeTooLong: "the handshake is too long"
            case .handshakeFailed: "the handshake failed"
            case .handshakeFlood: "too many handshakes after the first"
            case .protocolViolation: "the peer broke TLS"
            case .unusableCertificate: "the certificate or key cannot be used"
            }
        return reasons.isEmpty ? summary : "\(summary): \(reasons.joined(separator: "; "))"
    }
}

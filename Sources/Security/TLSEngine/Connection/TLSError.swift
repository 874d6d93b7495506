internal import COpenSSL

package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Kind: Equatable, Sendable {
        /// The client does not speak TLS; its first bytes.
        case clearText([UInt8])
        /// `h2` was not offered, or ALPN was required and missing. The output has an alert unless `offered` is empty.
        case noApplicationProtocol(offered: [String])
        case handshakeTooLong
        /// The output may have an alert.
        case handshakeFailed
        case handshakeFlood
        case protocolViolation
        case unusableCertificate
    }

    package var kind: Kind
    /// In OpenSSL's words, oldest first.
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

/// This thread's error queue.
enum OpenSSLErrors {
    /// Call before an operation whose errors are read.
    static func clear() { ERR_clear_error() }

    /// Empties the queue; oldest first, in OpenSSL's words.
    static func drain() -> [String] {
        var reasons: [String] = []
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return reasons }
            if let text = ERR_reason_error_string(code) {
                reasons.append(String(cString: text))
            } else {
                reasons.append("error \(code)")
            }
        }
    }
}

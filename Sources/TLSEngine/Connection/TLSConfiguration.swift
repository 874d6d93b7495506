package struct TLSConfiguration: Sendable {
    /// PEM, the leaf first.
    package var certificateChain: String
    /// PEM.
    package var privateKey: String
    /// PEM of a leaf with the same key and issuer for clients that send SNI; nil uses `certificateChain` for all.
    package var hostCertificate: String?
    /// PEM of additional CAs trusted for client certificates; may be empty.
    package var clientAuthorities: String
    /// Stock aioapns, Pushy and apnotic send no ALPN.
    package var acceptsMissingALPN = true
    /// Limit on a client's bytes before the handshake ends. A full chain of client certificates takes about 8 KiB.
    package var maximumHandshakeByteCount = 65536

    package init(certificateChain: String, privateKey: String, clientAuthorities: String = "") {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
        self.clientAuthorities = clientAuthorities
    }
}

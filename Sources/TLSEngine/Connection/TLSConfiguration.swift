/// What a TLS server presents and accepts.
package struct TLSConfiguration: Sendable {
    /// The leaf first, then intermediate certificates, as PEM.
    package var certificateChain: String
    /// The leaf's private key as PEM.
    package var privateKey: String
    /// Another leaf as PEM, with the same key and issuer, for clients that name a host (SNI); `nil` shows all the same leaf.
    package var hostCertificate: String?
    /// Authorities whose client certificates count as verified, as PEM; empty for none.
    package var clientAuthorities: String
    /// Whether clients without ALPN are served; stock aioapns, Pushy and apnotic send none.
    package var acceptsMissingALPN = true
    /// Bytes a client may send before the handshake is done. A full chain of client certificates takes about 8 KiB.
    package var maximumHandshakeByteCount = 65536

    package init(certificateChain: String, privateKey: String, clientAuthorities: String = "") {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
        self.clientAuthorities = clientAuthorities
    }
}

/// What a TLS server presents and accepts.
public struct TLSConfiguration: Sendable {
    /// The leaf first, then intermediate certificates, as PEM.
    public var certificateChain: String
    /// The leaf's private key as PEM.
    public var privateKey: String
    /// Another leaf as PEM, with the same key and issuer, for clients that name a host (SNI); `nil` shows all the same leaf.
    public var hostCertificate: String?
    /// Authorities whose client certificates count as verified, as PEM; empty for none.
    public var clientAuthorities: String
    /// Whether clients without ALPN are served; stock aioapns, Pushy and apnotic send none.
    public var acceptsMissingALPN = true
    /// Bytes a client may send before the handshake is done. A full chain of client certificates takes about 8 KiB.
    public var maximumHandshakeByteCount = 65536

    public init(certificateChain: String, privateKey: String, clientAuthorities: String = "") {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
        self.clientAuthorities = clientAuthorities
    }
}

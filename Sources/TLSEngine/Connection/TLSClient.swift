internal import COpenSSL

/// The client's side of TLS, for tests of the server's: what a provider would offer and show.
package struct TLSClient {
    /// ALPN; empty for none.
    package var protocols = ["h2"]
    package var serverName: String? = "localhost"
    /// PEM of the authority to trust; `nil` to trust everything.
    package var authority: String?
    /// PEM of a client certificate, and of its key.
    package var identity: (certificate: String, key: String)?
    /// Whether TLS 1.2 is the newest version on offer.
    package var isLimitedToTLS12 = false
    /// Cipher suites of TLS 1.2 on offer, as OpenSSL writes them; `nil` for its own choice.
    package var tls12Ciphers: String?

    package init() {}

    /// A connection that begins with its ClientHello: call `receive` with nothing to have it in the output.
    package func connect() throws(TLSError) -> TLSConnection {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw TLSError(.handshakeFailed, reasons: OpenSSLErrors.drain())
        }
        // The connection holds a reference of its own.
        defer { SSL_CTX_free(context) }
        if isLimitedToTLS12 { _ = shim_SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION) }
        if let tls12Ciphers { SSL_CTX_set_cipher_list(context, tls12Ciphers) }
        if let authority {
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
            let store = SSL_CTX_get_cert_store(context)
            for certificate in try Certificate.chain(pem: authority) { X509_STORE_add_cert(store, certificate.pointer) }
        }
        if let identity { try use(identity, context) }
        let wire = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !wire.isEmpty { SSL_CTX_set_alpn_protos(context, wire, UInt32(wire.count)) }
        let connection = try TLSConnection(context, context: nil)
        SSL_set_connect_state(connection.ssl)
        if let serverName {
            _ = shim_SSL_set_tlsext_host_name(connection.ssl, serverName)
            if authority != nil { SSL_set1_host(connection.ssl, serverName) }
        }
        return connection
    }

    /// The leaf that the server showed.
    package static func certificate(of connection: TLSConnection) -> Certificate? {
        SSL_get1_peer_certificate(connection.ssl).map { Certificate($0) }
    }

    /// Asks a connection for new keys, which the server must answer with its own (RFC 8446 §4.6.3).
    package static func updateKeys(of connection: TLSConnection) {
        SSL_key_update(connection.ssl, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(connection.ssl)
    }

    /// Begins another handshake on a connection of TLS 1.2 (RFC 5246 §7.4.1.1).
    package static func renegotiate(_ connection: TLSConnection) {
        SSL_renegotiate(connection.ssl)
        SSL_do_handshake(connection.ssl)
    }

    private func use(_ identity: (certificate: String, key: String), _ context: OpaquePointer) throws(TLSError) {
        let certificate = try Certificate.chain(pem: identity.certificate)[0]
        SSL_CTX_use_certificate(context, certificate.pointer)
        guard let key = try? PrivateKey(pem: identity.key) else { throw TLSError(.unusableCertificate) }
        SSL_CTX_use_PrivateKey(context, key.key.pointer)
    }
}

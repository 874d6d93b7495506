internal import COpenSSL

@testable package import TLSEngine

/// A TLS client that does what no usual client would.
package struct TLSClient {
    package var protocols = ["h2"]
    package var serverName: String? = "localhost"
    /// PEM of the trusted authority; nil trusts everything.
    package var authority: String?
    /// PEM.
    package var identity: (certificate: String, key: String)?
    package var isLimitedToTLS12 = false
    /// In OpenSSL's syntax; nil for its default.
    package var tls12Ciphers: String?

    package init() {}

    /// Call `receive` with no bytes to produce the ClientHello.
    package func connect() throws(TLSError) -> TLSConnection {
        guard let context = SSL_CTX_new(TLS_client_method()) else {
            throw TLSError(.handshakeFailed, reasons: OpenSSLErrors.drain())
        }
        // The connection retains the context.
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

    package static func certificate(of connection: TLSConnection) -> Certificate? {
        SSL_get1_peer_certificate(connection.ssl).map { Certificate($0) }
    }

    /// Sends a KeyUpdate that requires an answer (RFC 8446 §4.6.3).
    package static func updateKeys(of connection: TLSConnection) {
        SSL_key_update(connection.ssl, SSL_KEY_UPDATE_REQUESTED)
        SSL_do_handshake(connection.ssl)
    }

    /// Starts a TLS 1.2 renegotiation (RFC 5246 §7.4.1.1).
    package static func renegotiate(_ connection: TLSConnection) {
        SSL_renegotiate(connection.ssl)
        SSL_do_handshake(connection.ssl)
    }

    private func use(_ identity: (certificate: String, key: String), _ context: OpaquePointer) throws(TLSError) {
        let certificate = try Certificate.chain(pem: identity.certificate)[0]
        SSL_CTX_use_certificate(context, certificate.pointer)
        guard let key = try? EVPKey(pem: identity.key) else { throw TLSError(.unusableCertificate) }
        SSL_CTX_use_PrivateKey(context, key.pointer)
    }
}

internal import COpenSSL

/// Opens TLS connections to servers whose certificates it verifies.
/// `@unchecked Sendable`: complete after `init`; OpenSSL locks what it changes later.
package final class TLSClientContext: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// - Parameters:
    ///   - authorities: PEM; nil trusts the system's.
    ///   - identity: PEM of the client certificate and its key.
    ///   - protocol: What the connections speak, as ALPN names it.
    package init(
        authorities: String?, identity: (chain: String, key: String)? = nil, protocol name: String = "h2"
    ) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let pointer = SSL_CTX_new(TLS_client_method()) else {
            throw TLSError(.unusableCertificate, reasons: OpenSSLErrors.drain())
        }
        self.pointer = pointer
        _ = shim_SSL_CTX_set_min_proto_version(pointer, TLS1_2_VERSION)
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
        let offer = [UInt8(name.utf8.count)] + Array(name.utf8)
        SSL_CTX_set_alpn_protos(pointer, offer, UInt32(offer.count))
        if let authorities {
            try TLSContext.trust(authorities, in: pointer)
        } else {
            SSL_CTX_set_default_verify_paths(pointer)
        }
        if let identity { _ = try TLSContext.use(identity.chain, key: identity.key, in: pointer) }
    }

    deinit { SSL_CTX_free(pointer) }

    /// Its first output is there after `receive` with no bytes.
    /// - Parameter host: A name or an address, which the server's certificate must have.
    package func connect(to host: String) throws(TLSError) -> TLSConnection {
        // The connection retains OpenSSL's context.
        let connection = try TLSConnection(pointer, context: nil)
        SSL_set_connect_state(connection.ssl)
        if X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection.ssl), host) != 1 {
            _ = shim_SSL_set_tlsext_host_name(connection.ssl, host)
            SSL_set1_host(connection.ssl, host)
        }
        return connection
    }
}

extension TLSConnection {
    /// Why the server's certificate is not trusted; nil if it is, or has not come.
    package var distrust: String? {
        let result = SSL_get_verify_result(ssl)
        return result == X509_V_OK ? nil : String(cString: X509_verify_cert_error_string(result))
    }
}

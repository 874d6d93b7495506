internal import COpenSSL

/// `@unchecked Sendable`: complete after `init`; OpenSSL locks what it changes later.
package final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let acceptsMissingALPN: Bool
    let maximumHandshakeByteCount: Int
    /// For clients that send SNI. OpenSSL's callback borrows it; connections retain the context and thus it.
    private let hostCertificate: Certificate?

    /// - Throws: `TLSError` of kind `unusableCertificate`.
    package init(_ configuration: TLSConfiguration) throws(TLSError) {
        OpenSSLErrors.clear()
        guard let pointer = SSL_CTX_new(TLS_server_method()) else {
            throw TLSError(.unusableCertificate, reasons: OpenSSLErrors.drain())
        }
        self.pointer = pointer
        hostCertificate = try configuration.hostCertificate.map { pem throws(TLSError) in
            try Certificate.chain(pem: pem)[0]
        }
        acceptsMissingALPN = configuration.acceptsMissingALPN
        maximumHandshakeByteCount = configuration.maximumHandshakeByteCount
        let chainCount = try Self.use(configuration.certificateChain, key: configuration.privateKey, in: pointer)
        setRules()
        try chooseCertificateByHost()
        // Requests a client certificate without requiring one; `ClientCertificate.problem` reports a bad one.
        SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, { _, _ in 1 })
        if !configuration.clientAuthorities.isEmpty { try Self.trust(configuration.clientAuthorities, in: pointer) }
        if chainCount == 1 { completeChain() }
    }

    deinit { SSL_CTX_free(pointer) }

    /// - Returns: The number of certificates in the chain.
    static func use(_ chain: String, key: String, in pointer: OpaquePointer) throws(TLSError) -> Int {
        let chain = try Certificate.chain(pem: chain)
        let privateKey: EVPKey
        do throws(KeyError) {
            privateKey = try EVPKey(pem: key)
        } catch {
            throw TLSError(.unusableCertificate, reasons: [error.description])
        }
        var isUsed = SSL_CTX_use_certificate(pointer, chain[0].pointer) == 1
        for certificate in chain.dropFirst() {
            // The context consumes one reference.
            X509_up_ref(certificate.pointer)
            isUsed = isUsed && shim_SSL_CTX_add_extra_chain_cert(pointer, certificate.pointer) == 1
        }
        isUsed = isUsed && SSL_CTX_use_PrivateKey(pointer, privateKey.pointer) == 1
        guard isUsed, SSL_CTX_check_private_key(pointer) == 1 else {
            throw TLSError(.unusableCertificate, reasons: OpenSSLErrors.drain())
        }
        return chain.count
    }

    private func chooseCertificateByHost() throws(TLSError) {
        guard let hostCertificate else { return }
        guard X509_check_private_key(hostCertificate.pointer, SSL_CTX_get0_privatekey(pointer)) == 1 else {
            throw TLSError(.unusableCertificate, reasons: OpenSSLErrors.drain())
        }
        SSL_CTX_set_cert_cb(pointer, chooseCertificate, Unmanaged.passUnretained(hostCertificate).toOpaque())
    }

    /// Completes a lone leaf's chain once; otherwise OpenSSL would verify it in every handshake.
    private func completeChain() {
        _ = shim_SSL_CTX_build_cert_chain(pointer)
        OpenSSLErrors.clear()  // a client that trusts the authority needs no chain
    }

    private func setRules() {
        _ = shim_SSL_CTX_set_min_proto_version(pointer, TLS1_2_VERSION)
        SSL_CTX_set_options(pointer, shim_SSL_server_options())
        // Idle connections release their record buffers; a retried write may use another address.
        _ = shim_SSL_CTX_set_mode(
            pointer, Int(SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_NO_AUTO_CHAIN))
        _ = shim_SSL_CTX_set_read_ahead(pointer, 1)
        // Sessions live in the client's tickets; the server caches none.
        _ = shim_SSL_CTX_set_session_cache_mode(pointer, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_num_tickets(pointer, 1)
        let name = Array("pushcote".utf8)
        SSL_CTX_set_session_id_context(pointer, name, UInt32(name.count))
        SSL_CTX_set_ciphersuites(pointer, "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256")
        // The TLS 1.2 ciphers that RFC 9113 appendix A allows: ephemeral keys and authenticated encryption.
        SSL_CTX_set_cipher_list(pointer, "ECDHE+AESGCM:ECDHE+CHACHA20")
        SSL_CTX_set_alpn_select_cb(pointer, selectProtocol, nil)
        SSL_CTX_set_msg_callback(pointer, countLateHandshake)
    }

    static func trust(_ authorities: String, in pointer: OpaquePointer) throws(TLSError) {
        let store = SSL_CTX_get_cert_store(pointer)
        for certificate in try Certificate.chain(pem: authorities) { X509_STORE_add_cert(store, certificate.pointer) }
        OpenSSLErrors.clear()  // a duplicate authority is not an error
    }
}

/// Chooses the leaf by SNI. OpenSSL does not call this for resumed sessions, which send no certificate.
private func chooseCertificate(ssl: OpaquePointer?, context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context, let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else { return 1 }
    // Some clients send an address, which RFC 6066 §3 forbids.
    let text = String(cString: name)
    guard !text.contains(":"), !text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || $0 == 0x2e })
    else {
        return 1
    }
    return SSL_use_certificate(ssl, Unmanaged<Certificate>.fromOpaque(context).takeUnretainedValue().pointer)
}

/// Counts a client's handshake messages and the alerts sent to it, the only sign of a refused TLS 1.2 renegotiation.
private func countLateHandshake(
    isWritten: Int32, version: Int32, contentType: Int32, bytes: UnsafeRawPointer?, count: Int, ssl: OpaquePointer?,
    argument: UnsafeMutableRawPointer?
) {
    guard contentType == SSL3_RT_HANDSHAKE && isWritten == 0 || contentType == SSL3_RT_ALERT && isWritten == 1 else {
        return
    }
    ConnectionState.of(ssl).pointee.lateHandshakeCount += 1
}

/// Selects `h2`. A client that offers only other protocols does not speak HTTP/2 and gets the alert
/// no_application_protocol (RFC 7301 §3.2).
private func selectProtocol(
    ssl: OpaquePointer?, selected: UnsafeMutablePointer<UnsafePointer<UInt8>?>?,
    selectedCount: UnsafeMutablePointer<UInt8>?,
    offered: UnsafePointer<UInt8>?, offeredCount: UInt32, context: UnsafeMutableRawPointer?
) -> Int32 {
    let list = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
    let state = ConnectionState.of(ssl)
    var result = SSL_TLSEXT_ERR_ALERT_FATAL
    var offset = 0
    while offset < list.count, offset + 1 + Int(list[offset]) <= list.count {
        let name = list[offset + 1..<offset + 1 + Int(list[offset])]
        state.pointee.offeredProtocols.append(String(decoding: name, as: UTF8.self))
        if name.elementsEqual("h2".utf8) {
            selected?.pointee = list.baseAddress! + offset + 1
            selectedCount?.pointee = 2
            result = SSL_TLSEXT_ERR_OK
        }
        offset += 1 + name.count
    }
    return result
}

package struct TLSConfiguration: Sendable {
    /// PEM, the leaf first.
    package var certificateChain: String
    /// PEM.
    package var privateKey: String
    /// PEM that begins with a leaf of the same key and issuer, for clients that send SNI; nil uses `certificateChain` for all.
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

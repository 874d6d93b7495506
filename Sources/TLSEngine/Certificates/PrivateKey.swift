internal import COpenSSL

/// A private key of any type, for certificates that users supply.
struct PrivateKey {
    let key: EVPKey

    init(_ key: EVPKey) { self.key = key }

    init(pem: String) throws(KeyError) {
        OpenSSLErrors.clear()
        guard let pointer = PEM.withReader(pem, { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil) }) else {
            throw KeyError.classify(pem)
        }
        key = EVPKey(pointer)
    }

    func matches(_ certificate: Certificate) -> Bool {
        defer { OpenSSLErrors.clear() }
        return X509_check_private_key(certificate.pointer, key.pointer) == 1
    }
}

/// PKCS #12 (RFC 7292): certificates in a password-protected file.
package enum PKCS12File {
    /// For Java's `trustStore` and .NET.
    package static func trustStore(_ authority: Certificate, name: String, password: String) throws(TLSError) -> [UInt8]
    {
        try bytes(shim_PKCS12_trust_store(authority.pointer, name, password))
    }

    package static func identity(
        _ identity: CertificateWithKey, authority: Certificate, name: String, password: String
    ) throws(TLSError) -> [UInt8] {
        let others = shim_sk_X509_new()
        defer { shim_sk_X509_free(others) }
        _ = shim_sk_X509_push(others, authority.pointer)
        return try bytes(
            PKCS12_create(
                password, name, identity.key.key.pointer, identity.certificate.pointer, others, 0, 0, 0, 0, 0))
    }

    private static func bytes(_ file: OpaquePointer?) throws(TLSError) -> [UInt8] {
        guard let file else { throw TLSError(.unusableCertificate, reasons: OpenSSLErrors.drain()) }
        defer { PKCS12_free(file) }
        return PEM.write { i2d_PKCS12_bio($0, file) }
    }
}

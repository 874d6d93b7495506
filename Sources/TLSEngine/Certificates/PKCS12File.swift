internal import COpenSSL

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

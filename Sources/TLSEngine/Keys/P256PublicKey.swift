internal import COpenSSL

/// A public key on P-256: verifies provider tokens.
package struct P256PublicKey: Sendable {
    let key: EVPKey

    init(key: EVPKey) { self.key = key }

    /// - Parameter pem: A public key, or a private key whose public half is taken.
    package init(pem: String) throws(KeyError) {
        OpenSSLErrors.clear()
        if let pointer = PEM.withReader(pem, { PEM_read_bio_PUBKEY($0, nil, nil, nil) }) {
            key = EVPKey(pointer)
            guard key.isP256 else { throw .notP256 }
        } else {
            self = try P256PrivateKey(pem: pem).publicKey
        }
    }

    /// SubjectPublicKeyInfo.
    package var pem: String { PEM.text { PEM_write_bio_PUBKEY($0, key.pointer) } }

    /// What a signature was computed over a hash of.
    package enum Digest: Sendable { case sha256, sha512 }

    /// Checks a signature: r and s in 32 bytes each, in 66 bytes each, or DER.
    package func verify(_ signature: RawSpan, of message: RawSpan, digest: Digest) -> Bool {
        let bytes = signature.withUnsafeBytes { Array($0) }
        let der: [UInt8]? =
            switch bytes.count {
            case 64, 132: ECDSASignature.der(fromFixedWidth: bytes)
            default: bytes
            }
        guard let der else { return false }
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let algorithm = digest == .sha256 ? EVP_sha256() : EVP_sha512()
        guard EVP_DigestVerifyInit(context, nil, algorithm, nil, key.pointer) == 1 else { return false }
        let status = message.withUnsafeBytes {
            EVP_DigestVerify(context, der, der.count, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        ERR_clear_error()
        return status == 1
    }
}

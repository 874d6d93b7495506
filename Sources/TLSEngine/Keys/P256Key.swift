internal import COpenSSL

package struct P256PrivateKey: Sendable {
    let key: EVPKey

    package init() {
        // Fails only without memory or randomness, and then nothing else works either.
        key = EVPKey(shim_EVP_EC_gen_P256()!)
    }

    /// - Parameter pem: PKCS #8, as in Apple's `.p8` files, or SEC 1.
    package init(pem: String) throws(KeyError) {
        key = try EVPKey(pem: pem)
        guard key.isP256 else { throw .notP256 }
    }

    /// Unencrypted PKCS #8.
    package var pem: String { PEM.text { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) } }

    package var publicKey: P256PublicKey { P256PublicKey(key: key) }

    /// ES256: r‖s over SHA-256 of the message, 32 bytes each (RFC 7518 §3.4).
    package func signature(of message: [UInt8]) -> [UInt8] {
        ECDSASignature.fixedWidth(fromDER: derSignature(of: message), width: 32) ?? []
    }

    /// The ES256 signature in DER, as some libraries send it.
    package func derSignature(of message: [UInt8]) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.pointer)
        var count = 0
        EVP_DigestSign(context, nil, &count, message, message.count)
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            EVP_DigestSign(context, buffer.baseAddress, &count, message, message.count)
            initialized = count
        }
    }
}

package struct P256PublicKey: Sendable {
    let key: EVPKey

    init(key: EVPKey) { self.key = key }

    /// - Parameter pem: A public key, or a private key whose public half is used.
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

    package enum Digest: Sendable { case sha256, sha512 }

    /// - Parameter signature: r‖s with 32 or 66 bytes each, or DER.
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

internal import COpenSSL

/// A private key on P-256: signs provider tokens and certificates.
package struct P256PrivateKey: Sendable {
    let key: EVPKey

    /// Makes a new key.
    package init() {
        // Fails only without memory or randomness, and then nothing else works either.
        key = EVPKey(shim_EVP_EC_gen_P256()!)
    }

    /// - Parameter pem: PKCS#8, as in Apple's `.p8` files, or SEC 1.
    package init(pem: String) throws(KeyError) {
        key = try PrivateKey(pem: pem).key
        guard key.isP256 else { throw .notP256 }
    }

    /// PKCS#8, unencrypted.
    package var pem: String { PEM.text { PEM_write_bio_PKCS8PrivateKey($0, key.pointer, nil, nil, 0, nil, nil) } }

    package var publicKey: P256PublicKey { P256PublicKey(key: key) }

    /// ES256: the signature over SHA-256 of the message, r and s in 32 bytes each (RFC 7518 §3.4).
    package func signature(of message: [UInt8]) -> [UInt8] {
        ECDSASignature.fixedWidth(fromDER: derSignature(of: message), width: 32) ?? []
    }

    /// The same in DER, as some libraries send it.
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

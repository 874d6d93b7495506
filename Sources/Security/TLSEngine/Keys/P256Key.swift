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
        } else if pem.contains("PRIVATE KEY-----") {
            self = try P256PrivateKey(pem: pem).publicKey
        } else {
            let error = KeyError.classify(pem)
            throw error == .notPEM ? .notPublicPEM : error
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

/// A key of any type. `@unchecked Sendable`: immutable after `init`; OpenSSL allows concurrent reads.
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// - Parameter pem: A private key.
    convenience init(pem: String) throws(KeyError) {
        OpenSSLErrors.clear()
        guard let pointer = PEM.withReader(pem, { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil) }) else {
            let error = KeyError.classify(pem)
            throw !pem.contains("PRIVATE KEY-----") && pem.contains("PUBLIC KEY-----") ? .isPublic : error
        }
        self.init(pointer)
    }

    deinit { EVP_PKEY_free(pointer) }

    func matches(_ certificate: Certificate) -> Bool {
        defer { OpenSSLErrors.clear() }
        return X509_check_private_key(certificate.pointer, pointer) == 1
    }

    var isP256: Bool {
        var name = [CChar](repeating: 0, count: 64)
        guard EVP_PKEY_get_group_name(pointer, &name, name.count, nil) == 1 else { return false }
        let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return text == "prime256v1" || text == "P-256"
    }
}

/// Why a PEM text is not the expected key.
package enum KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    case notPEM
    case notPublicPEM
    /// A public key instead of a private one.
    case isPublic
    /// A provider token instead of the key that signs it.
    case isToken
    case isCertificate
    case isEncrypted
    case notP256
    /// `\n` as two characters.
    case hasEscapedBreaks
    case hasNoBreaks
    /// PEM that is encoded once more.
    case isBase64
    /// PEM with damaged contents.
    case damaged(String)

    package var description: String {
        switch self {
        case .notPEM: "no '-----BEGIN PRIVATE KEY-----' in it: use the .p8 file as Apple gives it"
        case .notPublicPEM: "no '-----BEGIN PUBLIC KEY-----' in it: use the public key as PEM"
        case .isPublic: "this is a public key, which cannot sign: use the .p8 file as Apple gives it"
        case .isToken: "this is a provider token, not a key: use the .p8 file that signs tokens"
        case .isCertificate: "this is a certificate, not a key"
        case .isEncrypted: "the key is encrypted: decrypt it with `openssl pkcs8 -in FILE -out KEY.p8`"
        case .notP256: "not an elliptic-curve key on P-256, as ES256 needs"
        case .hasEscapedBreaks:
            "its line breaks are the characters \\n, as in an environment variable: replace each with a line break "
                + "(`printf '%b' \"$KEY\"`)"
        case .hasNoBreaks:
            "its line breaks are lost: BEGIN and END need lines of their own; use the .p8 file as Apple gives it, or "
                + "quote the variable (\"$KEY\")"
        case .isBase64: "this is a PEM text in base64: decode it (`base64 -d`)"
        case .damaged(let reason): "the PEM text is damaged (\(reason))"
        }
    }

    static func classify(_ text: String) -> KeyError {
        let reasons = OpenSSLErrors.drain()
        if text.contains("-----BEGIN ENCRYPTED") || text.contains("Proc-Type: 4,ENCRYPTED") { return .isEncrypted }
        if let end = text.firstRange(of: "PRIVATE KEY-----") ?? text.firstRange(of: "PUBLIC KEY-----") {
            let rest = text[end.upperBound...]
            if rest.hasPrefix("\\n") || rest.hasPrefix("\\r") { return .hasEscapedBreaks }
            return rest.first?.isNewline == true ? .damaged(reasons.first ?? "unreadable") : .hasNoBreaks
        }
        if text.hasPrefix("LS0tLS1CRUdJTi") { return .isBase64 }
        if text.contains("-----BEGIN CERTIFICATE") { return .isCertificate }
        return text.hasPrefix("ey") && text.split(separator: ".").count == 3 ? .isToken : .notPEM
    }
}

internal import COpenSSL

/// A key of any type. `@unchecked Sendable`: immutable after `init`; OpenSSL allows concurrent reads.
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// - Parameter pem: A private key.
    convenience init(pem: String) throws(KeyError) {
        OpenSSLErrors.clear()
        guard let pointer = PEM.withReader(pem, { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil) }) else {
            throw KeyError.classify(pem)
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

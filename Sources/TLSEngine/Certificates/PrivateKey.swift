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

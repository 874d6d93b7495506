internal import COpenSSL

struct CertificateBuilder: ~Copyable {
    private let certificate: Certificate
    private let issuer: Certificate?

    /// A nil `issuer` means self-signed; `validity` is in seconds since 1970.
    init(
        subject: [(field: String, value: String)], key: P256PublicKey, issuer: Certificate?,
        validity: ClosedRange<Int64>
    ) {
        certificate = Certificate(X509_new())
        self.issuer = issuer
        let pointer = certificate.pointer
        X509_set_version(pointer, 2)  // X.509v3
        setSerialNumber()
        ASN1_TIME_set(X509_getm_notBefore(pointer), time_t(validity.lowerBound))
        ASN1_TIME_set(X509_getm_notAfter(pointer), time_t(validity.upperBound))
        let name = X509_get_subject_name(pointer)
        for (field, value) in subject {
            X509_NAME_add_entry_by_txt(name, field, MBSTRING_UTF8, Array(value.utf8), Int32(value.utf8.count), -1, 0)
        }
        X509_set_issuer_name(pointer, X509_get_subject_name(issuer?.pointer ?? pointer))
        X509_set_pubkey(pointer, key.key.pointer)
    }

    /// - Parameter value: In the syntax of OpenSSL's configuration files; throws when OpenSSL rejects it.
    func add(_ identifier: Int32, _ value: String) throws(TLSError) {
        OpenSSLErrors.clear()
        var context = X509V3_CTX()
        X509V3_set_ctx(&context, (issuer ?? certificate).pointer, certificate.pointer, nil, nil, 0)
        guard let element = X509V3_EXT_conf_nid(nil, &context, identifier, value) else {
            throw TLSError(.unusableCertificate, reasons: ["'\(value)' is not a valid value"] + OpenSSLErrors.drain())
        }
        defer { X509_EXTENSION_free(element) }
        X509_add_ext(certificate.pointer, element, -1)
    }

    func add(_ identifier: String, der: [UInt8]) {
        let object = OBJ_txt2obj(identifier, 1)
        let value = ASN1_OCTET_STRING_new()
        ASN1_OCTET_STRING_set(value, der, Int32(der.count))
        let element = X509_EXTENSION_create_by_OBJ(nil, object, 0, value)
        defer {
            X509_EXTENSION_free(element)
            ASN1_OCTET_STRING_free(value)
            ASN1_OBJECT_free(object)
        }
        X509_add_ext(certificate.pointer, element, -1)
    }

    consuming func signed(with key: P256PrivateKey) throws(TLSError) -> Certificate {
        guard X509_sign(certificate.pointer, key.key.pointer, EVP_sha256()) > 0 else {
            throw TLSError(.unusableCertificate, reasons: OpenSSLErrors.drain())
        }
        return certificate
    }

    /// 127 random bits: positive, and unique for every purpose (RFC 5280 §4.1.2.2).
    private func setSerialNumber() {
        var bytes = SecureRandom.bytes(16)
        bytes[0] &= 0x7f
        let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
        defer { BN_free(number) }
        BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.pointer))
    }
}

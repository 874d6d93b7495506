internal import COpenSSL

package struct CertificateWithKey: Sendable {
    package var certificate: Certificate
    package var key: P256PrivateKey
    /// Signed the certificate.
    package var intermediate: Certificate

    /// PEM, the leaf first.
    package var chain: String { certificate.pem + intermediate.pem }
}

/// The CA of a gateway's certificates; times are in seconds since 1970.
///
/// The root's key signs one intermediate and is forgotten. Name constraints limit the intermediate to the gateway's own hosts.
/// They are not in the root, because Java ignores those of a trusted certificate (RFC 5280 §6.1.1 leaves that open).
package struct CertificateAuthority: Sendable {
    /// What clients trust.
    package let certificate: Certificate
    package let intermediate: Certificate
    /// The intermediate's.
    package let key: P256PrivateKey

    static let secondsPerDay: Int64 = 86400
    /// Ten years, so that machines rarely need to trust a new CA.
    static let days: Int64 = 3650
    /// The maximum that Apple's platforms accept for a server.
    static let leafDays: Int64 = 397

    package static let commonNamePrefix = "Pushcote local authority "

    /// An IP address as certificates give it back, such as `2001:db8::5`; other names as they are.
    package static func canonical(_ name: String) -> String {
        IPAddressText.bytes(name).flatMap(IPAddressText.text) ?? name
    }

    /// Drops IP addresses.
    package static func hostNames(in names: [String]) -> [String] { names.filter { IPAddressText.bytes($0) == nil } }

    /// - Parameter names: DNS names, which include their subdomains, and addresses that it may sign for.
    package init(names: [String], now: Int64) throws(TLSError) {
        key = P256PrivateKey()
        let rootKey = P256PrivateKey()
        let name = "\(Self.commonNamePrefix)\(Self.suffix())"
        let root = try Self.builder(name, rootKey, issuer: nil, depth: 1, now: now)
        certificate = try root.signed(with: rootKey)
        let builder = try Self.builder("\(name), intermediate", key, issuer: certificate, depth: 0, now: now)
        try builder.add(NID_ext_key_usage, "serverAuth,clientAuth")
        try builder.add(NID_authority_key_identifier, "keyid:always")
        try builder.add(
            NID_name_constraints, "critical," + names.map { "permitted;" + Self.constraint($0) }.joined(separator: ","))
        intermediate = try builder.signed(with: rootKey)
    }

    /// - Parameter depth: How many CAs may follow in a chain.
    private static func builder(
        _ name: String, _ key: P256PrivateKey, issuer: Certificate?, depth: Int, now: Int64
    ) throws(TLSError) -> CertificateBuilder {
        let builder = CertificateBuilder(
            subject: [("O", "Pushcote"), ("CN", name)], key: key.publicKey, issuer: issuer,
            validity: now - secondsPerDay...now + days * secondsPerDay)
        try builder.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:\(depth)")
        try builder.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try builder.add(NID_subject_key_identifier, "hash")
        return builder
    }

    /// - Throws: `TLSError` when the key does not match the intermediate.
    package init(certificate: Certificate, intermediate: Certificate, key: P256PrivateKey) throws(TLSError) {
        guard intermediate.belongs(to: key) else {
            throw TLSError(.unusableCertificate, reasons: ["the key is not this certificate's"])
        }
        (self.certificate, self.intermediate, self.key) = (certificate, intermediate, key)
    }

    /// - Parameter names: BoringSSL rejects a certificate with an IP address, because it does not support name
    ///   constraints on addresses (X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE).
    package func issueServer(
        names: [String], key: P256PrivateKey = P256PrivateKey(), now: Int64
    ) throws(TLSError) -> CertificateWithKey {
        let builder = try leaf(
            [("O", "Pushcote"), ("CN", names.first ?? "localhost")], key, usage: "serverAuth",
            validity: now - Self.secondsPerDay...now + Self.leafDays * Self.secondsPerDay)
        try builder.add(NID_subject_alt_name, names.map(Self.alternativeName).joined(separator: ","))
        return CertificateWithKey(certificate: try builder.signed(with: self.key), key: key, intermediate: intermediate)
    }

    package func issueClient(_ request: ClientCertificateRequest, now: Int64) throws(TLSError) -> CertificateWithKey {
        let key = P256PrivateKey()
        let builder = try leaf(
            request.subject, key, usage: "clientAuth",
            validity: now - Self.secondsPerDay * (request.isExpired ? 2 : 1)...now
                + Self.secondsPerDay * (request.isExpired ? -1 : Self.leafDays))
        for (identifier, value) in request.extensions { builder.add(identifier, der: value) }
        return CertificateWithKey(certificate: try builder.signed(with: self.key), key: key, intermediate: intermediate)
    }

    private func leaf(
        _ subject: [(field: String, value: String)], _ key: P256PrivateKey, usage: String, validity: ClosedRange<Int64>
    ) throws(TLSError) -> CertificateBuilder {
        let builder = CertificateBuilder(subject: subject, key: key.publicKey, issuer: intermediate, validity: validity)
        try builder.add(NID_basic_constraints, "critical,CA:FALSE")
        try builder.add(NID_key_usage, "critical,digitalSignature")
        try builder.add(NID_ext_key_usage, usage)
        try builder.add(NID_subject_key_identifier, "hash")
        try builder.add(NID_authority_key_identifier, "keyid:always")
        return builder
    }

    /// Makes authorities distinguishable in a list of trusted ones.
    private static func suffix() -> String { SecureRandom.bytes(3).hexadecimal }

    private static func alternativeName(_ name: String) -> String {
        IPAddressText.bytes(name) == nil ? "DNS:\(name)" : "IP:\(name)"
    }

    /// One name, or one address with a full mask.
    private static func constraint(_ name: String) -> String {
        switch IPAddressText.bytes(name)?.count {
        case 4: "IP:\(name)/255.255.255.255"
        case 16: "IP:\(name)/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
        default: "DNS:\(name)"
        }
    }
}

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
        for certificate in [identity.intermediate, authority] { _ = shim_sk_X509_push(others, certificate.pointer) }
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

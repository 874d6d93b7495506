internal import COpenSSL

package struct CertificateWithKey: Sendable {
    package var certificate: Certificate
    package var key: P256PrivateKey
}

/// The CA of a gateway's certificates; times are in seconds since 1970.
/// Name constraints limit it to its own hosts, so trusting it is harmless.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    package let key: P256PrivateKey

    static let secondsPerDay: Int64 = 86400
    /// Ten years, so that machines rarely need to trust a new CA.
    static let days: Int64 = 3650
    /// The maximum that Apple's platforms accept for a server.
    static let leafDays: Int64 = 397

    /// The common name of every generated authority starts with this.
    package static let commonNamePrefix = "Pushcote local authority "

    /// Drops IP addresses.
    package static func hostNames(in names: [String]) -> [String] { names.filter { IPAddressText.bytes($0) == nil } }

    /// - Parameter names: DNS names, which include their subdomains, and addresses that it may sign for.
    package init(names: [String], now: Int64) throws(TLSError) {
        key = P256PrivateKey()
        let builder = CertificateBuilder(
            subject: [("O", "Pushcote"), ("CN", "\(Self.commonNamePrefix)\(Self.suffix())")], key: key.publicKey,
            issuer: nil, validity: now - Self.secondsPerDay...now + Self.days * Self.secondsPerDay)
        try builder.add(NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        try builder.add(NID_key_usage, "critical,keyCertSign,cRLSign")
        try builder.add(NID_ext_key_usage, "serverAuth,clientAuth")
        try builder.add(NID_subject_key_identifier, "hash")
        try builder.add(
            NID_name_constraints, "critical," + names.map { "permitted;" + Self.constraint($0) }.joined(separator: ","))
        certificate = try builder.signed(with: key)
    }

    /// - Throws: `TLSError` when the key does not match the certificate.
    package init(certificate: Certificate, key: P256PrivateKey) throws(TLSError) {
        guard key.key.matches(certificate) else {
            throw TLSError(.unusableCertificate, reasons: ["the key is not this certificate's"])
        }
        self.certificate = certificate
        self.key = key
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
        return CertificateWithKey(certificate: try builder.signed(with: self.key), key: key)
    }

    package func issueClient(_ request: ClientCertificateRequest, now: Int64) throws(TLSError) -> CertificateWithKey {
        let key = P256PrivateKey()
        let builder = try leaf(
            request.subject, key, usage: "clientAuth",
            validity: now - Self.secondsPerDay * (request.isExpired ? 2 : 1)...now
                + Self.secondsPerDay * (request.isExpired ? -1 : Self.leafDays))
        for (identifier, value) in request.extensions { builder.add(identifier, der: value) }
        return CertificateWithKey(certificate: try builder.signed(with: self.key), key: key)
    }

    private func leaf(
        _ subject: [(field: String, value: String)], _ key: P256PrivateKey, usage: String, validity: ClosedRange<Int64>
    ) throws(TLSError) -> CertificateBuilder {
        let builder = CertificateBuilder(subject: subject, key: key.publicKey, issuer: certificate, validity: validity)
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

internal import COpenSSL

/// A certificate with the key that goes with it.
package struct CertificateWithKey: Sendable {
    package var certificate: Certificate
    package var key: P256PrivateKey
}

/// The authority that signs a gateway's certificates. Name constraints keep it from signing for anybody else's hosts, so
/// that trusting it is harmless.
package struct CertificateAuthority: Sendable {
    package let certificate: Certificate
    package let key: P256PrivateKey

    static let secondsPerDay: Int64 = 86400
    /// Ten years: who trusts the authority on many machines does not want to do it again.
    static let days: Int64 = 3650
    /// What Apple's platforms accept at most from a server.
    static let leafDays: Int64 = 397

    /// How the common name of every authority begins that this type makes.
    package static let commonNamePrefix = "Pushcote local authority "

    /// The names of a list that are no addresses.
    package static func hostNames(in names: [String]) -> [String] { names.filter { IPAddressText.bytes($0) == nil } }

    /// Makes a new authority.
    /// - Parameters:
    ///   - names: DNS names and addresses it may sign for; names below a DNS name are included.
    ///   - now: Seconds since 1970.
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

    /// An authority from its files.
    /// - Throws: `TLSError` when the key is not the certificate's.
    package init(certificate: Certificate, key: P256PrivateKey) throws(TLSError) {
        guard PrivateKey(key.key).matches(certificate) else {
            throw TLSError(.unusableCertificate, reasons: ["the key is not this certificate's"])
        }
        self.certificate = certificate
        self.key = key
    }

    /// A server's certificate.
    /// - Parameters:
    ///   - names: DNS names and addresses. With an address among them, BoringSSL refuses the certificate, as it does not know
    ///     name constraints for addresses (X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE).
    ///   - key: What the certificate is for.
    ///   - now: Seconds since 1970.
    package func issueServer(
        names: [String], key: P256PrivateKey = P256PrivateKey(), now: Int64
    ) throws(TLSError) -> CertificateWithKey {
        let builder = CertificateBuilder(
            subject: [("O", "Pushcote"), ("CN", names.first ?? "localhost")], key: key.publicKey, issuer: certificate,
            validity: now - Self.secondsPerDay...now + Self.leafDays * Self.secondsPerDay)
        try builder.add(NID_basic_constraints, "critical,CA:FALSE")
        try builder.add(NID_key_usage, "critical,digitalSignature")
        try builder.add(NID_ext_key_usage, "serverAuth")
        try builder.add(NID_subject_alt_name, names.map(Self.alternativeName).joined(separator: ","))
        try builder.add(NID_subject_key_identifier, "hash")
        try builder.add(NID_authority_key_identifier, "keyid:always")
        return CertificateWithKey(certificate: try builder.signed(with: self.key), key: key)
    }

    /// A provider's client certificate.
    /// - Parameter now: Seconds since 1970.
    package func issueClient(_ request: ClientCertificateRequest, now: Int64) throws(TLSError) -> CertificateWithKey {
        let key = P256PrivateKey()
        let builder = CertificateBuilder(
            subject: request.subject, key: key.publicKey, issuer: certificate,
            validity: now - Self.secondsPerDay * (request.isExpired ? 2 : 1)...now
                + Self.secondsPerDay * (request.isExpired ? -1 : Self.leafDays))
        try builder.add(NID_basic_constraints, "critical,CA:FALSE")
        try builder.add(NID_key_usage, "critical,digitalSignature")
        try builder.add(NID_ext_key_usage, "clientAuth")
        try builder.add(NID_subject_key_identifier, "hash")
        try builder.add(NID_authority_key_identifier, "keyid:always")
        if request.isDevelopment { builder.add(AppleExtension.development, der: DER.null) }
        if request.isProduction { builder.add(AppleExtension.production, der: DER.null) }
        if let topic = request.voipTopic {
            builder.add(AppleExtension.voip, der: DER.element(DER.utf8String, Array(topic.utf8)))
        }
        if !request.topics.isEmpty {
            builder.add(AppleExtension.topics, der: AppleExtension.value(topics: request.topics))
        }
        return CertificateWithKey(certificate: try builder.signed(with: self.key), key: key)
    }

    /// Tells two authorities apart in a list of trusted ones.
    private static func suffix() -> String { SecureRandom.bytes(3).map { String(format($0)) }.joined() }

    private static func format(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

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

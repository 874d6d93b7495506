internal import APNs
internal import Files
package import TLSEngine

/// The folder `certs`: an authority, the server's certificates, and their forms for clients.
///
/// Everything in it is made on first use, reused afterwards, and renewed in time. What somebody else made stays as it is.
package struct CertificateStore: Sendable {
    package let folder: String
    let names: [String]
    /// The clock: seconds since 1970.
    package let now: @Sendable () -> Int64
    package let files: CertificateFiles

    /// Password of `ca.p12`; Java's usual one. The file holds nothing secret.
    package static let trustStorePassword = "changeit"

    /// A certificate is renewed when less than this is left of it.
    static let renewalMargin: Int64 = 30 * 86400

    package init(folder: String, extraNames: [String] = [], now: @escaping @Sendable () -> Int64) {
        self.folder = folder
        names = CertificateNames.all(with: extraNames)
        self.now = now
        files = CertificateFiles(folder: folder)
    }

    package func path(_ name: String) -> String { files.path(name) }

    /// The server's certificates; made, or renewed, when that is due.
    /// - Throws: `CertificateError`, or `FileProblem`.
    package func serverIdentity() throws -> ServerIdentity {
        try locking { notes in
            let (authority, key) = try authority(&notes)
            return try leaf(authority, key, &notes)
        }
    }

    /// Makes everything anew.
    /// - Parameter includesAuthority: Clients have to trust the new authority then.
    package func renew(includesAuthority: Bool) throws -> ServerIdentity {
        try locking { notes in
            let (certificate, key): (Certificate, P256PrivateKey?) =
                try includesAuthority ? makeAuthority(&notes) : authority(&notes)
            return try issueLeaf(certificate, key, &notes)
        }
    }

    package func certificateAuthority() throws -> CertificateAuthority {
        _ = try serverIdentity()
        var notes: [String] = []
        let (certificate, key) = try authority(&notes)
        guard let key else {
            throw files.error(
                .authorityKey, "it is missing",
                "Restore it, or generate a new CA with `pushcote certs renew --all`.")
        }
        return try CertificateAuthority(certificate: certificate, key: key)
    }

    private func locking<Result>(_ body: (inout [String]) throws -> Result) throws -> Result {
        try files.makeFolder()
        return try FileStore.locking(folder) {
            var notes: [String] = []
            try files.finishInstalling()
            return try body(&notes)
        }
    }

    // MARK: - Authority

    private func authority(_ notes: inout [String]) throws -> (Certificate, P256PrivateKey?) {
        guard files.exists(.authority) else {
            guard !files.exists(.authorityKey) else {
                throw files.error(
                    .authority, "it is missing, but ca.key exists",
                    "Restore it. \(CertificateFiles.remedy(for: "ca.key"))")
            }
            return try makeAuthority(&notes)
        }
        let certificate = try files.read(.authority) { $0.isGatewaysAuthority }.first
        guard certificate.notAfter > now() else {
            throw files.error(
                .authority, "it expired on \(Instant(wholeSeconds: certificate.notAfter).text)",
                Self.renewAll)
        }
        // Without its key an authority still serves as long as the leaf lasts; some people remove it on purpose.
        guard files.exists(.authorityKey) else { return (certificate, nil) }
        return (certificate, try files.readKey(.authorityKey, of: certificate, in: .authority).key)
    }

    private func makeAuthority(_ notes: inout [String]) throws -> (Certificate, P256PrivateKey?) {
        // The leaf follows: nothing is made unless everything can be.
        try files.checkReplaceable(CertificateFiles.Name.allCases)
        let authority: CertificateAuthority
        do {
            authority = try CertificateAuthority(names: names, now: now())
        } catch {
            throw files.error(
                .authority, "it cannot be generated (\(error))",
                "Check `certificates.names`: DNS names and IP addresses only.")
        }
        try files.install(key: authority.key.pem, certificates: [authority.certificate.pem], as: .newAuthority)
        notes.append("Generated a CA in \(path("ca.pem")); clients must trust it")
        return (authority.certificate, authority.key)
    }

    private static let renewAll = "Generate a new CA with `pushcote certs renew --all`, and make clients trust it."

    // MARK: - Leaf

    private func leaf(
        _ authority: Certificate, _ authorityKey: P256PrivateKey?, _ notes: inout [String]
    ) throws -> ServerIdentity {
        guard files.exists(.server) else {
            guard !files.exists(.serverKey) else {
                throw files.error(
                    .server, "it is missing, but server.key exists",
                    "Restore it. \(CertificateFiles.remedy(for: "server.key"))")
            }
            return try issueLeaf(authority, authorityKey, &notes)
        }
        let server = try files.read(.server) { $0.isOfGatewaysAuthority }
        guard files.exists(.serverKey) else {
            throw files.error(
                .serverKey, "it cannot be read (No such file or directory)",
                "Renew both with `pushcote certs renew`.")
        }
        let key = try files.readKey(.serverKey, of: server.first, in: .server).text
        guard try isGood(server.text, key, names, authority) else {
            return try issueLeaf(authority, authorityKey, &notes)
        }
        let host = try hostCertificate(key, authority)
        let isLasting = [server.first, host].allSatisfy { $0.map { $0.notAfter - now() > Self.renewalMargin } ?? false }
        if authorityKey == nil {
            if host == nil {
                notes.append("\(path("ca.key")) is missing, so there is no certificate that BoringSSL accepts")
            }
        } else if !isLasting {
            do {
                return try issueLeaf(authority, authorityKey, &notes)
            } catch let problem as FileProblem {
                // A read-only folder works as long as its certificates are valid.
                notes.append(unrenewed(server.first, host, problem))
            }
        }
        return ServerIdentity(
            chain: server.text, hostCertificate: host?.pem, key: key, leaf: server.first, authority: authority,
            notes: notes)
    }

    /// What is said when the certificates cannot be replaced, but are valid.
    private func unrenewed(_ server: Certificate, _ host: Certificate?, _ problem: FileProblem) -> String {
        let rest =
            host == nil
            ? "there is no certificate that BoringSSL accepts"
            : "they are valid until \(Instant(wholeSeconds: server.notAfter).text)"
        return "The certificates in \(folder) cannot be renewed (\(problem)), and \(rest): make the folder writable"
    }

    /// The certificate for clients that name a host; `nil` when there is none yet, or it does not go with the key.
    private func hostCertificate(_ key: String, _ authority: Certificate) throws -> Certificate? {
        guard files.exists(.host) else { return nil }
        let (text, certificate) = try files.read(.host) { $0.isOfGatewaysAuthority }
        let inspection = try CertificateInspection(
            chain: text, key: key, authority: authority, requiredNames: CertificateAuthority.hostNames(in: names),
            now: now())
        return inspection.problems.isEmpty ? certificate : nil
    }

    /// Whether the server's certificate can go on; false when it has to be renewed.
    private func isGood(_ chain: String, _ key: String, _ names: [String], _ authority: Certificate) throws -> Bool {
        let inspection = try CertificateInspection(
            chain: chain, key: key, authority: authority, requiredNames: names, now: now())
        for problem in inspection.problems {
            switch problem {
            case .notYetValid(let start):
                throw files.error(
                    .server, "it is valid from \(Instant(wholeSeconds: start).text) only",
                    "Check the clock of this machine, or renew it with `pushcote certs renew`.")
            case .keyMismatch, .notIssued, .expired, .missingNames: return false
            }
        }
        return true
    }

    private func issueLeaf(
        _ authority: Certificate, _ authorityKey: P256PrivateKey?, _ notes: inout [String]
    ) throws -> ServerIdentity {
        guard let authorityKey else {
            throw files.error(
                .authorityKey, "it is missing, and server.pem must be renewed",
                "Restore it. \(Self.renewAll)")
        }
        try files.checkReplaceable([.server, .host, .serverKey, .bundle, .trustStore, .newServer])
        let signer = try CertificateAuthority(certificate: authority, key: authorityKey)
        let issued = try signer.issueServer(names: names, now: now())
        if let reason = issued.certificate.problem(issuedBy: [authority], at: now()) {
            throw files.error(
                .authority,
                "it may not sign for \(names.dropFirst(CertificateNames.standard.count).joined(separator: ", ")) (\(reason))",
                Self.renewAll)
        }
        let host = try signer.issueServer(
            names: CertificateAuthority.hostNames(in: names), key: issued.key, now: now()
        ).certificate
        let (pem, key) = (issued.certificate.pem, issued.key.pem)
        try writeClientForms(authority)
        try files.install(key: key, certificates: [pem, host.pem], as: .newServer)
        notes.append(
            "Generated a certificate in \(path("server.pem")), valid until \(Instant(wholeSeconds: issued.certificate.notAfter).text)"
        )
        return ServerIdentity(
            chain: pem, hostCertificate: host.pem, key: key, leaf: issued.certificate, authority: authority,
            notes: notes)
    }

    /// The authority for clients that take a whole bundle, or a Java trust store.
    private func writeClientForms(_ authority: Certificate) throws {
        try FileStore.write(TrustBundle.pem(with: authority), to: files.path(.bundle), access: .everybody)
        try FileStore.write(
            try PKCS12File.trustStore(authority, name: "pushcote", password: Self.trustStorePassword),
            to: files.path(.trustStore), access: .everybody)
    }
}

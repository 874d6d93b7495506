internal import APNs
internal import Files
package import TLSEngine

/// Creates, reuses and renews the files in `certs`: a CA, the server's certificates, and their forms for clients.
package struct CertificateStore: Sendable {
    package let folder: String
    let names: [String]
    /// Seconds since 1970.
    package let now: @Sendable () -> Int64
    package let files: CertificateFiles

    /// Java's default for `ca.p12`, which contains no secrets.
    package static let trustStorePassword = "changeit"

    /// Seconds before the expiry.
    private static let renewalMargin: Int64 = 30 * 86400

    package init(folder: String, extraNames: [String] = [], now: @escaping @Sendable () -> Int64) {
        self.folder = folder
        let extraNames = extraNames.map(CertificateAuthority.canonical)
        names = Self.standardNames + extraNames.filter { !Self.standardNames.contains($0) }
        self.now = now
        files = CertificateFiles(folder: folder)
    }

    package func path(_ name: CertificateFiles.Name) -> String { files.path(name) }

    /// Creates or renews the server's certificates if necessary.
    /// - Throws: `CertificateError` or `FileProblem`.
    package func serverIdentity() throws -> ServerIdentity {
        try locking { notes in
            let (authority, key) = try authority(&notes)
            return try leaf(authority, key, &notes)
        }
    }

    /// - Parameter includesAuthority: Also generates a new CA, which clients must then trust.
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
        try files.locking {
            var notes: [String] = []
            try files.finishInstalling()
            return try body(&notes)
        }
    }

    private func authority(_ notes: inout [String]) throws -> (Certificate, P256PrivateKey?) {
        guard files.exists(.authority) else {
            guard !files.exists(.authorityKey) else {
                throw files.error(
                    .authority, "it is missing, but ca.key exists",
                    "Restore it. \(CertificateFiles.remedy(for: .authorityKey))")
            }
            return try makeAuthority(&notes)
        }
        let certificate = try files.read(.authority) { $0.isGatewaysAuthority }.first
        guard certificate.notAfter > now() else {
            throw files.error(
                .authority, "it expired on \(Instant(wholeSeconds: certificate.notAfter).text)",
                Self.renewAll)
        }
        // Without its key, a CA is usable until the leaf expires; some users remove the key on purpose.
        guard files.exists(.authorityKey) else { return (certificate, nil) }
        return (certificate, try files.readKey(.authorityKey, of: certificate, in: .authority).key)
    }

    private func makeAuthority(_ notes: inout [String]) throws -> (Certificate, P256PrivateKey?) {
        // Also checks the leaf's files, so that either everything or nothing is created.
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
        notes.append("Generated a CA in \(path(.authority)); clients must trust it")
        return (authority.certificate, authority.key)
    }

    private static let renewAll = "Generate a new CA with `pushcote certs renew --all`, and make clients trust it."

    private func leaf(
        _ authority: Certificate, _ authorityKey: P256PrivateKey?, _ notes: inout [String]
    ) throws -> ServerIdentity {
        guard files.exists(.server) else {
            guard !files.exists(.serverKey) else {
                throw files.error(
                    .server, "it is missing, but server.key exists",
                    "Restore it. \(CertificateFiles.remedy(for: .serverKey))")
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
                notes.append("\(path(.authorityKey)) is missing, so there is no certificate that BoringSSL accepts")
            }
        } else if !isLasting {
            do {
                return try issueLeaf(authority, authorityKey, &notes)
            } catch let problem as FileProblem {
                // A read-only folder is usable until its certificates expire.
                notes.append(unrenewed(server.first, host, problem))
            }
        }
        return ServerIdentity(
            chain: server.text, hostCertificate: host?.pem, key: key, leaf: server.first, authority: authority,
            notes: notes)
    }

    private func unrenewed(_ server: Certificate, _ host: Certificate?, _ problem: FileProblem) -> String {
        let rest =
            host == nil
            ? "there is no certificate that BoringSSL accepts"
            : "they are valid until \(Instant(wholeSeconds: server.notAfter).text)"
        return "The certificates in \(folder) cannot be renewed (\(problem)), and \(rest): make the folder writable"
    }

    /// For clients that name a host; nil when it is missing or does not match the key.
    private func hostCertificate(_ key: String, _ authority: Certificate) throws -> Certificate? {
        guard files.exists(.host) else { return nil }
        let (text, certificate) = try files.read(.host) { $0.isOfGatewaysAuthority }
        let hostNames = CertificateAuthority.hostNames(in: names)
        return try problems(text, key, hostNames, authority).isEmpty ? certificate : nil
    }

    private func isGood(_ chain: String, _ key: String, _ names: [String], _ authority: Certificate) throws -> Bool {
        guard let problem = try problems(chain, key, names, authority).first else { return true }
        if case .notYetValid(let start) = problem {
            throw files.error(
                .server, "it is valid from \(Instant(wholeSeconds: start).text) only",
                "Check the clock of this machine, or renew it with `pushcote certs renew`.")
        }
        return false
    }

    private func problems(
        _ chain: String, _ key: String, _ names: [String], _ authority: Certificate
    ) throws -> [CertificateInspection.Problem] {
        try CertificateInspection(chain: chain, key: key, authority: authority, requiredNames: names, now: now())
            .problems
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
                "it may not sign for \(names.dropFirst(Self.standardNames.count).joined(separator: ", ")) (\(reason))",
                Self.renewAll)
        }
        let host = try signer.issueServer(
            names: CertificateAuthority.hostNames(in: names), key: issued.key, now: now()
        ).certificate
        let (pem, key) = (issued.certificate.pem, issued.key.pem)
        try writeClientForms(authority)
        try files.install(key: key, certificates: [pem, host.pem], as: .newServer)
        notes.append(
            "Generated a certificate in \(path(.server)), valid until \(Instant(wholeSeconds: issued.certificate.notAfter).text)"
        )
        return ServerIdentity(
            chain: pem, hostCertificate: host.pem, key: key, leaf: issued.certificate, authority: authority,
            notes: notes)
    }

    private func writeClientForms(_ authority: Certificate) throws {
        try FileStore.write(TrustBundle.pem(with: authority), to: files.path(.bundle), access: .everybody)
        try FileStore.write(
            try PKCS12File.trustStore(authority, name: "pushcote", password: Self.trustStorePassword),
            to: files.path(.trustStore), access: .everybody)
    }
}

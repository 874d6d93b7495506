internal import Files
package import TLSEngine
internal import Time

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

    /// The authority on disk; without the intermediate's key, the leaf cannot be renewed.
    private struct Issuer {
        var root: Certificate
        var intermediate: Certificate
        var key: P256PrivateKey?
    }

    /// Creates or renews the server's certificates if necessary.
    /// - Throws: `CertificateError` or `FileProblem`.
    package func serverIdentity() throws -> ServerIdentity {
        try locking { notes in
            let issuer = try issuer(&notes)
            return try leaf(issuer, &notes)
        }
    }

    /// - Parameter includesAuthority: Also generates a new CA, which clients must then trust.
    package func renew(includesAuthority: Bool) throws -> ServerIdentity {
        try locking { notes in
            let issuer = try includesAuthority ? makeAuthority(&notes) : issuer(&notes)
            return try issueLeaf(issuer, &notes)
        }
    }

    package func certificateAuthority() throws -> CertificateAuthority {
        _ = try serverIdentity()
        var notes: [String] = []
        let issuer = try issuer(&notes)
        guard let key = issuer.key else {
            throw files.error(
                .intermediateKey, "it is missing",
                "Restore it, or generate a new CA with `pushcote certs renew --all`.")
        }
        return try CertificateAuthority(certificate: issuer.root, intermediate: issuer.intermediate, key: key)
    }

    private func locking<Result>(_ body: (inout [String]) throws -> Result) throws -> Result {
        try files.locking {
            var notes: [String] = []
            try files.finishInstalling()
            return try body(&notes)
        }
    }

    private func issuer(_ notes: inout [String]) throws -> Issuer {
        guard files.exists(.authority) else {
            for orphan in [CertificateFiles.Name.foreignAuthorityKey, .intermediateKey] where files.exists(orphan) {
                throw files.error(
                    .authority, "it is missing, but \(orphan.rawValue) exists",
                    "Restore it. \(CertificateFiles.remedy(for: orphan))")
            }
            return try makeAuthority(&notes)
        }
        let root = try files.read(.authority) { $0.isGatewaysAuthority }.first
        guard root.notAfter > now() else {
            throw files.error(
                .authority, "it expired on \(Instant(wholeSeconds: root.notAfter).text)",
                Self.renewAll)
        }
        guard files.exists(.intermediate) else {
            if files.exists(.foreignAuthorityKey) {
                throw files.error(
                    .foreignAuthorityKey, "Pushcote keeps no key of \(CertificateFiles.Name.authority.rawValue)",
                    "The folder is of a development version: empty it, and make clients trust the new CA.")
            }
            throw files.error(
                .intermediate, "it is missing",
                "Restore it, or move ca.pem and \(CertificateFiles.Name.intermediateKey.rawValue) away for a new CA.")
        }
        let intermediate = try files.read(.intermediate) { $0.isGatewaysAuthority }.first
        if let reason = intermediate.problem(issuedBy: [root], at: now()) {
            throw files.refusal(of: .intermediate, "ca.pem did not issue it (\(reason))")
        }
        // Without its key, a CA is usable until the leaf expires; some users remove the key on purpose.
        let key =
            try files.exists(.intermediateKey)
            ? files.readKey(.intermediateKey, of: intermediate, in: .intermediate).key : nil
        return Issuer(root: root, intermediate: intermediate, key: key)
    }

    private func makeAuthority(_ notes: inout [String]) throws -> Issuer {
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
        let (root, intermediate) = (authority.certificate, authority.intermediate)
        try files.install(key: authority.key.pem, certificates: [intermediate, root], as: .newAuthority)
        notes.append("Generated a CA in \(path(.authority)); clients must trust it")
        return Issuer(root: root, intermediate: intermediate, key: authority.key)
    }

    private static let renewAll = "Generate a new CA with `pushcote certs renew --all`, and make clients trust it."

    private func leaf(_ issuer: Issuer, _ notes: inout [String]) throws -> ServerIdentity {
        guard files.exists(.server) else {
            guard !files.exists(.serverKey) else {
                throw files.error(
                    .server, "it is missing, but \(CertificateFiles.Name.serverKey.rawValue) exists",
                    "Restore it. \(CertificateFiles.remedy(for: .serverKey))")
            }
            return try issueLeaf(issuer, &notes)
        }
        let server = try files.read(.server) { $0.isOfGatewaysAuthority }
        guard files.exists(.serverKey) else {
            throw files.error(
                .serverKey, "it cannot be read (No such file or directory)",
                "Renew both with `pushcote certs renew`.")
        }
        let key = try files.readKey(.serverKey, of: server.first, in: .server).text
        guard try isGood(server.text, key, names, issuer.root) else {
            return try issueLeaf(issuer, &notes)
        }
        let host = try hostCertificate(key, issuer.root)
        let isLasting = [server.first, host?.first].allSatisfy {
            $0.map { $0.notAfter - now() > Self.renewalMargin } ?? false
        }
        if issuer.key == nil {
            if host == nil {
                notes.append("\(path(.intermediateKey)) is missing, so there is no certificate that BoringSSL accepts")
            }
        } else if !isLasting {
            do {
                return try issueLeaf(issuer, &notes)
            } catch let problem as FileProblem {
                // A read-only folder is usable until its certificates expire.
                notes.append(unrenewed(server.first, host?.first, problem))
            }
        }
        return ServerIdentity(
            chain: server.text, hostCertificate: host?.text, key: key, leaf: server.first, authority: issuer.root,
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
    private func hostCertificate(_ key: String, _ authority: Certificate) throws -> (text: String, first: Certificate)?
    {
        guard files.exists(.host) else { return nil }
        let host = try files.read(.host) { $0.isOfGatewaysAuthority }
        let hostNames = CertificateAuthority.hostNames(in: names)
        return try problems(host.text, key, hostNames, authority).isEmpty ? host : nil
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

    private func issueLeaf(_ issuer: Issuer, _ notes: inout [String]) throws -> ServerIdentity {
        guard let key = issuer.key else {
            throw files.error(
                .intermediateKey, "it is missing, and server.pem must be renewed",
                "Restore it. \(Self.renewAll)")
        }
        try files.checkReplaceable([.server, .host, .serverKey, .bundle, .trustStore, .newServer])
        let signer = try CertificateAuthority(certificate: issuer.root, intermediate: issuer.intermediate, key: key)
        let issued = try signer.issueServer(names: names, now: now())
        if let reason = issued.certificate.problem(
            issuedBy: [issuer.root], intermediates: [issuer.intermediate], at: now())
        {
            throw files.error(
                .authority,
                "it may not sign for \(names.dropFirst(Self.standardNames.count).joined(separator: ", ")) (\(reason))",
                Self.renewAll)
        }
        let host = try signer.issueServer(
            names: CertificateAuthority.hostNames(in: names), key: issued.key, now: now())
        try writeClientForms(issuer.root)
        try files.install(
            key: issued.key.pem, certificates: [issued.certificate, host.certificate, issuer.intermediate],
            as: .newServer)
        notes.append(
            "Generated a certificate in \(path(.server)), valid until \(Instant(wholeSeconds: issued.certificate.notAfter).text)"
        )
        return ServerIdentity(
            chain: issued.chain, hostCertificate: host.chain, key: issued.key.pem, leaf: issued.certificate,
            authority: issuer.root, notes: notes)
    }

    private func writeClientForms(_ authority: Certificate) throws {
        try FileStore.write(TrustBundle.pem(with: authority), to: files.path(.bundle), access: .everybody)
        try FileStore.write(
            try PKCS12File.trustStore(authority, name: "pushcote", password: Self.trustStorePassword),
            to: files.path(.trustStore), access: .everybody)
    }
}

internal import APNs
public import TLSEngine

/// The folder `certs`: an authority, the server's certificate, and their forms for clients.
///
/// Everything in it is made on first use, reused afterwards, and renewed in time.
public struct CertificateStore: Sendable {
    public let folder: String
    /// Names the server's certificate has, beside `standardNames`.
    public let extraNames: [String]
    /// The clock: seconds since 1970.
    let now: @Sendable () -> Int64

    /// Names a gateway is reached under: on this machine, in a compose file, and in APNs' place.
    public static let standardNames = [
        "localhost", "127.0.0.1", "::1", "pushcote", "api.push.apple.com", "api.sandbox.push.apple.com",
        "api.development.push.apple.com", "api-manage-broadcast.push.apple.com",
        "api-manage-broadcast.sandbox.push.apple.com",
    ]

    /// Password of `ca.p12`; Java's usual one. The file holds nothing secret.
    public static let trustStorePassword = "changeit"

    /// A certificate is renewed when less than this is left of it.
    static let renewalMargin: Int64 = 30 * 86400

    public init(folder: String, extraNames: [String] = [], now: @escaping @Sendable () -> Int64) {
        self.folder = folder
        self.extraNames = extraNames.filter { !Self.standardNames.contains($0) }
        self.now = now
    }

    public func path(_ name: String) -> String { folder.hasSuffix("/") ? folder + name : folder + "/" + name }

    var names: [String] { Self.standardNames + extraNames }

    /// The server's certificate; made, or renewed, when that is due.
    /// - Throws: `CertificateError`, or `FileProblem`.
    public func serverIdentity() throws -> ServerIdentity {
        try FileStore.makeFolder(folder)
        return try FileStore.locking(folder) {
            var notes: [String] = []
            try finishInstalling()
            let (authority, key) = try authority(&notes)
            return try leaf(authority, key, &notes)
        }
    }

    /// Makes everything anew.
    /// - Parameter includesAuthority: Clients have to trust the new authority then.
    public func renew(includesAuthority: Bool) throws -> ServerIdentity {
        try FileStore.makeFolder(folder)
        return try FileStore.locking(folder) {
            var notes: [String] = []
            try finishInstalling()
            let (certificate, key): (Certificate, P256PrivateKey?) =
                try includesAuthority ? makeAuthority(&notes) : authority(&notes)
            return try issueLeaf(certificate, key, &notes)
        }
    }

    /// The authority with its key, to sign client certificates.
    public func certificateAuthority() throws -> CertificateAuthority {
        _ = try serverIdentity()
        var notes: [String] = []
        let (certificate, key) = try authority(&notes)
        guard let key else {
            throw CertificateError(
                file: path("ca.key"), problem: "it is missing",
                remedy: "Put it back, or make a new authority with `pushcote certs renew --all`.")
        }
        return try CertificateAuthority(certificate: certificate, key: key)
    }

    // MARK: - Authority

    private func authority(_ notes: inout [String]) throws -> (Certificate, P256PrivateKey?) {
        guard FileStore.exists(path("ca.pem")) else {
            guard !FileStore.exists(path("ca.key")) else {
                throw CertificateError(
                    file: path("ca.pem"), problem: "it is missing, but its key is there",
                    remedy: "Put it back, or make a new authority with `pushcote certs renew --all`.")
            }
            return try makeAuthority(&notes)
        }
        let certificate = try readCertificate(path("ca.pem"), remedy: Self.renewAll).chain[0]
        guard certificate.notAfter > now() else {
            throw CertificateError(
                file: path("ca.pem"), problem: "it expired on \(Instant(wholeSeconds: certificate.notAfter).text)",
                remedy: Self.renewAll)
        }
        // Without its key an authority still serves as long as the leaf lasts; some people remove it on purpose.
        guard FileStore.exists(path("ca.key")) else { return (certificate, nil) }
        let key = try readKey(path("ca.key"), remedy: Self.renewAll).key
        do {
            return (certificate, try CertificateAuthority(certificate: certificate, key: key).key)
        } catch {
            throw CertificateError(file: path("ca.key"), problem: "it is not the key of ca.pem", remedy: Self.renewAll)
        }
    }

    private func makeAuthority(_ notes: inout [String]) throws -> (Certificate, P256PrivateKey?) {
        let authority: CertificateAuthority
        do {
            authority = try CertificateAuthority(names: names, now: now())
        } catch {
            throw CertificateError(
                file: path("ca.pem"), problem: "it cannot be made (\(error))",
                remedy: "Check `certificates.names`: DNS names and IP addresses only.")
        }
        try install(key: authority.key.pem, certificate: authority.certificate.pem, as: "ca")
        notes.append("Made an authority in \(path("ca.pem")); clients have to trust it")
        return (authority.certificate, authority.key)
    }

    private static let renewAll = "Make a new authority with `pushcote certs renew --all`, and let clients trust it."

    // MARK: - Leaf

    private func leaf(
        _ authority: Certificate, _ authorityKey: P256PrivateKey?, _ notes: inout [String]
    ) throws -> ServerIdentity {
        guard FileStore.exists(path("server.pem")) || FileStore.exists(path("server.key")) else {
            return try issueLeaf(authority, authorityKey, &notes)
        }
        let remedy = "Make it anew with `pushcote certs renew`."
        let chain = try readCertificate(path("server.pem"), remedy: remedy).text
        let key = try readKey(path("server.key"), remedy: remedy).text
        let inspection = try CertificateInspection(
            chain: chain, key: key, authority: authority, requiredNames: names, now: now())
        for problem in inspection.problems {
            switch problem {
            case .keyMismatch:
                throw CertificateError(
                    file: path("server.key"), problem: "it is not the key of server.pem", remedy: remedy)
            case .notYetValid(let start):
                throw CertificateError(
                    file: path("server.pem"), problem: "it is valid from \(Instant(wholeSeconds: start).text) only",
                    remedy: "Check the clock of this machine. \(remedy)")
            case .notIssued, .expired, .missingNames:
                return try issueLeaf(authority, authorityKey, &notes)
            }
        }
        guard inspection.chain[0].notAfter - now() > Self.renewalMargin || authorityKey == nil else {
            return try issueLeaf(authority, authorityKey, &notes)
        }
        return ServerIdentity(chain: chain, key: key, leaf: inspection.chain[0], authority: authority, notes: notes)
    }

    private func issueLeaf(
        _ authority: Certificate, _ authorityKey: P256PrivateKey?, _ notes: inout [String]
    ) throws -> ServerIdentity {
        guard let authorityKey else {
            throw CertificateError(
                file: path("ca.key"), problem: "it is missing, and server.pem has to be made anew",
                remedy: "Put it back. \(Self.renewAll)")
        }
        let issued = try CertificateAuthority(certificate: authority, key: authorityKey)
            .issueServer(names: names, now: now())
        if let reason = issued.certificate.problem(issuedBy: [authority], at: now()) {
            throw CertificateError(
                file: path("ca.pem"), problem: "it may not sign for \(extraNames.joined(separator: ", ")) (\(reason))",
                remedy: Self.renewAll)
        }
        let (pem, key) = (issued.certificate.pem, issued.key.pem)
        try writeClientForms(authority)
        try install(key: key, certificate: pem, as: "server")
        notes.append(
            "Made a certificate in \(path("server.pem")), valid until \(Instant(wholeSeconds: issued.certificate.notAfter).text)"
        )
        return ServerIdentity(chain: pem, key: key, leaf: issued.certificate, authority: authority, notes: notes)
    }

    /// The authority for clients that take a whole bundle, or a Java trust store.
    private func writeClientForms(_ authority: Certificate) throws {
        try FileStore.write(TrustBundle.pem(with: authority), to: path("bundle.pem"), access: .everybody)
        try FileStore.write(
            try PKCS12File.trustStore(authority, name: "pushcote", password: Self.trustStorePassword),
            to: path("ca.p12"), access: .everybody)
    }

    // MARK: - Files

    /// Puts a key and its certificate in their places. Both are written to one file first: who is killed on the way finds
    /// there what to finish.
    private func install(key: String, certificate: String, as name: String) throws {
        try FileStore.write(Array((key + certificate).utf8), to: path(name + ".new"), access: .ownerOnly)
        try finishInstalling()
    }

    /// Ends what an earlier start began.
    private func finishInstalling() throws {
        for name in ["ca", "server"] where FileStore.exists(path(name + ".new")) {
            let text = try FileStore.text(path(name + ".new"))
            let parts = text.split(separator: "-----BEGIN CERTIFICATE-----", maxSplits: 1)
            guard parts.count == 2 else { continue }
            try FileStore.write(Array(parts[0].utf8), to: path(name + ".key"), access: .ownerOnly)
            try FileStore.write(
                Array("-----BEGIN CERTIFICATE-----\(parts[1])".utf8), to: path(name + ".pem"), access: .everybody)
            try FileStore.remove(path(name + ".new"))
        }
    }

    private func readCertificate(_ path: String, remedy: String) throws -> (text: String, chain: [Certificate]) {
        let text = try CertificateError.text(of: path, remedy: remedy)
        do {
            return (text, try Certificate.chain(pem: text))
        } catch {
            throw CertificateError(
                file: path, problem: "it is damaged (\(error.reasons.joined(separator: "; ")))", remedy: remedy)
        }
    }

    private func readKey(_ path: String, remedy: String) throws -> (text: String, key: P256PrivateKey) {
        let text = try CertificateError.text(of: path, remedy: remedy)
        do {
            return (text, try P256PrivateKey(pem: text))
        } catch {
            throw CertificateError(file: path, problem: "\(error)", remedy: remedy)
        }
    }
}

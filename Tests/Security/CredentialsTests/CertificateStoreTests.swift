import Credentials
import Foundation
import TLSEngine
import Testing

/// The certificate folder: created once, reused, renewed before expiry, and rejected if anything in it is invalid.
@Suite final class CertificateStoreTests {
    private static let now = Int64(Date().timeIntervalSince1970)

    private let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
    private var store: CertificateStore { later(days: 0) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func later(days: Int64, extraNames: [String] = []) -> CertificateStore {
        CertificateStore(folder: folder.path, extraNames: extraNames, now: { Self.now + days * 86400 })
    }

    private func bytes(_ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    @Test func `the first start creates all files, with keys readable by the owner only`() throws {
        let identity = try store.serverIdentity()
        #expect(identity.leaf.alternativeNames == CertificateStore.standardNames)
        let chain = try Certificate.chain(pem: identity.chain)
        #expect(chain.count == 2)
        let intermediates = Array(chain.dropFirst())
        #expect(
            identity.leaf.problem(issuedBy: [identity.authority], intermediates: intermediates, at: Self.now) == nil
        )
        #expect(identity.notes.count == 2)
        let modes = [
            ("private", 0o700), ("private/intermediate.key", 0o600), ("private/server.key", 0o600),
            ("ca.pem", 0o644), ("intermediate.pem", 0o644), ("bundle.pem", 0o644), ("ca.p12", 0o644),
            ("server.pem", 0o644), ("server-names.pem", 0o644), (".gitignore", 0o644),
        ]
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(files.sorted() == modes.map(\.0).sorted())
        for (name, mode) in modes {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(name)")
        }
    }

    @Test func `a second certificate of the same key has no addresses`() throws {
        let store = later(days: 0, extraNames: ["10.1.2.3", "push.test"])
        let identity = try store.serverIdentity()
        let host = try #require(identity.hostCertificate)
        #expect(try Data(host.utf8) == bytes("server-names.pem"))
        let inspection = try CertificateInspection(
            chain: host, key: identity.key, authority: identity.authority, requiredNames: [], now: Self.now)
        #expect(inspection.problems == [])
        #expect(
            inspection.chain[0].alternativeNames
                == identity.leaf.alternativeNames.filter { !["127.0.0.1", "::1", "10.1.2.3"].contains($0) })
        #expect(identity.leaf.alternativeNames.contains("10.1.2.3"))
    }

    @Test func `no file has the root's key`() throws {
        let root = try store.serverIdentity().authority
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0 != "private" }
        let keys = try files.map { try String(decoding: bytes($0), as: UTF8.self) }
            .filter { $0.contains("PRIVATE KEY") }.map { try P256PrivateKey(pem: $0) }
        #expect(keys.count == 2)
        #expect(!keys.contains { root.belongs(to: $0) })
    }

    @Test func `a folder without the second certificate is renewed once, with one log line, and keeps its authority`()
        throws
    {
        let first = try store.serverIdentity()
        try FileManager.default.removeItem(at: folder.appending(path: "server-names.pem"))
        let second = try store.serverIdentity()
        #expect(second.hostCertificate != nil)
        #expect(second.notes.count == 1)
        #expect(second.authority.fingerprint == first.authority.fingerprint)
        #expect(try store.serverIdentity().notes == [])
    }

    @Test func `a read-only folder is used while its certificates are valid`() throws {
        let first = try store.serverIdentity()
        // A folder in place of the draft, because permissions do not stop root.
        let draft = folder.appending(path: "bundle.pem.new-\(getpid())")
        try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
        let late = try later(days: 387).serverIdentity()
        #expect(late.chain == first.chain && late.hostCertificate == first.hostCertificate)
        #expect(late.notes.count == 1 && late.notes[0].contains("valid until"), "\(late.notes)")
        #expect(throws: CertificateError.self) { try later(days: 398).serverIdentity() }
        try FileManager.default.removeItem(at: folder.appending(path: "server-names.pem"))
        let old = try store.serverIdentity()
        #expect(old.chain == first.chain && old.hostCertificate == nil)
        #expect(old.notes.count == 1 && old.notes[0].contains("BoringSSL"), "\(old.notes)")
        #expect(throws: CertificateError.self) { try store.renew(includesAuthority: false) }
    }

    @Test func `a folder without the second certificate and the intermediate's key is used unchanged`() throws {
        let first = try store.serverIdentity()
        try FileManager.default.removeItem(at: folder.appending(path: "server-names.pem"))
        try FileManager.default.removeItem(at: folder.appending(path: "private/intermediate.key"))
        let second = try store.serverIdentity()
        #expect(second.chain == first.chain)
        #expect(second.hostCertificate == nil)
        #expect(second.notes.count == 1)
    }

    @Test func `a renewal of the first certificate alone is accepted`() throws {
        _ = try store.serverIdentity()
        let authority = try store.certificateAuthority()
        let issued = try authority.issueServer(names: CertificateStore.standardNames, now: Self.now)
        try Data(issued.chain.utf8).write(to: folder.appending(path: "server.pem"))
        try Data(issued.key.pem.utf8).write(to: folder.appending(path: "private/server.key"))
        let identity = try store.serverIdentity()
        #expect(identity.notes.count == 1)
        #expect(try store.serverIdentity().hostCertificate == identity.hostCertificate)
    }

    @Test func `an address may be written in any form`() throws {
        let store = later(days: 0, extraNames: ["2001:DB8:0::5"])
        let first = try store.serverIdentity()
        let second = try store.serverIdentity()
        #expect(second.chain == first.chain && second.notes == [])
    }

    @Test func `the second start reuses the existing files`() throws {
        let first = try store.serverIdentity()
        let second = try store.serverIdentity()
        #expect(second.chain == first.chain)
        #expect(second.notes.isEmpty)
    }

    @Test(arguments: [(366, false), (368, true), (500, true)])
    func `a certificate is renewed in its last thirty days, and the authority stays`(days: Int64, isRenewed: Bool)
        throws
    {
        let first = try store.serverIdentity()
        let second = try later(days: days).serverIdentity()
        #expect((second.chain != first.chain) == isRenewed)
        #expect(second.authority.fingerprint == first.authority.fingerprint)
    }

    @Test func `names outside the authority's constraints are rejected with the remedy`() throws {
        _ = try store.serverIdentity()
        let error = #expect(throws: CertificateError.self) {
            try later(days: 0, extraNames: ["push.example.test"]).serverIdentity()
        }
        #expect(error?.remedy.contains("pushcote certs renew --all") == true)
        let renewed = try later(days: 0, extraNames: ["push.example.test"]).renew(includesAuthority: true)
        #expect(renewed.leaf.alternativeNames.contains("push.example.test"))
    }

    @Test func `renewing everything creates a new authority`() throws {
        let first = try store.serverIdentity()
        #expect(try store.renew(includesAuthority: false).authority.fingerprint == first.authority.fingerprint)
        #expect(try store.renew(includesAuthority: true).authority.fingerprint != first.authority.fingerprint)
    }

    /// A change to a file, and the message at the next start.
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: String
        var problem: String
        var days: Int64
        var act: @Sendable (URL) throws -> Void

        init(
            _ name: String, _ file: String, _ problem: String, days: Int64 = 0,
            _ act: @escaping @Sendable (URL) throws -> Void
        ) {
            (testDescription, self.file, self.problem, self.days, self.act) = (name, file, problem, days, act)
        }
    }

    static let damages = [
        Damage("ca.pem is cut off", "ca.pem", "damaged", cut),
        Damage("intermediate.key is cut off", "private/intermediate.key", "damaged", cut),
        Damage("server.pem is cut off", "server.pem", "damaged", cut),
        Damage("server.key is empty", "private/server.key", "no '-----BEGIN PRIVATE KEY-----'") {
            try Data().write(to: $0)
        },
        Damage("server.key is another's", "private/server.key", "not the key of server.pem", exchangeKey),
        Damage(
            "intermediate.key is another's", "private/intermediate.key", "not the key of intermediate.pem", exchangeKey),
        Damage("intermediate.pem is cut off", "intermediate.pem", "damaged", cut),
        Damage("intermediate.pem is gone", "intermediate.pem", "missing", remove),
        Damage("intermediate.pem is another's", "intermediate.pem", "ca.pem did not issue it") {
            let other = try CertificateAuthority(names: ["localhost"], now: now)
            try Data(other.intermediate.pem.utf8).write(to: $0)
        },
        Damage("ca.key is there instead", "ca.key", "keeps no key of ca.pem") {
            try Data(P256PrivateKey().pem.utf8).write(to: $0)
            try remove($0.deletingLastPathComponent().appending(path: "intermediate.pem"))
        },
        Damage("ca.pem is gone", "ca.pem", "missing", remove),
        Damage("server.key is gone", "private/server.key", "No such file", remove),
        Damage("server.pem is a folder", "server.pem", "Is a directory") {
            try remove($0)
            try FileManager.default.createDirectory(at: $0, withIntermediateDirectories: false)
        },
        Damage("the authority expired", "ca.pem", "expired on", days: 3700) { _ in },
        Damage("intermediate.key is gone when it is needed", "private/intermediate.key", "missing", days: 500, remove),
    ]

    @Sendable private static func remove(_ file: URL) throws { try FileManager.default.removeItem(at: file) }

    @Sendable private static func exchangeKey(_ file: URL) throws {
        try Data(P256PrivateKey().pem.utf8).write(to: file)
    }

    @Sendable private static func cut(_ file: URL) throws {
        let data = try Data(contentsOf: file)
        let text = String(decoding: data, as: UTF8.self).replacing(
            /[A-Za-z0-9+\/]{10}\n/, with: "\n", maxReplacements: 1)
        try Data(text.utf8).write(to: file)
    }

    @Test(arguments: damages)
    func `a damaged folder stops start-up with file, problem and remedy`(_ damage: Damage) throws {
        _ = try store.serverIdentity()
        try damage.act(folder.appending(path: damage.file))
        let error = #expect(throws: CertificateError.self) { try later(days: damage.days).serverIdentity() }
        #expect(error?.file.hasSuffix("/" + damage.file) == true)
        #expect(error?.problem.contains(damage.problem) == true, "\(error?.problem ?? "")")
        #expect(error?.remedy.isEmpty == false)
    }

    @Test func `a start completes what a killed start left unfinished`() throws {
        let first = try store.serverIdentity()
        let key = try bytes("private/intermediate.key")
        let certificates = try bytes("intermediate.pem") + bytes("ca.pem")
        // Killed after writing the new pair, and after renaming the first of its files.
        try (key + certificates).write(to: folder.appending(path: "private/ca.new"))
        try Data(P256PrivateKey().pem.utf8).write(to: folder.appending(path: "private/intermediate.key"))
        let second = try store.serverIdentity()
        #expect(second.authority.fingerprint == first.authority.fingerprint)
        #expect(try bytes("private/intermediate.key") == key)
        #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "private/ca.new").path))
    }

    @Test func `a start completes the server's certificates, each with the intermediate`() throws {
        let first = try store.serverIdentity()
        let chains = try [first.chain, #require(first.hostCertificate)].map { try Certificate.chain(pem: $0) }
        let certificates = [chains[0][0], chains[1][0], chains[0][1]].map(\.pem).joined()
        let draft = try bytes("private/server.key") + Data(certificates.utf8)
        try draft.write(to: folder.appending(path: "private/server.new"))
        for name in ["server.pem", "server-names.pem"] {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        let second = try store.serverIdentity()
        #expect(second.chain == first.chain && second.hostCertificate == first.hostCertificate)
        #expect(second.notes == [])
    }

    @Test func `an authority without its key is used until the leaf expires`() throws {
        let first = try store.serverIdentity()
        try FileManager.default.removeItem(at: folder.appending(path: "private/intermediate.key"))
        #expect(try store.serverIdentity().chain == first.chain)
        #expect(try later(days: 380).serverIdentity().chain == first.chain)
    }

    @Test func `the demonstration key is generated once`() throws {
        let first = try DemonstrationKey(in: store)
        let made = try bytes("AuthKey_PUSHCOTE01.p8")
        _ = try DemonstrationKey(in: store)
        #expect(try bytes("AuthKey_PUSHCOTE01.p8") == made)
        #expect(first.path.hasSuffix("/AuthKey_PUSHCOTE01.p8"))
    }

    @Test func `a provider token has the three parts that Apple describes`() throws {
        let key = P256PrivateKey()
        let token = ProviderTokenMaker(keyID: "ABC123DEFG", teamID: "TEAM123456", key: key).token(
            issuedAt: 1_700_000_000)
        let parts = token.split(separator: ".").map(String.init)
        #expect(parts[0] == "eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ")
        #expect(parts[1] == "eyJpc3MiOiJURUFNMTIzNDU2IiwiaWF0IjoxNzAwMDAwMDAwfQ")
        let signature = try #require(Data(base64Encoded: base64(parts[2])))
        let message = Array((parts[0] + "." + parts[1]).utf8)
        let bytes = Array(signature)
        let isValid = key.publicKey.verify(bytes.span.bytes, of: message.span.bytes, digest: .sha256)
        #expect(isValid)
    }

    private func base64(_ text: String) -> String {
        text.replacing("-", with: "+").replacing("_", with: "/")
            + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    }
}

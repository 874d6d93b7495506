import Credentials
import Files
import Foundation
import TLSEngine
import Testing

/// The certificate folder: created once, reused, renewed before expiry, and rejected if anything in it is invalid.
@Suite struct CertificateStoreTests {
    private static let now = Int64(Date().timeIntervalSince1970)

    /// Runs `body` in a folder of its own.
    private func withStore(
        extraNames: [String] = [], now: Int64 = now, _ body: (CertificateStore, URL) throws -> Void
    ) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(CertificateStore(folder: folder.path, extraNames: extraNames, now: { now }), folder)
    }

    private func later(_ store: CertificateStore, days: Int64, extraNames: [String] = []) -> CertificateStore {
        CertificateStore(folder: store.folder, extraNames: extraNames, now: { Self.now + days * 86400 })
    }

    private func bytes(_ folder: URL, _ name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }

    @Test func `the first start creates all files, with keys readable by the owner only`() throws {
        try withStore { store, folder in
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
    }

    @Test func `a second certificate of the same key has no addresses`() throws {
        try withStore(extraNames: ["10.1.2.3", "push.test"]) { store, folder in
            let identity = try store.serverIdentity()
            let host = try #require(identity.hostCertificate)
            #expect(try Data(host.utf8) == bytes(folder, "server-names.pem"))
            let inspection = try CertificateInspection(
                chain: host, key: identity.key, authority: identity.authority, requiredNames: [], now: Self.now)
            #expect(inspection.problems == [])
            #expect(
                inspection.chain[0].alternativeNames
                    == identity.leaf.alternativeNames.filter { !["127.0.0.1", "::1", "10.1.2.3"].contains($0) })
            #expect(identity.leaf.alternativeNames.contains("10.1.2.3"))
        }
    }

    @Test func `no file has the root's key`() throws {
        try withStore { store, folder in
            let root = try store.serverIdentity().authority
            let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0 != "private" }
            let keys = try files.map { try String(decoding: bytes(folder, $0), as: UTF8.self) }
                .filter { $0.contains("PRIVATE KEY") }.map { try P256PrivateKey(pem: $0) }
            #expect(keys.count == 2)
            #expect(!keys.contains { root.belongs(to: $0) })
        }
    }

    @Test func `a folder without the second certificate is renewed once, with one log line, and keeps its authority`()
        throws
    {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            try FileManager.default.removeItem(at: folder.appending(path: "server-names.pem"))
            let second = try store.serverIdentity()
            #expect(second.hostCertificate != nil)
            #expect(second.notes.count == 1)
            #expect(second.authority.fingerprint == first.authority.fingerprint)
            #expect(try store.serverIdentity().notes == [])
        }
    }

    @Test func `a read-only folder is used while its certificates are valid`() throws {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            // A folder in place of the draft, because permissions do not stop root.
            let draft = folder.appending(path: "bundle.pem.new-\(getpid())")
            try FileManager.default.createDirectory(at: draft, withIntermediateDirectories: false)
            let late = try later(store, days: 387).serverIdentity()
            #expect(late.chain == first.chain && late.hostCertificate == first.hostCertificate)
            #expect(late.notes.count == 1 && late.notes[0].contains("valid until"), "\(late.notes)")
            #expect(throws: CertificateError.self) { try later(store, days: 398).serverIdentity() }
            try FileManager.default.removeItem(at: folder.appending(path: "server-names.pem"))
            let old = try store.serverIdentity()
            #expect(old.chain == first.chain && old.hostCertificate == nil)
            #expect(old.notes.count == 1 && old.notes[0].contains("BoringSSL"), "\(old.notes)")
            #expect(throws: CertificateError.self) { try store.renew(includesAuthority: false) }
        }
    }

    @Test func `a folder without the second certificate and the intermediate's key is used unchanged`() throws {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            try FileManager.default.removeItem(at: folder.appending(path: "server-names.pem"))
            try FileManager.default.removeItem(at: folder.appending(path: "private/intermediate.key"))
            let second = try store.serverIdentity()
            #expect(second.chain == first.chain)
            #expect(second.hostCertificate == nil)
            #expect(second.notes.count == 1)
        }
    }

    @Test func `a renewal of the first certificate alone is accepted`() throws {
        try withStore { store, folder in
            _ = try store.serverIdentity()
            let authority = try store.certificateAuthority()
            let issued = try authority.issueServer(names: CertificateStore.standardNames, now: Self.now)
            try Data(issued.chain.utf8).write(to: folder.appending(path: "server.pem"))
            try Data(issued.key.pem.utf8).write(to: folder.appending(path: "private/server.key"))
            let identity = try store.serverIdentity()
            #expect(identity.notes.count == 1)
            #expect(try store.serverIdentity().hostCertificate == identity.hostCertificate)
        }
    }

    @Test func `an address may be written in any form`() throws {
        try withStore(extraNames: ["2001:DB8:0::5"]) { store, _ in
            let first = try store.serverIdentity()
            let second = try store.serverIdentity()
            #expect(second.chain == first.chain && second.notes == [])
        }
    }

    @Test func `the second start reuses the existing files`() throws {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            let second = try store.serverIdentity()
            #expect(second.chain == first.chain)
            #expect(second.notes.isEmpty)
        }
    }

    @Test(arguments: [(366, false), (368, true), (500, true)])
    func `a certificate is renewed in its last thirty days, and the authority stays`(days: Int64, isRenewed: Bool)
        throws
    {
        try withStore { store, _ in
            let first = try store.serverIdentity()
            let second = try later(store, days: days).serverIdentity()
            #expect((second.chain != first.chain) == isRenewed)
            #expect(second.authority.fingerprint == first.authority.fingerprint)
        }
    }

    @Test func `names outside the authority's constraints are rejected with the remedy`() throws {
        try withStore { store, _ in
            _ = try store.serverIdentity()
            let error = #expect(throws: CertificateError.self) {
                try later(store, days: 0, extraNames: ["push.example.test"]).serverIdentity()
            }
            #expect(error?.remedy.contains("pushcote certs renew --all") == true)
            let renewed = try later(store, days: 0, extraNames: ["push.example.test"]).renew(includesAuthority: true)
            #expect(renewed.leaf.alternativeNames.contains("push.example.test"))
        }
    }

    @Test func `renewing everything creates a new authority`() throws {
        try withStore { store, _ in
            let first = try store.serverIdentity()
            #expect(try store.renew(includesAuthority: false).authority.fingerprint == first.authority.fingerprint)
            #expect(try store.renew(includesAuthority: true).authority.fingerprint != first.authority.fingerprint)
        }
    }

    /// A change to the folder, and the message at the next start.
    struct Damage: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var file: String
        var problem: String
        var days: Int64 = 0
        var act: @Sendable (URL) throws -> Void
    }

    static let damages = [
        Damage(testDescription: "ca.pem is cut off", file: "ca.pem", problem: "damaged") {
            try cut($0.appending(path: "ca.pem"))
        },
        Damage(testDescription: "intermediate.key is cut off", file: "private/intermediate.key", problem: "damaged") {
            try cut($0.appending(path: "private/intermediate.key"))
        },
        Damage(testDescription: "server.pem is cut off", file: "server.pem", problem: "damaged") {
            try cut($0.appending(path: "server.pem"))
        },
        Damage(
            testDescription: "server.key is empty", file: "private/server.key",
            problem: "no '-----BEGIN PRIVATE KEY-----'"
        ) {
            try Data().write(to: $0.appending(path: "private/server.key"))
        },
        Damage(
            testDescription: "server.key is another's", file: "private/server.key", problem: "not the key of server.pem"
        ) {
            try Data(P256PrivateKey().pem.utf8).write(to: $0.appending(path: "private/server.key"))
        },
        Damage(
            testDescription: "intermediate.key is another's", file: "private/intermediate.key",
            problem: "not the key of intermediate.pem"
        ) {
            try Data(P256PrivateKey().pem.utf8).write(to: $0.appending(path: "private/intermediate.key"))
        },
        Damage(testDescription: "intermediate.pem is cut off", file: "intermediate.pem", problem: "damaged") {
            try cut($0.appending(path: "intermediate.pem"))
        },
        Damage(testDescription: "intermediate.pem is gone", file: "intermediate.pem", problem: "missing") {
            try FileManager.default.removeItem(at: $0.appending(path: "intermediate.pem"))
        },
        Damage(
            testDescription: "intermediate.pem is another's", file: "intermediate.pem",
            problem: "ca.pem did not issue it"
        ) {
            let other = try CertificateAuthority(names: ["localhost"], now: now)
            try Data(other.intermediate.pem.utf8).write(to: $0.appending(path: "intermediate.pem"))
        },
        Damage(testDescription: "ca.pem is gone", file: "ca.pem", problem: "missing") {
            try FileManager.default.removeItem(at: $0.appending(path: "ca.pem"))
        },
        Damage(testDescription: "server.key is gone", file: "private/server.key", problem: "No such file") {
            try FileManager.default.removeItem(at: $0.appending(path: "private/server.key"))
        },
        Damage(testDescription: "server.pem is a folder", file: "server.pem", problem: "Is a directory") {
            try FileManager.default.removeItem(at: $0.appending(path: "server.pem"))
            try FileManager.default.createDirectory(
                at: $0.appending(path: "server.pem"), withIntermediateDirectories: false)
        },
        Damage(testDescription: "the authority expired", file: "ca.pem", problem: "expired on", days: 3700) { _ in },
        Damage(
            testDescription: "intermediate.key is gone when it is needed", file: "private/intermediate.key",
            problem: "missing", days: 500
        ) {
            try FileManager.default.removeItem(at: $0.appending(path: "private/intermediate.key"))
        },
    ]

    private static func cut(_ file: URL) throws {
        let data = try Data(contentsOf: file)
        let text = String(decoding: data, as: UTF8.self).replacing(
            /[A-Za-z0-9+\/]{10}\n/, with: "\n", maxReplacements: 1)
        try Data(text.utf8).write(to: file)
    }

    @Test(arguments: damages) func `a damaged folder stops start-up with file, problem and remedy`(_ damage: Damage)
        throws
    {
        try withStore { store, folder in
            _ = try store.serverIdentity()
            try damage.act(folder)
            let error = #expect(throws: CertificateError.self) { try later(store, days: damage.days).serverIdentity() }
            #expect(error?.file.hasSuffix("/" + damage.file) == true)
            #expect(error?.problem.contains(damage.problem) == true, "\(error?.problem ?? "")")
            #expect(error?.remedy.isEmpty == false)
        }
    }

    @Test func `a start completes what a killed start left unfinished`() throws {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            let key = try bytes(folder, "private/intermediate.key")
            let certificates = try bytes(folder, "intermediate.pem") + bytes(folder, "ca.pem")
            // Killed after writing the new pair, and after renaming the first of its files.
            try (key + certificates).write(to: folder.appending(path: "private/ca.new"))
            try Data(P256PrivateKey().pem.utf8).write(to: folder.appending(path: "private/intermediate.key"))
            let second = try store.serverIdentity()
            #expect(second.authority.fingerprint == first.authority.fingerprint)
            #expect(try bytes(folder, "private/intermediate.key") == key)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "private/ca.new").path))
        }
    }

    @Test func `a start completes the server's certificates, each with the intermediate`() throws {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            let chains = try [first.chain, #require(first.hostCertificate)].map { try Certificate.chain(pem: $0) }
            let certificates = [chains[0][0], chains[1][0], chains[0][1]].map(\.pem).joined()
            let draft = try bytes(folder, "private/server.key") + Data(certificates.utf8)
            try draft.write(to: folder.appending(path: "private/server.new"))
            for name in ["server.pem", "server-names.pem"] {
                try FileManager.default.removeItem(at: folder.appending(path: name))
            }
            let second = try store.serverIdentity()
            #expect(second.chain == first.chain && second.hostCertificate == first.hostCertificate)
            #expect(second.notes == [])
        }
    }

    @Test func `an authority without its key is used until the leaf expires`() throws {
        try withStore { store, folder in
            let first = try store.serverIdentity()
            try FileManager.default.removeItem(at: folder.appending(path: "private/intermediate.key"))
            #expect(try store.serverIdentity().chain == first.chain)
            #expect(try later(store, days: 380).serverIdentity().chain == first.chain)
        }
    }

    @Test func `the demonstration key is generated once`() throws {
        try withStore { store, folder in
            let first = try DemonstrationKey(in: store)
            let made = try bytes(folder, "AuthKey_PUSHCOTE01.p8")
            _ = try DemonstrationKey(in: store)
            #expect(try bytes(folder, "AuthKey_PUSHCOTE01.p8") == made)
            #expect(first.path.hasSuffix("/AuthKey_PUSHCOTE01.p8"))
        }
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

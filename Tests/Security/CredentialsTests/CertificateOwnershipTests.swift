import Credentials
import Foundation
import TLSEngine
import Testing

/// Foreign files in the certificate folder are never replaced or used, and no message advises deleting them.
@Suite struct CertificateOwnershipTests {
    private static let now = Int64(Date().timeIntervalSince1970)

    /// Foreign files in the folder, and the file that the error names.
    struct Guest: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var blamed: String
        var files: [String: String]
        /// Whether the folder already contains our files.
        var isInOurFolder = false
    }

    private static let strangerKey = P256PrivateKey()
    /// Self-signed, as by `openssl req -x509`.
    private static let stranger = """
        -----BEGIN CERTIFICATE-----
        MIIBeDCCAR+gAwIBAgIUVVmsB59rLgoijszGyd0JS0NKKSYwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGbXkgb3duMCAXDTI2MTEyMjA5MDEyMloYDzIxMjYxMDI5MDkw
        MTIyWjARMQ8wDQYDVQQDDAZteSBvd24wWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AARiHZfnNoiq1dvyCwoxkEwzBQ2I6cHg76+wC6O8X00O/158sY4S4CHNOL7Yec/l
        3PvvfvpkkcmocSq1ct9V0AtEo1MwUTAdBgNVHQ4EFgQUtfLwmiBkLQmMMurp+GlI
        ZNzrQwkwHwYDVR0jBBgwFoAUtfLwmiBkLQmMMurp+GlIZNzrQwkwDwYDVR0TAQH/
        BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBQh20znaeBTbH+lo+Ad2oAH9SqKQbn
        bWFA7CyONCI1DgIgZosdIpLT93vhwELKwctwfmEl49iw0ReirSY/EdcGyps=
        -----END CERTIFICATE-----

        """
    private static let rsaKey = """
        -----BEGIN PRIVATE KEY-----
        MIIBVQIBADANBgkqhkiG9w0BAQEFAASCAT8wggE7AgEAAkEAtAqRbYLGJVPGkZt0
        jUFXskQzVzezNPxESBKI8/jjwGN6A9jAs5MELW3NPpYWHFA5cyJ3Dju7O6s+i6Zw
        VKugMwIDAQABAkBQpsNK2WBF7GdxZsApXvIYC3EsSulefPthhdwP3pi335dmhruu
        ulF7v5y3yecVS+5WxhqqWlaUYkHsmkrANNBxAiEA45msmIp8bO3BhKmhP7iDzOMf
        GUJFQHlayU6I8sbFhZ0CIQDKgbKd1QK1H2ZPhzVXCItS/VKMX+n8BGL+bka9zGg8
        DwIgWEQYs2/BoVzzV8eRSWz9cFAEl38j7EUj+D4EzmJX5+ECIQC8BI+CWzOYVv72
        9+JeXGB/PRRXoPXuN2RyNpEXx6E/oQIhALU/TDaX+mRF/IgtzJOfrihLvoekEm1Y
        7iyUl2cadYkU
        -----END PRIVATE KEY-----

        """

    static let guests = [
        Guest(testDescription: "an RSA key for the server", blamed: "server.key", files: ["server.key": rsaKey]),
        Guest(
            testDescription: "a P-256 key for the server", blamed: "server.key", files: ["server.key": strangerKey.pem]),
        Guest(
            testDescription: "a server's pair", blamed: "server.pem",
            files: ["server.pem": stranger, "server.key": strangerKey.pem]),
        Guest(testDescription: "a bundle", blamed: "bundle.pem", files: ["bundle.pem": stranger]),
        Guest(testDescription: "a trust store", blamed: "ca.p12", files: ["ca.p12": "anything"]),
        Guest(testDescription: "an authority's key", blamed: "ca.pem", files: ["ca.key": strangerKey.pem]),
        Guest(
            testDescription: "an authority's pair", blamed: "ca.pem",
            files: ["ca.pem": stranger, "ca.key": strangerKey.pem]),
        Guest(
            testDescription: "a file of a draft's name", blamed: "private/server.new",
            files: ["private/server.new": "anything"]),
        Guest(
            testDescription: "a key in a folder of ours", blamed: "private/server.key",
            files: ["private/server.key": strangerKey.pem]),
        Guest(
            testDescription: "an intermediate", blamed: "intermediate.pem", files: ["intermediate.pem": stranger]),
        Guest(
            testDescription: "another key in our folder", blamed: "private/server.key",
            files: ["private/server.key": strangerKey.pem],
            isInOurFolder: true),
        Guest(
            testDescription: "an RSA key in our folder", blamed: "private/server.key",
            files: ["private/server.key": rsaKey],
            isInOurFolder: true),
        Guest(
            testDescription: "another intermediate's key in our folder", blamed: "private/intermediate.key",
            files: ["private/intermediate.key": strangerKey.pem], isInOurFolder: true),
        Guest(
            testDescription: "another intermediate in our folder", blamed: "intermediate.pem",
            files: ["intermediate.pem": stranger], isInOurFolder: true),
        Guest(
            testDescription: "another authority in our folder", blamed: "ca.pem", files: ["ca.pem": stranger],
            isInOurFolder: true),
    ]

    private func withFolder(_ body: (CertificateStore, URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(CertificateStore(folder: folder.path, now: { Self.now }), folder)
    }

    private func contents(_ folder: URL) throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0 != "private" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
    }

    @Test(arguments: ["", "/below"]) func `a file where the folder should be stops start-up`(_ rest: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "pushcote-\(UUID().uuidString)")
        try Data("mine".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let store = CertificateStore(folder: file.path + rest, now: { Self.now })
        for attempt in [{ _ = try store.serverIdentity() }, { _ = try DemonstrationKey(in: store) }] {
            let error = #expect(throws: CertificateError.self) { try attempt() }
            #expect(error?.file == file.path + rest)
            #expect(error?.problem == "it cannot be used as a folder (Not a directory)")
            #expect(error?.remedy.contains("`certificates.folder`") == true)
        }
        #expect(try Data(contentsOf: file) == Data("mine".utf8))
    }

    @Test(arguments: guests) func `a foreign file stops start-up and changes nothing`(_ guest: Guest) throws {
        try withFolder { store, folder in
            if guest.isInOurFolder { _ = try store.serverIdentity() }
            try FileManager.default.createDirectory(
                at: folder.appending(path: "private"), withIntermediateDirectories: true)
            for (name, text) in guest.files { try Data(text.utf8).write(to: folder.appending(path: name)) }
            let before = try contents(folder)
            let attempts: [(String, () throws -> Void)] = [
                ("start", { _ = try store.serverIdentity() }),
                ("renew", { _ = try store.renew(includesAuthority: false) }),
                ("renew --all", { _ = try store.renew(includesAuthority: true) }),
            ]
            for (name, attempt) in attempts {
                let error = #expect(throws: CertificateError.self, "\(name)") { try attempt() }
                #expect(try contents(folder) == before, "\(name)")
                #expect(error?.remedy.contains("move ") == true, "\(name): \(error?.remedy ?? "")")
                #expect(error?.remedy.contains("`certificates.folder`") == true, "\(name)")
                #expect(error?.remedy.contains("renew") == false, "\(name)")
                if name == "start" {
                    #expect(error?.file.hasSuffix("/" + guest.blamed) == true, "\(error?.file ?? "")")
                }
            }
        }
    }

    @Test func `our own files are replaced, even beside foreign files`() throws {
        try withFolder { store, folder in
            _ = try store.serverIdentity()
            try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
            _ = try store.renew(includesAuthority: true)
            #expect(try contents(folder)["notes.txt"] == Data("mine".utf8))
        }
    }

    @Test func `Git ignores a new or empty folder, one with other files is unchanged`() throws {
        try withFolder { store, folder in
            _ = try store.serverIdentity()
            #expect(try contents(folder)[".gitignore"] == Data("*\n!.gitignore\n".utf8))
        }
        try withFolder { store, folder in
            _ = try DemonstrationKey(in: store)
            #expect(try contents(folder)[".gitignore"] == Data("*\n!.gitignore\n".utf8))
        }
        try withFolder { store, folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try store.serverIdentity()
            #expect(try contents(folder)[".gitignore"] == Data("*\n!.gitignore\n".utf8))
        }
        try withFolder { store, folder in
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
            _ = try store.serverIdentity()
            #expect(try contents(folder)[".gitignore"] == nil)
        }
    }
}

internal import APNs
internal import ArgumentParser
internal import Credentials
internal import JSON
internal import PushcoteConfiguration
internal import TLSEngine

struct CertsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "certs", abstract: "Show, renew and issue certificates, and print how to trust them.",
        exits: [.ok, .failed, .badConfiguration, .usage],
        discussion: """
            EXAMPLES
              pushcote certs
              pushcote certs renew --all
              pushcote certs client com.example.app --form universal --out provider
              pushcote certs trust
            """,
        subcommands: [Show.self, Renew.self, Client.self, Trust.self], defaultSubcommand: Show.self)

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the certificates; generate them the first time.",
            discussion: "EXAMPLES\n  pushcote certs\n  pushcote certs show --json | jq -r .authority.fingerprint")

        @OptionGroup var options: ConfigurationOptions
        @Flag(help: "Print as JSON.") var json = false

        func run() async throws { try options.print(asJSON: json) { try $0.serverIdentity() } }
    }

    struct Renew: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "renew",
            abstract: "Renew the server's certificate; SIGHUP makes a running gateway use it.",
            discussion: "EXAMPLES\n  pushcote certs renew\n  pushcote certs renew --all")

        @OptionGroup var options: ConfigurationOptions
        @Flag(help: "Also renew the CA; every client must trust the new one.") var all = false
        @Flag(help: "Print as JSON.") var json = false

        func run() async throws { try options.print(asJSON: json) { try $0.renew(includesAuthority: all) } }
    }
}

extension ConfigurationOptions {
    func withCertificates<Value>(_ body: (CertificateStore) throws -> Value) throws(CommandFailure) -> Value {
        let certificates = try load().configuration.certificates
        do {
            return try body(
                CertificateStore(
                    folder: certificates.folder, extraNames: certificates.names, now: SystemClock.seconds))
        } catch {
            throw CommandFailure(.badConfiguration, "\(error)")
        }
    }

    fileprivate func print(
        asJSON: Bool, _ identity: (CertificateStore) throws -> ServerIdentity
    ) throws(CommandFailure) {
        let text = try withCertificates { store in
            let identity = try identity(store)
            return asJSON ? identity.json(store) : identity.text(store)
        }
        StandardStreams.write(text)
    }
}

extension ServerIdentity {
    fileprivate func text(_ store: CertificateStore) -> String {
        let rows =
            [
                ["authority", store.path(.authority), authority.subject],
                ["", "valid until", Instant(wholeSeconds: authority.notAfter).text],
                ["", "SHA-256", authority.fingerprint],
                ["server", store.path(.server), leaf.subject],
                ["", "valid until", Instant(wholeSeconds: leaf.notAfter).text],
                ["", "names", leaf.alternativeNames.joined(separator: ", ")],
                ["", "SHA-256", leaf.fingerprint],
            ] + (hostCertificate == nil ? [] : [["", "without addresses", store.path(.host)]])
        return (notes + [TextTable(["CERTIFICATE", "", ""], rows).text]).joined(separator: "\n")
    }

    fileprivate func json(_ store: CertificateStore) -> String {
        let server = Self.json(leaf, in: store.path(.server))
        return JSONValue.object([
            "authority": Self.json(authority, in: store.path(.authority)),
            "server": server.adding(["names": .strings(leaf.alternativeNames)]), "notes": .strings(notes),
        ]).indentedText
    }

    private static func json(_ certificate: Certificate, in file: String) -> JSONValue {
        [
            "file": .string(file), "subject": .string(certificate.subject),
            "notAfter": .string(Instant(wholeSeconds: certificate.notAfter).text),
            "fingerprint": .string(certificate.fingerprint),
        ]
    }
}

internal import APNs
internal import ArgumentParser
internal import Credentials
internal import Files
internal import JSON
internal import PushcoteConfiguration
internal import TLSEngine
internal import Time

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

extension CertsCommand {
    struct Client: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "client",
            abstract: "Issue a provider's client certificate, to test certificate authentication.",
            discussion: """
                FORMS
                  universal     sandbox and production; the app, its VoIP and complication topics
                  development   sandbox only
                  production    production only
                  voip          VoIP services, sandbox and production
                  mdm           for MDM vendors; the argument is the complete topic

                Writes PREFIX.pem (certificate and CAs), PREFIX.key and PREFIX.p12 (both, with --password). Fails if one of \
                them exists, unless --force is given.

                EXAMPLES
                  pushcote certs client com.example.app --out provider
                  curl --cert provider.pem --key provider.key …
                """)

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The app's bundle identifier.") var bundleID: String

        @Option(help: ArgumentHelp("The kind of certificate.", valueName: "form")) var form = "universal"

        @Option(help: ArgumentHelp("The team ID, for OU.", valueName: "id")) var teamID = DemonstrationKey.teamID

        @Option(help: ArgumentHelp("The path prefix of the files.", valueName: "prefix")) var out = "provider"

        @Option(help: ArgumentHelp("The password of the .p12 file.", valueName: "text"))
        var password = CertificateStore.trustStorePassword

        @Flag(help: "Issue a certificate that expired yesterday.") var expired = false

        @Flag(help: "Replace existing files.") var force = false

        @Flag(help: "Print as JSON.") var json = false

        /// Certificate and authority, the key, and both as PKCS#12.
        private var files: [String] { [".pem", ".key", ".p12"].map { out + $0 } }

        func validate() throws {
            guard TopicRules.isTopic(bundleID) else {
                throw ValidationError("'\(bundleID)' is no bundle identifier; accepted: such as com.example.app")
            }
            guard ClientCertificateRequest.Form(rawValue: form) != nil else {
                let forms = ClientCertificateRequest.Form.allCases.map(\.rawValue).joined(separator: ", ")
                throw ValidationError("--form is '\(form)'; accepted: \(forms)")
            }
        }

        func run() async throws {
            let existing = files.filter(FileStore.exists).joined(separator: ", ")
            guard force || existing.isEmpty else {
                throw CommandFailure(
                    .failed, "\(existing) would be overwritten: choose another --out, or replace with --force")
            }
            var request = ClientCertificateRequest(
                ClientCertificateRequest.Form(rawValue: form) ?? .universal, bundleID: bundleID, teamID: teamID)
            request.isExpired = expired
            try options.withCertificates { try write(request, $0) }
            let report: JSONValue = [
                "certificate": .string(files[0]), "key": .string(files[1]), "pkcs12": .string(files[2]),
            ]
            StandardStreams.write(json ? report.indentedText : files.joined(separator: "\n"))
        }

        private func write(_ request: ClientCertificateRequest, _ store: CertificateStore) throws {
            let authority = try store.certificateAuthority()
            let issued = try authority.issueClient(request, now: SystemClock.seconds())
            let chain = issued.chain + authority.certificate.pem
            let container = try PKCS12File.identity(
                issued, authority: authority.certificate, name: request.commonName, password: password)
            try FileStore.write(Array(chain.utf8), to: files[0], access: .everybody)
            try FileStore.write(Array(issued.key.pem.utf8), to: files[1], access: .ownerOnly)
            try FileStore.write(container, to: files[2], access: .ownerOnly)
        }
    }

    struct Trust: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "trust", abstract: "Print how to make clients trust the gateway, by language and tool.",
            discussion: "EXAMPLES\n  pushcote certs trust\n  pushcote certs trust --json | jq -r .Node")

        @OptionGroup var options: ConfigurationOptions
        @Flag(help: "Print as JSON.") var json = false

        func run() async throws {
            let recipes = try options.withCertificates { store in
                _ = try store.serverIdentity()
                return TrustRecipe.all(in: store)
            }
            let report = JSONValue.object(JSONObject(recipes.map { ($0.client, .string($0.text)) }))
            let text = recipes.map { "\($0.client)\n  " + $0.text.replacing("\n", with: "\n  ") }
            StandardStreams.write(json ? report.indentedText : text.joined(separator: "\n\n"))
        }
    }
}

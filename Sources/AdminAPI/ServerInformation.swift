package import APNs

/// What `GET /info` says beyond what the gateway knows itself.
package struct ServerInformation: Sendable, Codable {
    /// The program's version.
    package var version: String
    /// `faithful`, `strict` or `lenient`.
    package var profile: String
    /// When the process started.
    package var startedAt: Instant
    /// Where the gateway listens, with real ports.
    package var addresses: Addresses
    /// The certificate providers see; `nil` without TLS.
    package var certificate: Certificate?
    /// The key made on first start; `nil` when there is none.
    package var demonstrationKey: DemonstrationKey?
    /// What the provider's listeners ended, for `/metrics`.
    package var limitsReached: [LimitReached]

    /// How often a limit ended a connection or a stream.
    package struct LimitReached: Sendable, Codable {
        /// The class of `docs/hardening.md`, such as `PingFlood`.
        package var limit: String
        package var count: UInt64

        package init(limit: String, count: UInt64) {
            self.limit = limit
            self.count = count
        }
    }

    /// Listeners, each as `host:port`.
    package struct Addresses: Sendable, Codable {
        package var provider: [String]
        package var clearText: [String]
        package var proxy: [String]
        package var admin: [String]

        package init(provider: [String] = [], clearText: [String] = [], proxy: [String] = [], admin: [String] = []) {
            self.provider = provider
            self.clearText = clearText
            self.proxy = proxy
            self.admin = admin
        }
    }

    /// The server's certificate.
    package struct Certificate: Sendable, Codable {
        /// SHA-256 of the authority's certificate.
        package var authorityFingerprint: String
        /// Where the authority's certificate lies on the gateway's disk.
        package var authorityFile: String
        /// When the server's certificate ends.
        package var notAfter: Instant

        package init(authorityFingerprint: String, authorityFile: String, notAfter: Instant) {
            self.authorityFingerprint = authorityFingerprint
            self.authorityFile = authorityFile
            self.notAfter = notAfter
        }
    }

    /// A provider key for trying things out.
    package struct DemonstrationKey: Sendable, Codable {
        package var keyID: String
        package var teamID: String
        /// Where it lies on the gateway's disk.
        package var file: String

        package init(keyID: String, teamID: String, file: String) {
            self.keyID = keyID
            self.teamID = teamID
            self.file = file
        }
    }

    package init(
        version: String, profile: String, startedAt: Instant, addresses: Addresses, certificate: Certificate? = nil,
        demonstrationKey: DemonstrationKey? = nil, limitsReached: [LimitReached] = []
    ) {
        self.version = version
        self.profile = profile
        self.startedAt = startedAt
        self.addresses = addresses
        self.certificate = certificate
        self.demonstrationKey = demonstrationKey
        self.limitsReached = limitsReached
    }
}

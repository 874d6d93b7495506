public import APNs

/// What `GET /info` says beyond what the gateway knows itself.
public struct ServerInformation: Sendable, Codable {
    /// The program's version.
    public var version: String
    /// `faithful`, `strict` or `lenient`.
    public var profile: String
    /// When the process started.
    public var startedAt: Instant
    /// Where the gateway listens, with real ports.
    public var addresses: Addresses
    /// The certificate providers see; `nil` without TLS.
    public var certificate: Certificate?
    /// The key made on first start; `nil` when there is none.
    public var demonstrationKey: DemonstrationKey?
    /// What the provider's listeners ended, for `/metrics`.
    public var limitsReached: [LimitReached]

    /// How often a limit ended a connection or a stream.
    public struct LimitReached: Sendable, Codable {
        /// The class of `docs/hardening.md`, such as `PingFlood`.
        public var limit: String
        public var count: UInt64

        public init(limit: String, count: UInt64) {
            self.limit = limit
            self.count = count
        }
    }

    /// Listeners, each as `host:port`.
    public struct Addresses: Sendable, Codable {
        public var provider: [String]
        public var clearText: [String]
        public var proxy: [String]
        public var admin: [String]

        public init(provider: [String] = [], clearText: [String] = [], proxy: [String] = [], admin: [String] = []) {
            self.provider = provider
            self.clearText = clearText
            self.proxy = proxy
            self.admin = admin
        }
    }

    /// The server's certificate.
    public struct Certificate: Sendable, Codable {
        /// SHA-256 of the authority's certificate.
        public var authorityFingerprint: String
        /// Where the authority's certificate lies on the gateway's disk.
        public var authorityFile: String
        /// When the server's certificate ends.
        public var notAfter: Instant

        public init(authorityFingerprint: String, authorityFile: String, notAfter: Instant) {
            self.authorityFingerprint = authorityFingerprint
            self.authorityFile = authorityFile
            self.notAfter = notAfter
        }
    }

    /// A provider key for trying things out.
    public struct DemonstrationKey: Sendable, Codable {
        public var keyID: String
        public var teamID: String
        /// Where it lies on the gateway's disk.
        public var file: String

        public init(keyID: String, teamID: String, file: String) {
            self.keyID = keyID
            self.teamID = teamID
            self.file = file
        }
    }

    public init(
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

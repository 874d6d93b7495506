/// How the admin API is reached, and how much it takes.
package struct AdminConfiguration: Sendable {
    /// The bearer token that every request but the health checks and the certificates must carry; `nil` demands none.
    package var token: String?
    /// Names with dots that `Host` may have; addresses and names without dots always may.
    package var allowedHosts: Set<String>
    /// Names of rules whose findings nobody wants to hear of.
    package var silencedFindings: Set<String>
    /// The largest request body.
    package var maximumBodyByteCount: Int
    /// The largest body of `PUT /state`, which holds everything there is.
    package var maximumStateByteCount: Int
    /// How long a connection may be idle, or take for a request's head. A wait under way is not idle.
    package var idleTimeout: Duration
    /// From a request's head to the end of its body. Longer than a second for each MiB of the largest state.
    package var requestTimeout: Duration
    /// For a client to take what waits for it.
    package var sendTimeout: Duration
    /// Connections to one address at a time; others wait until one ends. Each wait of a test has one.
    package var maximumConnections: Int

    package init(
        token: String? = nil, allowedHosts: Set<String> = [], silencedFindings: Set<String> = [],
        maximumBodyByteCount: Int = 1 << 20, maximumStateByteCount: Int = 256 << 20,
        idleTimeout: Duration = .seconds(60), requestTimeout: Duration = .seconds(300),
        sendTimeout: Duration = .seconds(60), maximumConnections: Int = 1000
    ) {
        self.token = token
        self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
        self.silencedFindings = silencedFindings
        self.maximumBodyByteCount = maximumBodyByteCount
        self.maximumStateByteCount = maximumStateByteCount
        self.idleTimeout = idleTimeout
        self.requestTimeout = requestTimeout
        self.sendTimeout = sendTimeout
        self.maximumConnections = maximumConnections
    }
}

/// The files that clients need to trust the gateway; read anew for each request, since certificates are renewed.
package struct AdminDocuments: Sendable {
    /// The certificate authority, in PEM.
    package var authority: @Sendable () -> [UInt8]
    /// The authority together with the usual ones, for clients that take one file.
    package var bundle: @Sendable () -> [UInt8]
    /// The authority as PKCS#12, for Java and .NET.
    package var trustStore: @Sendable () -> [UInt8]

    package init(
        authority: @escaping @Sendable () -> [UInt8], bundle: @escaping @Sendable () -> [UInt8],
        trustStore: @escaping @Sendable () -> [UInt8]
    ) {
        self.authority = authority
        self.bundle = bundle
        self.trustStore = trustStore
    }
}

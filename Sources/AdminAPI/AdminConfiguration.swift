/// How the admin API is reached, and how much it takes.
public struct AdminConfiguration: Sendable {
    /// The bearer token that every request but the health checks and the certificates must carry; `nil` demands none.
    public var token: String?
    /// Names with dots that `Host` may have; addresses and names without dots always may.
    public var allowedHosts: Set<String>
    /// Names of rules whose findings nobody wants to hear of.
    public var silencedFindings: Set<String>
    /// The largest request body.
    public var maximumBodyByteCount: Int
    /// The largest body of `PUT /state`, which holds everything there is.
    public var maximumStateByteCount: Int
    /// How long a connection may be idle. A wait under way is not idle.
    public var idleTimeout: Duration

    public init(
        token: String? = nil, allowedHosts: Set<String> = [], silencedFindings: Set<String> = [],
        maximumBodyByteCount: Int = 1 << 20, maximumStateByteCount: Int = 256 << 20,
        idleTimeout: Duration = .seconds(60)
    ) {
        self.token = token
        self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
        self.silencedFindings = silencedFindings
        self.maximumBodyByteCount = maximumBodyByteCount
        self.maximumStateByteCount = maximumStateByteCount
        self.idleTimeout = idleTimeout
    }
}

/// Where a running gateway is reached, with real ports; what `--addresses-file` holds and `exec` exports.
public struct GatewayAddresses: Codable, Hashable, Sendable {
    /// TLS and HTTP/2: `127.0.0.1:2197`.
    public var provider: [String] = []
    /// HTTP/2 with prior knowledge, or HTTP/1.1.
    public var clearText: [String] = []
    /// CONNECT.
    public var proxy: [String] = []
    /// The admin API.
    public var admin: [String] = []

    public init() {}
}

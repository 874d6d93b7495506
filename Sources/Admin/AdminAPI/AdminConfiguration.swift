package import Fields
package import JSON
package import Time

package struct AdminConfiguration: Sendable {
    /// Bearer token for every request except health checks and certificates; `nil` requires none.
    var token: String?
    /// Names with dots accepted in `Host`; addresses and names without dots are always accepted.
    var allowedHosts: Set<String> = []
    var silencedFindings: Set<String> = []
    var hasPage = true
    var maximumBodyByteCount = 1 << 20
    /// For `PUT /state`.
    var maximumStateByteCount = 256 << 20
    /// For a connection without traffic, and for receiving a request's head. A long poll is not idle.
    var idleTimeout = Duration.seconds(60)
    /// From a request's head to the end of its body; allows over a second per MiB of the largest state.
    var requestTimeout = Duration.seconds(300)
    /// For a client to read the bytes sent.
    var sendTimeout = Duration.seconds(60)
    /// For the listener; further connections wait. Each long poll uses one.
    var maximumConnections = 1000
    /// For sessions and logins; the gateway's own clock may stand still.
    var now: @Sendable () -> ContinuousClock.Instant = { .now }
}

extension AdminConfiguration {
    package init(token: String?, allowedHosts: [String], silencedFindings: [String], hasPage: Bool) {
        self.init(
            token: token, allowedHosts: Set(allowedHosts), silencedFindings: Set(silencedFindings), hasPage: hasPage)
    }
}

/// A file that clients need to trust the gateway; the raw value is its path.
package enum AdminDocument: String, CaseIterable, Sendable {
    case authority = "/ca.pem"
    case bundle = "/bundle.pem"
    case trustStore = "/ca.p12"

    var summary: String {
        switch self {
        case .authority: "The certificate authority, in PEM"
        case .bundle: "The authority and the system's, for clients that accept only one file"
        case .trustStore: "The authority in PKCS#12, for Java and .NET"
        }
    }
}

/// Facts about the process for `GET /info` and `GET /metrics`.
package struct ServerInformation: Sendable {
    package var version: String
    /// `faithful`, `strict` or `lenient`.
    package var profile: String
    package var startedAt: Instant
    package var addresses: Addresses
    /// `nil` without TLS.
    package var certificate: Certificate?
    /// Generated on first start.
    package var demonstrationKey: Key?
    /// Makes a provider token with the demonstration key.
    package var signToken: (@Sendable (_ teamID: String, _ issuedAt: Int64) -> String)?
    /// Connections and streams that each limit ended, named as in `docs/hardening.md`.
    package var limitsReached: [(limit: String, count: UInt64)] = []
    /// The settings that affect decisions, by name, for recordings.
    package var settings: @Sendable () -> JSONObject = { [:] }

    package init(version: String, profile: String, startedAt: Instant, addresses: Addresses) {
        self.version = version
        self.profile = profile
        self.startedAt = startedAt
        self.addresses = addresses
    }

    package typealias Certificate = (caFingerprint: String, caFile: String, notAfter: Instant)
    package typealias Key = (keyID: String, teamID: String, file: String)

    /// Listeners, each as `host:port` with the actual port.
    package struct Addresses: APIShape {
        package var provider: [String] = []
        package var clearText: [String] = []
        package var proxy: [String] = []
        package var channelsSandbox: [String] = []
        package var channelsProduction: [String] = []
        package var admin: [String] = []

        package init() {}

        package var all: [HostPort] {
            [provider, clearText, proxy, channelsSandbox, channelsProduction, admin].joined().compactMap {
                HostPort($0)
            }
        }
    }
}

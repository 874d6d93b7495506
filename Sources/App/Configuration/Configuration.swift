public import APNs
public import DeviceSimulator
public import Gateway
public import HTTP2Engine
public import Logging

/// Everything an operator can choose, with a default for every key; `config.yaml` describes each.
public struct Configuration: Sendable, Equatable {
    /// The defaults that the rest started from.
    public var profile = Profile.faithful
    /// Where identifiers come from; `nil` chooses one at every start.
    public var seed: UInt64?
    /// Where a request goes whose host names neither environment.
    public var environment = APNsEnvironment.sandbox
    /// A folder of files with keys, apps and devices.
    public var fixtures: String?
    public var log = Log()
    public var listen = Listen()
    public var certificates = Certificates()
    public var tls = TLS()
    /// Without the limit of streams, which is `streams.limit`.
    public var http2 = HTTP2Settings()
    public var shutdown = Shutdown()
    public var auth = Auth()
    public var streams = Streams()
    public var reasons = Reasons()
    public var strict = Strict()
    public var tokens = Tokens()
    public var inbox = InboxLimits()
    public var requests = Requests()
    public var admin = Admin()
    public var proxy = Proxy()
    /// Keys, apps and devices of the configuration file and of the fixtures' folder.
    public var contents = Fixtures()

    /// The defaults of `Profile.faithful`.
    public init() {}

    /// `log`: what is written to standard error.
    public struct Log: Sendable, Equatable {
        public var level = Logger.Level.info
    }

    /// `listen`: the addresses of each kind of listener; none switches the kind off.
    public struct Listen: Sendable, Equatable {
        /// TLS and HTTP/2, as APNs.
        public var provider = ListenAddress.loopback(2197)
        /// HTTP/2 with prior knowledge, and HTTP/1.1, without TLS.
        public var clearText = ListenAddress.loopback(2198)
        /// CONNECT for Apple's host names.
        public var proxy = ListenAddress.loopback(2199)
        /// The admin API.
        public var admin = ListenAddress.loopback(8197)
    }

    /// `certificates`: what the gateway proves itself with, and whom it believes.
    public struct Certificates: Sendable, Equatable {
        /// Where certificates and keys are made and kept.
        public var folder = "certs"
        /// A PEM file with the server's certificate and the ones above it, instead of a made one.
        public var chain: String?
        /// The PEM file with the key of `chain`.
        public var key: String?
        /// More host names and IP addresses for the made certificate.
        public var names: [String] = []
        /// PEM files of further authorities whose client certificates are believed.
        public var clientAuthorities: [String] = []
    }

    /// `tls`: what is asked of a handshake.
    public struct TLS: Sendable, Equatable {
        /// Whether a client that sends no ALPN at all is served HTTP/2.
        public var acceptMissingALPN = true
        /// How much a client may send before its handshake is complete.
        public var maximumHandshakeBytes = 65536
    }

    /// `shutdown`: how the gateway ends.
    public struct Shutdown: Sendable, Equatable {
        /// How long answers under way may take.
        public var grace = Duration.seconds(5)
    }

    /// `auth`: what is asked of a provider's credentials.
    public struct Auth: Sendable, Equatable {
        public var mode = GatewaySettings.AuthenticationMode.verify
        public var leniency = TokenLeniency()
        public var policy = TokenPolicy()
    }

    /// `streams`: how many requests a connection may have open.
    public struct Streams: Sendable, Equatable {
        public var limit: UInt32 = 1000
        public var oneUntilAccepted = true
        public var oneAfterRejection = false
    }

    /// `reasons`: which word is used where sources disagree.
    public struct Reasons: Sendable, Equatable {
        public var spelling = APNsReason.Spelling.observed
        public var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    }

    /// `strict`: refusals beyond what APNs is known for.
    public struct Strict: Sendable, Equatable {
        public var payload = false
        public var backgroundPriority = false
    }

    /// `tokens`: device tokens.
    public struct Tokens: Sendable, Equatable {
        public var unknown = GatewaySettings.UnknownTokens.register
    }

    /// `requests`: the log of requests.
    public struct Requests: Sendable, Equatable {
        public var kept = 10_000
    }

    /// `admin`: who may use the admin API.
    public struct Admin: Sendable, Equatable {
        public var token: String?
        /// Whether addresses that others can reach need no token.
        public var isOpen = false
        public var allowedHosts: [String] = []
    }

    /// `proxy`: what the CONNECT proxy takes for the gateway.
    public struct Proxy: Sendable, Equatable {
        public var targets: [String] = []
    }
}

extension Configuration {
    /// What the gateway needs of this.
    public var gatewaySettings: GatewaySettings {
        var settings = GatewaySettings()
        settings.authenticationMode = auth.mode
        settings.leniency = auth.leniency
        settings.tokenPolicy = auth.policy
        settings.spelling = reasons.spelling
        settings.pushTypeMismatch = reasons.pushTypeMismatch
        settings.refusesBackgroundPriority10 = strict.backgroundPriority
        settings.refusesMalformedPayload = strict.payload
        settings.unknownTokens = tokens.unknown
        settings.oneStreamUntilAccepted = streams.oneUntilAccepted
        settings.oneStreamAfterRejection = streams.oneAfterRejection
        settings.streamLimit = streams.limit
        settings.defaultEnvironment = environment
        return settings
    }

    /// What the simulator needs of this.
    public var inboxLimits: InboxLimits { inbox }

    /// What the HTTP/2 engine needs of this.
    public var http2Settings: HTTP2Settings {
        var settings = http2
        settings.maximumConcurrentStreams = streams.limit
        return settings
    }
}

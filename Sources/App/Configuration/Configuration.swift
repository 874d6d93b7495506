public import APNs
public import DeviceModel
public import DeviceSimulator
public import ExtensionHost
public import Gateway
public import HTTP2Engine
public import HTTP2Server
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
    /// `log`.
    public var log = Log()
    /// `listen`.
    public var listen = Listen()
    /// `certificates`.
    public var certificates = Certificates()
    /// `tls`.
    public var tls = TLS()
    /// Without the limit of streams, which is `streams.limit`.
    public var http2 = HTTP2Settings()
    /// `limits`: what clients may ask, and how long they may take.
    public var limits = ConnectionLimits()
    /// `shutdown`.
    public var shutdown = Shutdown()
    /// `auth`.
    public var auth = Auth()
    /// `streams`.
    public var streams = Streams()
    /// `reasons`.
    public var reasons = Reasons()
    /// `strict`.
    public var strict = Strict()
    /// `tokens`.
    public var tokens = Tokens()
    /// `inbox`: how much is kept.
    public var inbox = InboxLimits()
    /// `journal`: where what happens is kept.
    public var journal = JournalMode.memory
    /// `sqlite`: the file of the journal.
    public var sqlite = JournalConfiguration()
    /// `requests`.
    public var requests = Requests()
    /// `admin`.
    public var admin = Admin()
    /// `proxy`.
    public var proxy = Proxy()
    /// `assumptions`: what nobody outside Apple knows for certain.
    public var assumptions = Assumptions()
    /// `lint`.
    public var lint = Lint()
    /// `extensions`: how service extensions are run.
    public var extensions = ExtensionSettings(folder: ".pushcote/extensions")
    /// Keys, apps and devices of the configuration file and of the fixtures' folder.
    public var contents = Fixtures()

    /// The defaults of `Profile.faithful`.
    public init() {}

    /// `log`: what is written to standard error.
    public struct Log: Sendable, Equatable {
        /// The least important messages that are logged.
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
        /// Which keys are asked for.
        public var mode = GatewaySettings.AuthenticationMode.verify
        /// What tokens may do that Apple does not describe.
        public var leniency = TokenLeniency()
        /// How long tokens last, and how often they may change.
        public var policy = TokenPolicy()
    }

    /// `streams`: how many requests a connection may have open.
    public struct Streams: Sendable, Equatable {
        /// How many once a connection is trusted.
        public var limit: UInt32 = 1000
        /// Whether there is one until the first accepted push.
        public var oneUntilAccepted = true
        /// Whether there is one after a refused push until the next accepted one.
        public var oneAfterRejection = false
    }

    /// `reasons`: which word is used where sources disagree.
    public struct Reasons: Sendable, Equatable {
        /// Of the reason for a key of the other environment.
        public var spelling = APNsReason.Spelling.observed
        /// What a push type that does not fit its topic is told.
        public var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    }

    /// `strict`: refusals beyond what APNs is known for.
    public struct Strict: Sendable, Equatable {
        /// Whether payloads that are no JSON object are refused.
        public var payload = false
        /// Whether background pushes with priority 10 are refused.
        public var backgroundPriority = false
    }

    /// `tokens`: device tokens.
    public struct Tokens: Sendable, Equatable {
        /// What becomes of tokens that were never issued.
        public var unknown = GatewaySettings.UnknownTokens.register
    }

    /// `requests`: the log of requests.
    public struct Requests: Sendable, Equatable {
        /// How many requests.
        public var kept = 10_000
    }

    /// `admin`: who may use the admin API.
    public struct Admin: Sendable, Equatable {
        /// The bearer token; `nil` demands none.
        public var token: String?
        /// Whether addresses that others can reach need no token.
        public var open = false
        /// Host names beside the loopback's.
        public var allowedHosts: [String] = []
    }

    /// `proxy`: what the CONNECT proxy takes for the gateway.
    public struct Proxy: Sendable, Equatable {
        /// Host names beside Apple's.
        public var targets: [String] = []
    }

    /// `lint`: what is said about pushes that work but could be better.
    public struct Lint: Sendable, Equatable {
        /// Ids of rules that report nothing.
        public var silenced: [String] = []
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

    /// What the HTTP/2 engine needs of this.
    public var http2Settings: HTTP2Settings {
        var settings = http2
        settings.maximumConcurrentStreams = streams.limit
        return settings
    }
}

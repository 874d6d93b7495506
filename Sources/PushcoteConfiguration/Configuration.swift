package import APNs
package import DeviceModel
package import DeviceSimulator
package import ExtensionHost
package import Gateway
package import HTTP2Engine
internal import Lint
package import Logging
package import ProviderServer

/// Everything an operator can choose, with a default for every key; `config.yaml` describes each.
package struct Configuration: Sendable, Equatable {
    /// The defaults that the rest started from.
    package var profile = Profile.faithful
    /// Where identifiers come from; `nil` chooses one at every start.
    package var seed: UInt64?
    /// Where a request goes whose host names neither environment.
    package var environment = APNsEnvironment.sandbox
    /// A folder of files with keys, apps and devices.
    package var fixtures: String?
    /// `log`.
    package var log = Log()
    /// `listen`.
    package var listen = Listen()
    /// `certificates`.
    package var certificates = Certificates()
    /// `tls`.
    package var tls = TLS()
    /// Without the limit of streams, which is `streams.limit`.
    package var http2 = HTTP2Settings()
    /// `limits`: what clients may ask, and how long they may take.
    package var limits = ConnectionLimits()
    /// `shutdown`.
    package var shutdown = Shutdown()
    /// `auth`.
    package var auth = Auth()
    /// `streams`.
    package var streams = Streams()
    /// `reasons`.
    package var reasons = Reasons()
    /// `strict`.
    package var strict = Strict()
    /// `tokens`.
    package var tokens = Tokens()
    /// `inbox`: how much is kept.
    package var inbox = InboxLimits()
    /// `journal`: where what happens is kept.
    package var journal = JournalMode.memory
    /// `sqlite`: the file of the journal.
    package var sqlite = JournalConfiguration()
    /// `requests`.
    package var requests = Requests()
    /// `admin`.
    package var admin = Admin()
    /// `proxy`.
    package var proxy = Proxy()
    /// `assumptions`: what nobody outside Apple knows for certain.
    package var assumptions = Assumptions()
    /// `lint`.
    package var lint = Lint()
    /// `extensions`: how service extensions are run.
    package var extensions = ExtensionSettings(folder: ".pushcote/extensions")
    /// Keys, apps and devices of the configuration file and of the fixtures' folder.
    package var contents = Fixtures()

    /// The defaults of `Profile.faithful`.
    package init() {}

    /// `log`: what is written to standard error.
    package struct Log: Sendable, Equatable {
        /// The least important messages that are logged.
        package var level = Logger.Level.info
    }

    /// `listen`: the addresses of each kind of listener; none switches the kind off.
    package struct Listen: Sendable, Equatable {
        /// TLS and HTTP/2, as APNs.
        package var provider = ListenAddress.loopback(2197)
        /// HTTP/2 with prior knowledge, and HTTP/1.1, without TLS.
        package var clearText = ListenAddress.loopback(2198)
        /// CONNECT for Apple's host names.
        package var proxy = ListenAddress.loopback(2199)
        /// The admin API.
        package var admin = ListenAddress.loopback(8197)
    }

    /// `certificates`: what the gateway proves itself with, and whom it believes.
    package struct Certificates: Sendable, Equatable {
        /// Where certificates and keys are made and kept.
        package var folder = "certs"
        /// A PEM file with the server's certificate and the ones above it, instead of a made one.
        package var chain: String?
        /// The PEM file with the key of `chain`.
        package var key: String?
        /// More host names and IP addresses for the made certificate.
        package var names: [String] = []
        /// PEM files of further authorities whose client certificates are believed.
        package var clientAuthorities: [String] = []
    }

    /// `tls`: what is asked of a handshake.
    package struct TLS: Sendable, Equatable {
        /// Whether a client that sends no ALPN at all is served HTTP/2.
        package var acceptMissingALPN = true
        /// How much a client may send before its handshake is complete.
        package var maximumHandshakeBytes = 65536
    }

    /// `shutdown`: how the gateway ends.
    package struct Shutdown: Sendable, Equatable {
        /// How long answers under way may take.
        package var grace = Duration.seconds(5)
    }

    /// `auth`: what is asked of a provider's credentials.
    package struct Auth: Sendable, Equatable {
        /// Which keys are asked for.
        package var mode = GatewaySettings.AuthenticationMode.verify
        /// What tokens may do that Apple does not describe.
        package var leniency = TokenLeniency()
        /// How long tokens last, and how often they may change.
        package var policy = TokenPolicy()
    }

    /// `streams`: how many requests a connection may have open.
    package struct Streams: Sendable, Equatable {
        /// How many once a connection is trusted.
        package var limit: UInt32 = 1000
        /// Whether there is one until the first accepted push.
        package var oneUntilAccepted = true
        /// Whether there is one after a refused push until the next accepted one.
        package var oneAfterRejection = false
    }

    /// `reasons`: which word is used where sources disagree.
    package struct Reasons: Sendable, Equatable {
        /// Of the reason for a key of the other environment.
        package var spelling = APNsReason.Spelling.observed
        /// What a push type that does not fit its topic is told.
        package var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    }

    /// `strict`: refusals beyond what APNs is known for.
    package struct Strict: Sendable, Equatable {
        /// Whether payloads that are no JSON object are refused.
        package var payload = false
        /// Whether background pushes with priority 10 are refused.
        package var backgroundPriority = false
    }

    /// `tokens`: device tokens.
    package struct Tokens: Sendable, Equatable {
        /// What becomes of tokens that were never issued.
        package var unknown = GatewaySettings.UnknownTokens.register
    }

    /// `requests`: the log of requests.
    package struct Requests: Sendable, Equatable {
        /// How many requests.
        package var kept = 10_000
    }

    /// `admin`: who may use the admin API.
    package struct Admin: Sendable, Equatable {
        /// The bearer token; `nil` demands none.
        package var token: String?
        /// Whether addresses that others can reach need no token.
        package var open = false
        /// Host names beside the loopback's.
        package var allowedHosts: [String] = []
    }

    /// `proxy`: what the CONNECT proxy takes for the gateway.
    package struct Proxy: Sendable, Equatable {
        /// Host names beside Apple's.
        package var targets: [String] = []
    }

    /// `lint`: what is said about pushes that work but could be better.
    package struct Lint: Sendable, Equatable {
        /// Ids of rules that report nothing.
        package var silenced: [String] = []
    }
}

extension Configuration {
    /// What the gateway needs of this.
    package var gatewaySettings: GatewaySettings {
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
    package var http2Settings: HTTP2Settings {
        var settings = http2
        settings.maximumConcurrentStreams = streams.limit
        return settings
    }
}

package import APNs
package import DeviceModel
package import DeviceSimulator
package import ExtensionHost
package import Gateway
package import HTTP2Engine
internal import Lint
package import Logging
package import ProviderServer

/// Everything an operator can choose, with its default; `Setting.all` and `config.yaml` describe each value.
package struct Configuration: Sendable, Equatable {
    package var profile = Profile.faithful
    package var seed: UInt64?
    package var environment = APNsEnvironment.sandbox
    package var fixtures: String?
    package var log = Log()
    package var listen = Listen()
    package var certificates = Certificates()
    package var tls = TLS()
    /// Without the limit of streams, which is `streams.limit`.
    package var http2 = HTTP2Settings()
    package var limits = ConnectionLimits()
    package var shutdown = Shutdown()
    package var auth = Auth()
    package var streams = Streams()
    package var reasons = Reasons()
    package var strict = Strict()
    package var tokens = Tokens()
    package var inbox = InboxLimits()
    package var journal = JournalMode.memory
    package var sqlite = SQLite()
    package var requests = Requests()
    package var admin = Admin()
    package var proxy = Proxy()
    package var assumptions = Assumptions()
    package var lint = Lint()
    package var extensions = ExtensionSettings(folder: ".pushcote/extensions")
    /// Keys, apps and devices of the configuration file and of the fixtures' folder.
    package var contents = Fixtures()

    package init() {}

    package enum JournalMode: String, CaseIterable, Sendable { case memory, sqlite }

    package struct SQLite: Sendable, Equatable {
        package var file = "pushcote.sqlite"
        package var checkpointEvery = 250_000
        package var kept = 0
        package var keptFor = Duration.seconds(7 * 86400)
    }

    package struct Log: Sendable, Equatable {
        package var level = Logger.Level.info
        package var format = LogFormat.text
        package var pushes = true
    }

    package struct Listen: Sendable, Equatable {
        package var provider = ListenAddress.loopback(2197)
        package var clearText = ListenAddress.loopback(2198)
        package var proxy = ListenAddress.loopback(2199)
        package var admin = ListenAddress.loopback(8197)
    }

    package struct Certificates: Sendable, Equatable {
        package var folder = "certs"
        package var chain: String?
        package var key: String?
        package var names: [String] = []
        package var clientAuthorities: [String] = []
    }

    package struct TLS: Sendable, Equatable {
        package var acceptMissingALPN = true
        package var maximumHandshakeBytes = 65536
    }

    package struct Shutdown: Sendable, Equatable {
        package var grace = Duration.seconds(5)
    }

    package struct Auth: Sendable, Equatable {
        package var mode = GatewaySettings.AuthenticationMode.verify
        package var leniency = TokenLeniency()
        package var policy = TokenPolicy()
    }

    package struct Streams: Sendable, Equatable {
        package var limit: UInt32 = 1000
        package var oneUntilAccepted = true
        package var oneAfterRejection = false
    }

    package struct Reasons: Sendable, Equatable {
        package var spelling = APNsReason.Spelling.observed
        package var pushTypeMismatch = TopicRules.MismatchReason.invalidPushType
    }

    package struct Strict: Sendable, Equatable {
        package var payload = false
        package var backgroundPriority = false
    }

    package struct Tokens: Sendable, Equatable {
        package var unknown = GatewaySettings.UnknownTokens.register
    }

    package struct Requests: Sendable, Equatable {
        package var kept = 10_000
    }

    package struct Admin: Sendable, Equatable {
        package var token: String?
        package var open = false
        package var allowedHosts: [String] = []
    }

    package struct Proxy: Sendable, Equatable {
        package var targets: [String] = []
    }

    package struct Lint: Sendable, Equatable {
        package var silenced: [String] = []
    }
}

/// How log lines are written: for people, or one JSON object per line.
package enum LogFormat: String, CaseIterable, Codable, Sendable { case text, json }

/// A set of defaults for every switch; a switch that is set by itself wins over it.
package enum Profile: String, CaseIterable, Codable, Sendable {
    /// What APNs has been seen to do.
    case faithful
    /// What Apple's documents describe and nothing beside it: finds a provider's mistakes.
    case strict
    /// Whatever a client library sends: for back ends that cannot be changed, or have no key yet.
    case lenient
}

extension Configuration {
    /// The defaults of a profile.
    package init(profile: Profile) {
        self.profile = profile
        switch profile {
        case .faithful: break
        case .strict:
            auth.mode = .strict
            auth.leniency = .strict
            strict.payload = true
            strict.backgroundPriority = true
            tokens.unknown = .reject
        case .lenient:
            auth.mode = .off
            auth.leniency = .lenient
            auth.policy.updateInterval = .zero
            streams.oneUntilAccepted = false
        }
    }
}

internal import APNs
package import DeviceModel
package import DeviceSimulator
package import ExtensionHost
package import Fields
package import Gateway
package import HTTP2Engine
package import JSON
package import Logging
package import ProviderServer

/// The settings with their defaults; `SettingTable.swift` has the names, ranges and descriptions.
package struct Configuration: Sendable, Equatable {
    package var profile = Profile.faithful
    package var seed: UInt64?
    package var fixtures: String?
    package var page = true
    package var log = Log()
    package var listen = Listen()
    package var certificates = Certificates()
    package var tls = TLS()
    /// A connection announces `gateway.streamLimit`, whatever `maximumConcurrentStreams` is.
    package var http2 = HTTP2Settings()
    package var limits = ConnectionLimits()
    package var shutdownGrace = Duration.seconds(5)
    package var gateway = GatewaySettings()
    package var inbox = InboxLimits()
    package var journal = JournalMode.memory
    package var sqlite = SQLite()
    package var postgres = Postgres()
    package var requestsKept = 10_000
    package var admin = Admin()
    package var proxyTargets: [String] = []
    package var assumptions = Assumptions()
    package var silencedLintRules: [String] = []
    package var extensions = ExtensionSettings(folder: ".pushcote/extensions")
    package var relay = RelaySettings()
    package var contents = Fixtures()

    package init(profile: Profile = .faithful) {
        self.profile = profile
        switch profile {
        case .faithful: break
        case .strict:
            gateway.authenticationMode = .strict
            gateway.leniency = .strict
            gateway.refusesMalformedPayload = true
            gateway.refusesBackgroundPriority10 = true
            gateway.unknownTokens = .reject
        case .lenient:
            gateway.authenticationMode = .off
            gateway.leniency = .lenient
            gateway.tokenPolicy.updateInterval = .zero
            gateway.oneStreamUntilAccepted = false
            gateway.answersMagicTokens = true
        }
    }

    /// The settings that affect decisions, by name.
    package var decisive: JSONObject {
        JSONObject(Setting.all.lazy.filter(\.isDecisive).map { ($0.name, $0.value(in: self)) })
    }

    package enum JournalMode: String, CaseIterable, Sendable { case memory, sqlite, postgres }

    package struct SQLite: Sendable, Equatable {
        package var file = "pushcote.sqlite"
        package var checkpointEvery = 250_000
        package var kept = 0
        package var keptFor = Duration.seconds(7 * 86400)
    }

    package struct Postgres: Sendable, Equatable {
        package var connection: String?
        package var connectionFile: String?
        package var house = "pushcote"
        package var address: String?
        package var lease = Duration.seconds(3)
        package var requireQuorum = false
        package var checkpointEvery = 250_000
    }

    package struct Log: Sendable, Equatable {
        package var level = Logger.Level.info
        package var format = LogFormat.text
        package var pushes = true
    }

    package struct Listen: Sendable, Equatable {
        package var provider = HostPort.loopback(2197)
        package var clearText = HostPort.loopback(2198)
        package var proxy = HostPort.loopback(2199)
        package var channelsSandbox = HostPort.loopback(2195)
        package var channelsProduction = HostPort.loopback(2196)
        package var admin = HostPort.loopback(8197)

        package typealias Addresses = any WritableKeyPath<Listen, [HostPort]> & Sendable

        package static let lists: [(setting: String, addresses: Addresses)] = [
            ("listen.provider", \.provider), ("listen.clearText", \.clearText), ("listen.proxy", \.proxy),
            ("listen.channelsSandbox", \.channelsSandbox), ("listen.channelsProduction", \.channelsProduction),
            ("listen.admin", \.admin),
        ]
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

    package struct Admin: Sendable, Equatable {
        package var token: String?
        package var open = false
        package var allowedHosts: [String] = []
    }
}

package enum LogFormat: String, CaseIterable, Codable, Sendable { case text, json }

/// A set of defaults; explicit settings override it.
package enum Profile: String, CaseIterable, Codable, Sendable {
    /// Observed behaviour of APNs.
    case faithful
    /// Accepts only what Apple documents, to find providers' mistakes.
    case strict
    /// Accepts what client libraries send, for back ends that cannot be changed or have no key yet.
    case lenient
}

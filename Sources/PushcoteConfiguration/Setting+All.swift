internal import APNs
internal import DeviceSimulator
internal import Gateway
internal import HTTP2Engine
internal import Logging

extension Setting {
    /// Every key, in the order of `config.yaml`.
    package static let all: [Setting] =
        general + listeners + protocols + limits + credentials + behaviour + storage + device + extensions

    private static let general: [Setting] = [
        Setting(
            "profile", \.profile, .word(),
            "The defaults of many settings: faithful (what APNs does), strict (only what Apple documents), lenient "
                + "(whatever client libraries send, no keys needed). An explicit setting overrides the profile."),
        Setting(
            "seed", \.seed, .seed,
            "What generated identifiers are derived from: with the same seed, the same requests get the same "
                + "apns-ids."),
        Setting(
            "environment", \.environment, .word(),
            "The environment of requests whose host name is not one of Apple's."),
        Setting(
            "fixtures", \.fixtures, .optionalPath,
            "A folder whose .yaml and .json files are read in name order; each has the sections keys, apps, devices "
                + "and faults."),
        Setting(
            "log.level", \.log.level, .word(), "The lowest level that is logged; debug logs every push."),
    ]

    private static let listeners: [Setting] = [
        Setting("listen.provider", \.listen.provider, .addresses, "TLS with HTTP/2, as APNs."),
        Setting(
            "listen.clearText", \.listen.clearText, .addresses,
            "HTTP/2 with prior knowledge and HTTP/1.1, without TLS; APNs has no such port."),
        Setting(
            "listen.proxy", \.listen.proxy, .addresses,
            "An HTTP proxy that accepts CONNECT for Apple's host names; the gateway itself serves the connection."),
        Setting(
            "listen.admin", \.listen.admin, .addresses,
            "The admin API; an address other than loopback requires admin.token."),
        Setting(
            "certificates.folder", \.certificates.folder, .path,
            "The folder of the generated certificate authority, server certificate and demonstration key."),
        Setting(
            "certificates.chain", \.certificates.chain, .optionalPath,
            "A PEM file with your own server certificate and its chain."),
        Setting(
            "certificates.key", \.certificates.key, .optionalPath,
            "The PEM file with the private key of certificates.chain."),
        Setting(
            "certificates.names", \.certificates.names, .names,
            "Additional host names and IP addresses for the generated certificate; it always has Apple's names, "
                + "localhost and pushcote."),
        Setting(
            "certificates.clientAuthorities", \.certificates.clientAuthorities, .paths,
            "PEM files of additional certificate authorities trusted for client certificates."),
        Setting(
            "proxy.targets", \.proxy.targets, .names, "Additional host names for which the proxy accepts CONNECT."),
    ]

    private static let protocols: [Setting] = [
        Setting(
            "tls.acceptMissingALPN", \.tls.acceptMissingALPN, .bool,
            "Serve HTTP/2 to clients that send no ALPN, as APNs does; aioapns, Pushy and apnotic send none."),
        Setting(
            "tls.maximumHandshakeBytes", \.tls.maximumHandshakeBytes, .number(4096...16_777_216), unit: "bytes",
            "How much a client may send before its TLS handshake is complete."),
        Setting(
            "http2.headerTableSize", \.http2.headerTableSize, .number(0...UInt32.max), unit: "bytes",
            "SETTINGS_HEADER_TABLE_SIZE; APNs: 4096."),
        Setting(
            "http2.initialWindowSize", \.http2.initialWindowSize, .number(1...2_147_483_647), unit: "bytes",
            "SETTINGS_INITIAL_WINDOW_SIZE; APNs: 65535."),
        Setting(
            "http2.maximumFrameSize", \.http2.maximumFrameSize, .number(16384...16_777_215), unit: "bytes",
            "SETTINGS_MAX_FRAME_SIZE; APNs: 16384."),
        Setting(
            "http2.maximumHeaderListSize", \.http2.maximumHeaderListSize, .number(256...1_048_576), unit: "bytes",
            "SETTINGS_MAX_HEADER_LIST_SIZE, counted as in RFC 9113: name, value and 32 for each field; APNs: 8000."),
        Setting(
            "http2.keptBodyByteCount", \.http2.keptBodyByteCount, .number(5120...Int.max), unit: "bytes",
            "How much of a request's body is stored; the rest is counted and discarded."),
        Setting(
            "http2.drainedBodyByteCount", \.http2.drainedBodyByteCount, .number(5120...Int.max), unit: "bytes",
            "How much of a request's body is read before the request is answered without waiting for its end."),
        Setting(
            "streams.limit", \.streams.limit, .number(1...UInt32.max), unit: "streams",
            "SETTINGS_MAX_CONCURRENT_STREAMS: how many requests a connection may have open; APNs: 1000."),
        Setting(
            "streams.oneUntilAccepted", \.streams.oneUntilAccepted, .bool,
            "Allow only one stream until the first accepted push, as APNs does with provider tokens."),
        Setting(
            "streams.oneAfterRejection", \.streams.oneAfterRejection, .bool,
            "Allow only one stream after a rejected push until the next accepted one, as APNs did around 2017."),
        Setting(
            "shutdown.grace", \.shutdown.grace, .duration,
            "How long open requests may take to complete when the gateway stops."),
    ]

    private static let credentials: [Setting] = [
        Setting(
            "auth.mode", \.auth.mode, .word(),
            "verify: tokens of registered keys must verify, tokens of unknown keys are accepted and flagged; strict: "
                + "only registered keys; off: no credentials needed."),
        Setting(
            "auth.leniency.derSignature", \.auth.leniency.derSignature, .bool,
            "Accept token signatures in DER, as apnotic sends them."),
        Setting(
            "auth.leniency.standardBase64", \.auth.leniency.standardBase64, .bool,
            "Accept standard base64 with padding in tokens."),
        Setting(
            "auth.leniency.missingAlgorithm", \.auth.leniency.missingAlgorithm, .bool,
            "Accept tokens without alg, as in Apple's sample."),
        Setting(
            "auth.leniency.stringIssuedAt", \.auth.leniency.stringIssuedAt, .bool,
            "Accept iat as a string, as APNSwift sends it."),
        Setting(
            "auth.leniency.fractionalIssuedAt", \.auth.leniency.fractionalIssuedAt, .bool,
            "Accept iat with a fraction, as PyAPNs2 sends it."),
        Setting(
            "auth.leniency.extraMembers", \.auth.leniency.extraMembers, .bool,
            "Accept other members than alg, kid, iss and iat in tokens."),
        Setting(
            "auth.leniency.es512OverP256", \.auth.leniency.es512OverP256, .bool,
            "Accept ES512 over a P-256 key, as pushok sends it; Apple documents ES256 only."),
        Setting(
            "auth.tokenLifetime", \.auth.policy.lifetime, .duration, "The age at which a provider token expires."),
        Setting(
            "auth.futureTolerance", \.auth.policy.futureTolerance, .duration,
            "A provider token issued further in the future than this is rejected like an expired one."),
        Setting(
            "auth.updateInterval", \.auth.policy.updateInterval, .duration,
            "A second new token within this time is TooManyProviderTokenUpdates; 0s turns the check off."),
        Setting(
            "auth.updateScope", \.auth.policy.updateScope, .word(),
            "Whether new tokens are counted per connection or per key."),
        Setting(
            "auth.otherTeamReason", \.auth.policy.otherTeamReason, .word(),
            "The reason for a second team on one connection; reports disagree."),
    ]

    private static let behaviour: [Setting] = [
        Setting(
            "reasons.spelling", \.reasons.spelling, .word(),
            "observed: BadEnvironmentKeyInToken, as providers have seen it; documented: BadEnvironmentKeyIdInToken, "
                + "as in Apple's documentation."),
        Setting(
            "reasons.pushTypeMismatch", \.reasons.pushTypeMismatch, .word(),
            "The reason for a push type that does not match its topic; reports disagree."),
        Setting(
            "strict.payload", \.strict.payload, .bool,
            "Reject payloads that are not a JSON object; APNs does not parse payloads, and the device discards invalid "
                + "ones."
        ),
        Setting(
            "strict.backgroundPriority", \.strict.backgroundPriority, .bool,
            "Reject background pushes with priority 10 as BadPriority; Apple calls them an error."),
        Setting(
            "tokens.unknown", \.tokens.unknown, .word(),
            "What a well-formed unknown device token does: register creates a device for it, reject answers "
                + "BadDeviceToken."
        ),
    ]

    private static let storage: [Setting] = [
        Setting(
            "journal", \.journal, .word(),
            "memory: the state is lost when the process ends; sqlite: it is stored in sqlite.file, and a push is "
                + "answered 200 only after it is on disk (docs/reliability.md)."),
        Setting(
            "sqlite.file", \.sqlite.file, .path,
            "The file for journal: sqlite; created if missing. Its folder must exist."),
        Setting(
            "sqlite.checkpointEvery", \.sqlite.checkpointEvery, .number(1...Int.max), unit: "inputs",
            "A checkpoint is written after this many pushes and other changes; a start replays at most this many."
        ),
        Setting(
            "sqlite.kept", \.sqlite.kept, .number(0...Int.max), unit: "inputs",
            "How many pushes and changes before the checkpoint are retained in the file."),
        Setting(
            "sqlite.keptFor", \.sqlite.keptFor, .duration, "How long they are retained at most."),
        Setting(
            "inbox.perDevice", \.inbox.perDevice, .number(1...Int.max), unit: "notifications",
            "How many notifications one inbox retains; the oldest are evicted and counted."),
        Setting(
            "inbox.total", \.inbox.total, .number(1...Int.max), unit: "notifications",
            "How many notifications all inboxes together retain."),
        Setting(
            "inbox.devices", \.inbox.devices, .number(1...Int.max), unit: "devices", "The maximum number of devices."),
        Setting(
            "requests.kept", \.requests.kept, .number(1...Int.max), unit: "requests",
            "How many requests the request log retains."),
        Setting(
            "admin.token", \.admin.token, .optionalText, isSecret: true,
            "The bearer token of the admin API; not needed on loopback."),
        Setting(
            "admin.open", \.admin.open, .bool,
            "Allow the admin API without a token on addresses other than loopback; only for a separate network, as "
                + "in docker compose."),
        Setting(
            "admin.allowedHosts", \.admin.allowedHosts, .names,
            "Additional values of the Host header that the admin API accepts."),
    ]

    private static let device: [Setting] =
        Assumption.all.map(\.setting) + [
            Setting(
                "lint.silenced", \.lint.silenced, .names,
                "Lint rules that report nothing, by the ids of their findings, such as title.long.")
        ]
}

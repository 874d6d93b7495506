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
            "The defaults of all switches: faithful (what APNs does), strict (only what Apple's documents describe), lenient "
                + "(whatever client libraries send, keys not needed). A switch that is set wins over the profile."),
        Setting(
            "seed", \.seed, .seed,
            "Where identifiers come from: with the same number, the same requests get the same apns-ids."),
        Setting(
            "environment", \.environment, .word(),
            "The environment of a request whose host name is none of Apple's."),
        Setting(
            "fixtures", \.fixtures, .optionalPath,
            "A folder whose .yaml and .json files are read in the order of their names; each holds the sections keys, apps, "
                + "devices and faults."),
        Setting(
            "log.level", \.log.level, .word(), "The least important messages that are logged; debug shows every push."),
    ]

    private static let listeners: [Setting] = [
        Setting("listen.provider", \.listen.provider, .addresses, "TLS with HTTP/2, as APNs."),
        Setting(
            "listen.clearText", \.listen.clearText, .addresses,
            "HTTP/2 with prior knowledge and HTTP/1.1, without TLS; real APNs has no such port."),
        Setting(
            "listen.proxy", \.listen.proxy, .addresses,
            "An HTTP proxy that takes CONNECT for Apple's host names and ends the connection at the gateway."),
        Setting(
            "listen.admin", \.listen.admin, .addresses,
            "The admin API; elsewhere than on loopback it demands admin.token."),
        Setting(
            "certificates.folder", \.certificates.folder, .path,
            "Where the authority, the server's certificate and the demonstration key are made and kept."),
        Setting(
            "certificates.chain", \.certificates.chain, .optionalPath,
            "A PEM file with a server certificate of your own and the ones above it."),
        Setting(
            "certificates.key", \.certificates.key, .optionalPath, "The PEM file with the key of certificates.chain."),
        Setting(
            "certificates.names", \.certificates.names, .names,
            "More host names and IP addresses for the made certificate, beside Apple's names, localhost and pushcote."),
        Setting(
            "certificates.clientAuthorities", \.certificates.clientAuthorities, .paths,
            "PEM files of further authorities whose client certificates are believed."),
        Setting(
            "proxy.targets", \.proxy.targets, .names, "Host names beside Apple's for which the proxy takes CONNECT."),
    ]

    private static let protocols: [Setting] = [
        Setting(
            "tls.acceptMissingALPN", \.tls.acceptMissingALPN, .bool,
            "Serve HTTP/2 to clients that send no ALPN at all, as APNs does; aioapns, pushy and apnotic are such."),
        Setting(
            "tls.maximumHandshakeBytes", \.tls.maximumHandshakeBytes, .number(4096...16_777_216), unit: "bytes",
            "How much a client may send before its handshake is complete."),
        Setting(
            "http2.headerTableSize", \.http2.headerTableSize, .number(0...UInt32.max), unit: "bytes",
            "SETTINGS_HEADER_TABLE_SIZE; 4096 as APNs."),
        Setting(
            "http2.initialWindowSize", \.http2.initialWindowSize, .number(1...2_147_483_647), unit: "bytes",
            "SETTINGS_INITIAL_WINDOW_SIZE; 65535 as APNs."),
        Setting(
            "http2.maximumFrameSize", \.http2.maximumFrameSize, .number(16384...16_777_215), unit: "bytes",
            "SETTINGS_MAX_FRAME_SIZE; 16384 as APNs."),
        Setting(
            "http2.maximumHeaderListSize", \.http2.maximumHeaderListSize, .number(256...1_048_576), unit: "bytes",
            "SETTINGS_MAX_HEADER_LIST_SIZE, counted as RFC 9113 does: name, value and 32 for each field; 8000 as APNs."),
        Setting(
            "http2.keptBodyByteCount", \.http2.keptBodyByteCount, .number(5120...Int.max), unit: "bytes",
            "How much of a request's body is kept; the rest is counted and dropped."),
        Setting(
            "http2.drainedBodyByteCount", \.http2.drainedBodyByteCount, .number(5120...Int.max), unit: "bytes",
            "How much of a request's body is read before it is answered without its end."),
        Setting(
            "streams.limit", \.streams.limit, .number(1...UInt32.max), unit: "streams",
            "SETTINGS_MAX_CONCURRENT_STREAMS: how many requests a connection may have open; 1000 as APNs."),
        Setting(
            "streams.oneUntilAccepted", \.streams.oneUntilAccepted, .bool,
            "Allow one stream until the first accepted push, as APNs with provider tokens."),
        Setting(
            "streams.oneAfterRejection", \.streams.oneAfterRejection, .bool,
            "Allow one stream after a refused push until the next accepted one, as APNs did around 2017."),
        Setting(
            "shutdown.grace", \.shutdown.grace, .duration,
            "How long answers under way may take once a stop is asked for."),
    ]

    private static let credentials: [Setting] = [
        Setting(
            "auth.mode", \.auth.mode, .word(),
            "verify: a token of a registered key must verify, one of an unknown key is accepted and flagged; strict: only "
                + "registered keys; off: no credentials are needed."),
        Setting(
            "auth.leniency.derSignature", \.auth.leniency.derSignature, .bool,
            "Take token signatures in DER, as apnotic sends them."),
        Setting(
            "auth.leniency.standardBase64", \.auth.leniency.standardBase64, .bool,
            "Take standard base64 with padding in tokens."),
        Setting(
            "auth.leniency.missingAlgorithm", \.auth.leniency.missingAlgorithm, .bool,
            "Take tokens without alg, as in Apple's sample."),
        Setting(
            "auth.leniency.stringIssuedAt", \.auth.leniency.stringIssuedAt, .bool,
            "Take iat as a string, as APNSwift sends it."),
        Setting(
            "auth.leniency.fractionalIssuedAt", \.auth.leniency.fractionalIssuedAt, .bool,
            "Take iat with a fraction, as PyAPNs2 sends it."),
        Setting(
            "auth.leniency.extraMembers", \.auth.leniency.extraMembers, .bool,
            "Take members beside alg, kid, iss and iat in tokens."),
        Setting(
            "auth.leniency.es512OverP256", \.auth.leniency.es512OverP256, .bool,
            "Take ES512 over a P-256 key, as pushok sends it; Apple documents ES256 only."),
        Setting(
            "auth.tokenLifetime", \.auth.policy.lifetime, .duration, "A provider token older than this is expired."),
        Setting(
            "auth.futureTolerance", \.auth.policy.futureTolerance, .duration,
            "A provider token from further in the future than this is refused like an expired one."),
        Setting(
            "auth.updateInterval", \.auth.policy.updateInterval, .duration,
            "A second new token within this time is TooManyProviderTokenUpdates; 0s allows any."),
        Setting(
            "auth.updateScope", \.auth.policy.updateScope, .word(),
            "Whose new tokens are counted together: a connection's or a key's."),
        Setting(
            "auth.otherTeamReason", \.auth.policy.otherTeamReason, .word(),
            "What a second team on one connection is told; reports disagree."),
    ]

    private static let behaviour: [Setting] = [
        Setting(
            "reasons.spelling", \.reasons.spelling, .word(),
            "observed: BadEnvironmentKeyInToken, as providers have seen it; documented: BadEnvironmentKeyIdInToken, as Apple "
                + "writes it."),
        Setting(
            "reasons.pushTypeMismatch", \.reasons.pushTypeMismatch, .word(),
            "What a push type that does not fit its topic is told; reports disagree."),
        Setting(
            "strict.payload", \.strict.payload, .bool,
            "Refuse payloads that are no JSON object; APNs does not look inside, and the device discards them."),
        Setting(
            "strict.backgroundPriority", \.strict.backgroundPriority, .bool,
            "Refuse background pushes with priority 10 as BadPriority; Apple calls them an error."),
        Setting(
            "tokens.unknown", \.tokens.unknown, .word(),
            "What becomes of a well-formed device token that was never issued: it registers a device, or is refused as "
                + "BadDeviceToken."),
    ]

    private static let storage: [Setting] = [
        Setting(
            "journal", \.journal, .word(),
            "memory: what happened is gone with the process; sqlite: it is kept in sqlite.file, and a push is answered 200 only "
                + "once it is on disk (docs/reliability.md)."),
        Setting(
            "sqlite.file", \.sqlite.file, .path,
            "The file that journal: sqlite keeps everything in; made when it is missing, its folder is not."),
        Setting(
            "sqlite.checkpointEvery", \.sqlite.checkpointEvery, .number(1...Int.max), unit: "inputs",
            "After how many pushes and other changes the whole state is written, so that a start reads no more than these."
        ),
        Setting(
            "sqlite.kept", \.sqlite.kept, .number(0...Int.max), unit: "inputs",
            "How many pushes and changes stay in the file though the state that is written holds them already."),
        Setting(
            "sqlite.keptFor", \.sqlite.keptFor, .duration, "How long they stay at most."),
        Setting(
            "inbox.perDevice", \.inbox.perDevice, .number(1...Int.max), unit: "notifications",
            "How many notifications an inbox keeps; the oldest goes first, and is counted."),
        Setting(
            "inbox.total", \.inbox.total, .number(1...Int.max), unit: "notifications",
            "How many notifications all inboxes keep together."),
        Setting(
            "inbox.devices", \.inbox.devices, .number(1...Int.max), unit: "devices", "How many devices there may be."),
        Setting(
            "requests.kept", \.requests.kept, .number(1...Int.max), unit: "requests",
            "How many requests the log of requests keeps."),
        Setting(
            "admin.token", \.admin.token, .optionalText, isSecret: true,
            "The bearer token of the admin API; none is needed on loopback."),
        Setting(
            "admin.open", \.admin.open, .bool,
            "Whether the admin API may do without a token elsewhere than on loopback: where a network of its own is the "
                + "fence, as in docker compose."),
        Setting(
            "admin.allowedHosts", \.admin.allowedHosts, .names,
            "Host names beside localhost under which the admin API may be asked for."),
    ]

    private static let device: [Setting] =
        Assumption.all.map(\.setting) + [
            Setting(
                "lint.silenced", \.lint.silenced, .names,
                "Rules that report nothing: the ids of their findings, such as title.long.")
        ]
}

internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import ExtensionHost
internal import Fields
internal import Gateway
internal import HTTP2Engine
internal import JSON
internal import Logging
internal import ProviderServer

/// The settings' names, ranges and descriptions. The type at each key path has the default: `ConnectionLimits` in
/// `ConnectionLimitDefaults.swift` for `limits.idleTimeout`, `GatewaySettings` for `auth.mode`.
extension Setting {
    /// In the order of `config.yaml`.
    package static let all: [Setting] =
        general + listeners + protocols + limits + credentials + behaviour + storage + shared + device + extensions
        + relay

    private static let general: [Setting] = [
        Setting(
            "profile", \.profile, .word(),
            "The defaults of many settings: faithful (what APNs does), strict (only what Apple documents), lenient "
                + "(whatever client libraries send, no keys needed). An explicit setting overrides the profile."),
        Setting(
            "seed", \.seed, .seed,
            "The source of generated identifiers: with the same seed, the same requests get the same "
                + "apns-ids."),
        Setting(
            "environment", \.gateway.defaultEnvironment, .word(),
            "The environment of requests whose host name is not one of Apple's."),
        Setting(
            "fixtures", \.fixtures, .optional(.path),
            "A folder whose .yaml, .yml and .json files are read in name order; each has the sections keys, apps, devices, "
                + "faults and webhooks."),
        Setting(
            "page", \.page, .flag, "Serve the page at the admin API's address, for browsers (docs/page.md)."),
        Setting("log.level", \.log.level, .word(), "The lowest level that is logged."),
        Setting("log.format", \.log.format, .word(), "text, with colours on a terminal; json: one object per line."),
        Setting(
            "log.pushes", \.log.pushes, .flag,
            "Log one line for every push, and a count if more than 20 come within a second."),
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
            "listen.channelsSandbox", \.listen.channelsSandbox, .addresses,
            "Channel management of the sandbox, TLS with HTTP/2; APNs has it on this port."),
        Setting(
            "listen.channelsProduction", \.listen.channelsProduction, .addresses,
            "Channel management of production, TLS with HTTP/2; APNs has it on this port."),
        Setting(
            "listen.admin", \.listen.admin, .addresses,
            "The admin API; an address other than loopback requires admin.token."),
        Setting(
            "certificates.folder", \.certificates.folder, .path,
            "The folder of the generated certificate authority, server certificate and demonstration key."),
        Setting(
            "certificates.chain", \.certificates.chain, .optional(.path),
            "A PEM file with your own server certificate and its chain."),
        Setting(
            "certificates.key", \.certificates.key, .optional(.path),
            "The PEM file with the private key of certificates.chain."),
        Setting(
            "certificates.names", \.certificates.names, .names,
            "Additional host names and IP addresses for the generated certificate; it always has Apple's names, "
                + "localhost and pushcote."),
        Setting(
            "certificates.clientAuthorities", \.certificates.clientAuthorities, .paths,
            "PEM files of additional certificate authorities trusted for client certificates."),
        Setting("proxy.targets", \.proxyTargets, .names, "Additional host names for which the proxy accepts CONNECT."),
    ]

    private static let protocols: [Setting] = [
        Setting(
            "tls.acceptMissingALPN", \.tls.acceptMissingALPN, .flag,
            "Serve HTTP/2 to clients that send no ALPN, as APNs does; aioapns, Pushy and apnotic send none."),
        Setting(
            "tls.maximumHandshakeBytes", \.tls.maximumHandshakeBytes, .integer(in: 4096...16_777_216), unit: "bytes",
            "How much a client may send before its TLS handshake is complete."),
        Setting(
            "http2.headerTableSize", \.http2.headerTableSize, .integer(in: 0...UInt32.max), unit: "bytes",
            "SETTINGS_HEADER_TABLE_SIZE; APNs: 4096."),
        Setting(
            "http2.initialWindowSize", \.http2.initialWindowSize, .integer(in: 1...2_147_483_647), unit: "bytes",
            "SETTINGS_INITIAL_WINDOW_SIZE; APNs: 65535."),
        Setting(
            "http2.maximumFrameSize", \.http2.maximumFrameSize, .integer(in: 16384...16_777_215), unit: "bytes",
            "SETTINGS_MAX_FRAME_SIZE; APNs: 16384."),
        Setting(
            "http2.maximumHeaderListSize", \.http2.maximumHeaderListSize, .integer(in: 256...65_536), unit: "bytes",
            "SETTINGS_MAX_HEADER_LIST_SIZE, counted as in RFC 9113: name, value and 32 for each field; APNs: 8000."),
        Setting(
            "http2.keptBodyByteCount", \.http2.keptBodyByteCount, .integer(in: 5120...Int.max), unit: "bytes",
            "How much of a request's body is stored; the rest is counted and discarded."),
        Setting(
            "http2.drainedBodyByteCount", \.http2.drainedBodyByteCount, .integer(in: 5120...Int.max), unit: "bytes",
            "How much of a request's body is read before the request is answered without waiting for its end."),
        Setting(
            "streams.limit", \.gateway.streamLimit, .integer(in: 1...UInt32.max), unit: "streams",
            "SETTINGS_MAX_CONCURRENT_STREAMS: how many requests a connection may have open; APNs: 1000."),
        Setting(
            "streams.oneUntilAccepted", \.gateway.oneStreamUntilAccepted, .flag,
            "Allow only one stream until the first accepted push, as APNs does with provider tokens."),
        Setting(
            "streams.oneAfterRejection", \.gateway.oneStreamAfterRejection, .flag,
            "Allow only one stream after a rejected push until the next accepted one, as APNs did around 2017."),
        Setting(
            "shutdown.grace", \.shutdownGrace, .duration,
            "How long open requests may take to complete when the gateway stops."),
    ]

    private static let credentials: [Setting] = [
        Setting(
            "auth.mode", \.gateway.authenticationMode, .word(),
            "verify: tokens of registered keys must verify, tokens of unknown keys are accepted and flagged; strict: "
                + "only registered keys; off: no credentials needed."),
        Setting(
            "auth.leniency.derSignature", \.gateway.leniency.derSignature, .flag,
            "Accept token signatures in DER, as apnotic sends them."),
        Setting(
            "auth.leniency.standardBase64", \.gateway.leniency.standardBase64, .flag,
            "Accept standard base64 with padding in tokens."),
        Setting(
            "auth.leniency.missingAlgorithm", \.gateway.leniency.missingAlgorithm, .flag,
            "Accept tokens without alg, as in Apple's sample."),
        Setting(
            "auth.leniency.stringIssuedAt", \.gateway.leniency.stringIssuedAt, .flag,
            "Accept iat as a string, as APNSwift sends it."),
        Setting(
            "auth.leniency.fractionalIssuedAt", \.gateway.leniency.fractionalIssuedAt, .flag,
            "Accept iat with a fraction, as PyAPNs2 sends it."),
        Setting(
            "auth.leniency.extraMembers", \.gateway.leniency.extraMembers, .flag,
            "Accept other members than alg, kid, iss and iat in tokens."),
        Setting(
            "auth.leniency.es512OverP256", \.gateway.leniency.es512OverP256, .flag,
            "Accept ES512 over a P-256 key, as pushok sends it; Apple documents ES256 only."),
        Setting(
            "auth.tokenLifetime", \.gateway.tokenPolicy.lifetime, .duration,
            "The age at which a provider token expires."),
        Setting(
            "auth.futureTolerance", \.gateway.tokenPolicy.futureTolerance, .duration,
            "A provider token issued further in the future than this is rejected like an expired one."),
        Setting(
            "auth.updateInterval", \.gateway.tokenPolicy.updateInterval, .duration,
            "A second new token within this time is TooManyProviderTokenUpdates; 0s turns the check off."),
        Setting(
            "auth.updateScope", \.gateway.tokenPolicy.updateScope, .word(),
            "Whether new tokens are counted per connection or per key."),
        Setting(
            "auth.otherTeamReason", \.gateway.tokenPolicy.otherTeamReason, .word(),
            "The reason for a second team on one connection; reports disagree."),
    ]

    private static let behaviour: [Setting] = [
        Setting(
            "reasons.spelling", \.gateway.spelling, .word(),
            "observed: BadEnvironmentKeyInToken, as providers have seen it; documented: BadEnvironmentKeyIdInToken, "
                + "as in Apple's documentation."),
        Setting(
            "reasons.pushTypeMismatch", \.gateway.pushTypeMismatch, .word(),
            "The reason for a push type that does not match its topic; reports disagree."),
        Setting(
            "redact.payload", \.gateway.redactedMembers, .members,
            "Members of payloads whose values are replaced before a push is checked, recorded or shown (docs/security.md)."
        ),
        Setting(
            "redact.deviceTokens", \.gateway.redactsDeviceTokens, .flag,
            "Replace device tokens by pseudonyms in answers of the admin API and on the page (docs/security.md)."),
        Setting(
            "redact.keyIds", \.gateway.redactsKeyIDs, .flag,
            "Replace key IDs by pseudonyms there, except the demonstration key's (docs/security.md)."),
        Setting(
            "strict.payload", \.gateway.refusesMalformedPayload, .flag,
            "Reject payloads that are not a JSON object; APNs does not parse payloads, and the device discards invalid "
                + "ones."),
        Setting(
            "strict.backgroundPriority", \.gateway.refusesBackgroundPriority10, .flag,
            "Reject background pushes with priority 10 as BadPriority; Apple calls them an error."),
        Setting(
            "tokens.unknown", \.gateway.unknownTokens, .word(),
            "What a well-formed unknown device token does: register creates a device for it, reject answers "
                + "BadDeviceToken."),
        Setting(
            "tokens.magic", \.gateway.answersMagicTokens, .flag,
            "Answer unknown device tokens that end with badd0410 and the like with a reason (docs/faults.md)."),
    ]

    private static let storage: [Setting] = [
        Setting(
            "journal", \.journal, .word(),
            "memory: the state is lost when the process ends; sqlite: it is stored in sqlite.file; postgres: in a database "
                + "that several gateways share, of which one serves. With the last two, a push is answered 200 only "
                + "after it is on disk (docs/reliability.md)."),
        Setting(
            "sqlite.file", \.sqlite.file, .path,
            "The file for journal: sqlite; created if missing. Its folder must exist."),
        Setting(
            "sqlite.checkpointEvery", \.sqlite.checkpointEvery, .integer(in: 1...Int.max), unit: "inputs",
            "A checkpoint is written after this many pushes and other changes; a start replays at most this many."),
        Setting(
            "sqlite.kept", \.sqlite.kept, .integer(in: 0...Int.max), unit: "inputs",
            "How many pushes and changes before the checkpoint are retained in the file."),
        Setting("sqlite.keptFor", \.sqlite.keptFor, .duration, "How long they are retained at most."),
        Setting(
            "inbox.perDevice", \.inbox.perDevice, .integer(in: 1...Int.max), unit: "notifications",
            "How many notifications one inbox retains; the oldest are evicted and counted."),
        Setting(
            "inbox.total", \.inbox.total, .integer(in: 1...Int.max), unit: "notifications",
            "How many notifications all inboxes together retain."),
        Setting(
            "inbox.devices", \.inbox.devices, .integer(in: 1...Int.max), unit: "devices",
            "The maximum number of devices. Each takes about 760 bytes of memory, 1,680 with one notification."),
        Setting(
            "inbox.retention", \.inbox.retention, .optional(.milliseconds),
            "How long notifications, requests and events are retained at most."),
        Setting(
            "requests.kept", \.requestsKept, .integer(in: 1...Int.max), unit: "requests",
            "How many requests the request log retains."),
        Setting(
            "admin.token", \.admin.token, .optional(.headerText), isSecret: true,
            "The bearer token of the admin API; not needed on loopback."),
        Setting(
            "admin.open", \.admin.open, .flag,
            "Allow the admin API without a token on addresses other than loopback; only for a separate network, as "
                + "in docker compose."),
        Setting(
            "admin.allowedHosts", \.admin.allowedHosts, .names,
            "Additional values of the Host header that the admin API accepts."),
    ]

    private static let device: [Setting] =
        Assumption.all.map { assumption in
            Setting(
                "assumptions.\(assumption.field.name)", assumption.field.inside(\.assumptions), unit: assumption.unit)
        } + [
            Setting(
                "lint.silenced", \.silencedLintRules, .names,
                "Lint rules that report nothing, by the ids of their findings, such as title.long.")
        ]

    /// `docs/hardening.md` describes what happens at each limit.
    private static let limits: [Setting] = [
        Setting(
            "limits.handshakeTimeout", \.limits.handshakeTimeout, .duration,
            "How long a TLS handshake, or the head of a CONNECT request, may take; 0s turns a timeout off, here and "
                + "below. A handshake needs two round trips."),
        Setting(
            "limits.prefaceTimeout", \.limits.prefaceTimeout, .duration,
            "How long a client may take to send the HTTP/2 preface and its SETTINGS; libraries send both at once."),
        Setting(
            "limits.settingsTimeout", \.limits.settingsTimeout, .duration,
            "How long a client may take to acknowledge SETTINGS before GOAWAY SETTINGS_TIMEOUT."),
        Setting(
            "limits.frameTimeout", \.limits.frameTimeout, .duration,
            "How long an incomplete frame or header block may take; the largest frame takes this long at 4 kbit/s."),
        Setting(
            "limits.requestTimeout", \.limits.requestTimeout, .duration,
            "How long a request may take from its header fields to its end; APNs' largest payload is 5 KiB."),
        Setting(
            "limits.sendTimeout", \.limits.sendTimeout, .duration,
            "How long an answer may wait for a client that does not read or does not open its window."),
        Setting(
            "limits.idleTimeout", \.limits.idleTimeout, .duration,
            "How long a connection may have no frame and no open request; Apple lets providers keep connections open "
                + "for hours or days."),
        Setting(
            "limits.frameBurst", \.limits.http2.frameBurst, .integer(in: 100...1_000_000_000), unit: "frames",
            "How many frames a connection may send in one burst without reading answers: enough for 1000 streams "
                + "that open, send and reset, three times. Raise it together with streams.limit."),
        Setting(
            "limits.frameRate", \.limits.http2.frameRate, .integer(in: 1...1_000_000_000), unit: "frames a second",
            "How many such frames a second may follow; no known client sends more than one PING a second."),
        Setting(
            "limits.headerBlockByteCount", \.limits.http2.headerBlockByteCount, .integer(in: 1024...16_777_216),
            unit: "bytes",
            "How large a header block may be, encoded and decoded (name, value and 32 for each field), before the "
                + "connection ends; one above http2.maximumHeaderListSize is answered 431."),
        Setting(
            "limits.connections", \.limits.connections, .integer(in: 1...10_000_000), unit: "connections",
            "The maximum number of connections, or the process's descriptor limit minus 64 if that is lower."),
        Setting(
            "limits.connectionsPerAddress", \.limits.connectionsPerAddress, .integer(in: 1...10_000_000),
            unit: "connections",
            "The maximum number of connections from one address; on loopback or a container network all clients share "
                + "one."),
    ]

    private static let extensions: [Setting] = [
        Setting(
            "extensions.folder", \.extensions.folder, .path,
            "The folder of service extensions: programs, working folders and app groups."),
        Setting(
            "extensions.startupLimit", \.extensions.startupLimit, .duration,
            "How long a service extension may take until didReceive is called; then it is killed and the original is "
                + "shown."),
        Setting(
            "extensions.expireAfter", \.extensions.expireAfter, .duration,
            "When serviceExtensionTimeWillExpire is called, counted from the launch on the gateway's clock."),
        Setting(
            "extensions.killAfter", \.extensions.killAfter, .duration,
            "When the extension is killed; the time after expireAfter passes in real time."),
        Setting(
            "extensions.idle", \.extensions.idle, .duration,
            "How long an idle process is kept alive for the next push."),
        Setting(
            "extensions.memoryLimitByteCount", \.extensions.memoryLimitByteCount, .integer(in: 1...Int.max),
            unit: "bytes",
            "How much more memory an extension may take than when it was ready; iOS allows 24 MB."),
        Setting(
            "extensions.enforcesMemoryLimit", \.extensions.enforcesMemoryLimit, .flag,
            "Kill an extension above the memory limit. If false, only a finding is recorded, because programs are "
                + "larger here."),
        Setting(
            "extensions.maximumProcesses", \.extensions.maximumProcesses, .integer(in: 1...10_000), unit: "processes",
            "How many extensions run at the same time; further ones wait, and their time limit starts at their "
                + "launch."),
        Setting(
            "extensions.maximumMessageByteCount", \.extensions.maximumMessageByteCount,
            .integer(in: 65536...1_073_741_824),
            unit: "bytes", "The longest message accepted from an extension."),
        Setting(
            "extensions.keptOutputByteCount", \.extensions.keptOutputByteCount, .integer(in: 0...16_777_216),
            unit: "bytes",
            "How much output outside the protocol is stored per run."),
        Setting(
            "extensions.keptLogLines", \.extensions.keptLogLines, .integer(in: 0...100_000), unit: "lines",
            "How many log lines are stored per run."),
        Setting(
            "extensions.processorSeconds", \.extensions.processorSeconds, .integer(in: 1...86_400), unit: "seconds",
            "How much CPU time it may take for a push (RLIMIT_CPU)."),
        Setting(
            "extensions.fileByteCount", \.extensions.fileByteCount, .integer(in: 1024...Int.max), unit: "bytes",
            "The largest file it may write (RLIMIT_FSIZE); attachments have at most 50 MB."),
        Setting(
            "extensions.descriptorCount", \.extensions.descriptorCount, .integer(in: 16...1_000_000),
            unit: "descriptors",
            "How many files and sockets it may have open (RLIMIT_NOFILE)."),
    ]
}

extension FieldFormat {
    /// A whole number that all JSON readers represent exactly (RFC 8259 §6), or `random` for none.
    fileprivate static var seed: FieldFormat<UInt64?> {
        let number = FieldFormat<UInt64>.integer(in: 0...(1 << 53))
        return custom("\(number.accepted), or random", number.schema) { json in
            if json == .string("random") { return .some(nil) }
            guard case .integer(let seed) = json, seed >= 0, seed <= 1 << 53 else { return nil }
            return UInt64(seed)
        } write: {
            $0.map { JSONValue.integer(Int($0)) } ?? .string("random")
        }
    }

    fileprivate static var addresses: FieldFormat<[HostPort]> {
        let form = "HOST:PORT such as \"127.0.0.1:2197\" or \"[::1]:2197\" (port 0: any free one)"
        return .list(.text(form, read: { HostPort($0) }, write: \.text), "a list of \(form), or []")
    }

    fileprivate static var names: FieldFormat<[String]> { .list(.name, "a list of names, or []") }

    /// Paths in a payload.
    fileprivate static var members: FieldFormat<[[String]]> {
        let member = FieldFormat<[String]>.text(
            "names joined with dots, such as aps.alert.body", form: TextForm(pattern: "^[^.]+([.][^.]+)*$"),
            read: { text in
                let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
                return names.contains("") ? nil : names
            }, write: { $0.joined(separator: ".") })
        return .list(member, "a list of names joined with dots, such as aps.alert.body, or []")
    }

    fileprivate static var paths: FieldFormat<[String]> { .list(.path, "a list of paths, or []") }
}

internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import Synchronization

/// A client's mistake that only the log can report, because no response can.
enum ClientMistake: Sendable {
    case clearTextOnTLSPort, proxyOnTLSPort, tlsOnClearTextPort, tlsOnProxyPort
    case http1InsideTLS, brokenPreface, nonsense, nonsenseInsideTLS
    case noH2, distrustedAuthority, missingName, failedTLS
    case proxyTarget, clientCertificate
    case refusedStreams
    case streamOrder, violation, limit

    var level: Logger.Level { self == .failedTLS ? .info : .warning }

    var message: Logger.Message {
        switch self {
        case .clearTextOnTLSPort: "Clear text on the TLS port: use https, or the clear-text port"
        case .proxyOnTLSPort: "CONNECT on the TLS port: a client's proxy is the address of listen.proxy"
        case .tlsOnClearTextPort: "TLS on the clear-text port: use http, or the provider's port"
        case .tlsOnProxyPort:
            "TLS on the proxy port: the proxy's URL must begin with http://, even for https:// targets"
        case .http1InsideTLS:
            "HTTP/1.1 where APNs speaks HTTP/2 only: switch the client to HTTP/2, or use the clear-text port"
        case .brokenPreface: "Invalid HTTP/2 connection preface"
        case .nonsense: "The first bytes are neither TLS nor HTTP"
        case .nonsenseInsideTLS: "TLS succeeded, but the first bytes inside it are not HTTP/2"
        case .noH2: "ALPN without h2: switch the client to HTTP/2, or use the clear-text port for HTTP/1.1"
        case .distrustedAuthority:
            "The client does not trust the gateway's certificate authority: `pushcote certs trust` prints what to change"
        case .missingName:
            """
            The gateway's certificate lacks the name that the client asks for: add it to `certificates.names`, then run \
            `pushcote certs renew --all`
            """
        case .failedTLS: "TLS failed"
        case .proxyTarget: "CONNECT rejected: the proxy accepts only APNs' host names"
        case .clientCertificate: "Connection rejected because of its client certificate"
        case .refusedStreams:
            """
            Streams above the announced limit were refused: wait for the server's SETTINGS before opening streams, and for the \
            first accepted push before opening many
            """
        case .streamOrder:
            """
            Connection ended: HEADERS out of order. Threads of the client share one HTTP/2 connection: use one client per \
            thread, or an asynchronous one (docs/troubleshooting.md)
            """
        case .violation: "Connection ended: the client violated HTTP/2 (RFC 9113)"
        case .limit: "Connection ended by a limit: docs/hardening.md lists the settings"
        }
    }
}

/// Logs the first mistake of a kind at once, then at most one line a second with a count, so that scanners and retry
/// loops do not flood the log.
final class MistakeLog: Sendable {
    /// Mistakes of a kind that were not logged yet.
    private struct Held {
        var count = 0
        var metadata: Logger.Metadata = [:]
    }

    /// A mistake, and which limit or error it is.
    private struct Kind: Hashable {
        var mistake: ClientMistake
        var cause: String
    }

    private static let pause = TimeAmount.seconds(1)

    private let logger: Logger
    /// The kinds with a log line in the current interval.
    private let held = Mutex([Kind: Held]())

    init(logger: Logger) { self.logger = logger }

    /// - Parameter cause: From a closed set; each has lines of its own.
    func add(
        _ mistake: ClientMistake, cause: String, peer: SocketAddress?, _ more: Logger.Metadata,
        on eventLoop: any EventLoop
    ) {
        guard logger.logLevel <= mistake.level else { return }
        let metadata = more.merging(["peer": "\(peer?.text ?? "")"]) { own, _ in own }
        let kind = Kind(mistake: mistake, cause: cause)
        let isFirst = held.withLock { held in
            guard held[kind] != nil else {
                held[kind] = Held()
                return true
            }
            held[kind]?.count += 1
            held[kind]?.metadata = metadata
            return false
        }
        guard isFirst else { return }
        logger.log(level: mistake.level, mistake.message, metadata: metadata)
        schedule(kind, on: eventLoop)
    }

    func finish() { for kind in held.withLock({ Array($0.keys) }) { _ = writeHeld(kind) } }

    private func schedule(_ kind: Kind, on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: Self.pause) { [self] in
            if writeHeld(kind) { schedule(kind, on: eventLoop) }
        }
    }

    private func writeHeld(_ kind: Kind) -> Bool {
        let last = held.withLock { held in
            let last = held[kind]
            held[kind] = last.map(\.count) ?? 0 > 0 ? Held() : nil
            return last
        }
        guard var last, last.count > 0 else { return false }
        last.metadata["count"] = "\(last.count)"
        logger.log(level: kind.mistake.level, kind.mistake.message, metadata: last.metadata)
        return true
    }
}

extension ProviderServer {
    /// - Parameter firstBytes: What the client sent; the log shows the beginning.
    func log(
        _ mistake: ClientMistake, cause: String = "", of channel: any Channel, firstBytes: [UInt8] = [],
        _ more: Logger.Metadata = [:]
    ) {
        var more = more
        if !firstBytes.isEmpty {
            let printable = firstBytes.prefix(PrefaceRefusal.shownByteCount).map {
                (0x20..<0x7f).contains($0) ? $0 : 0x2e
            }
            more["bytes"] = "\(String(decoding: printable, as: UTF8.self))"
        }
        mistakes.add(mistake, cause: cause, peer: channel.remoteAddress, more, on: channel.eventLoop)
    }

    /// An idle connection is no mistake.
    func log(_ limit: AttackClass, of channel: any Channel) {
        guard limit != .idle else { return }
        log(.limit, cause: limit.rawValue, of: channel, ["limit": "\(limit.rawValue)"])
    }
}

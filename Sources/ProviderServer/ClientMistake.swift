internal import Logging
internal import NIOCore
internal import Synchronization

/// A client's mistake that only the log can report, because no response can.
enum ClientMistake: CaseIterable, Sendable {
    case clearTextOnTLSPort, tlsOnClearTextPort, tlsOnProxyPort
    case http1InsideTLS, brokenPreface, nonsense, nonsenseInsideTLS
    case noH2, distrustedAuthority, failedTLS
    case proxyTarget, clientCertificate
    case refusedStreams

    var level: Logger.Level { self == .failedTLS ? .info : .warning }

    var message: Logger.Message {
        switch self {
        case .clearTextOnTLSPort: "Clear text on the TLS port: use https, or the clear-text port"
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
        case .failedTLS: "TLS failed"
        case .proxyTarget: "CONNECT rejected: the proxy accepts only APNs' host names"
        case .clientCertificate: "Connection rejected because of its client certificate"
        case .refusedStreams:
            """
            Streams above the announced limit were refused: wait for the server's SETTINGS before opening streams, and for the \
            first accepted push before opening many
            """
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

    private static let pause = TimeAmount.seconds(1)

    private let logger: Logger
    /// The kinds with a log line in the current interval.
    private let held = Mutex([ClientMistake: Held]())

    init(logger: Logger) { self.logger = logger }

    func add(
        _ mistake: ClientMistake, peer: SocketAddress?, _ more: Logger.Metadata = [:], on eventLoop: any EventLoop
    ) {
        guard logger.logLevel <= mistake.level else { return }
        let metadata = more.merging(["peer": "\(peer?.text ?? "")"]) { own, _ in own }
        let isFirst = held.withLock { held in
            guard held[mistake] != nil else {
                held[mistake] = Held()
                return true
            }
            held[mistake]?.count += 1
            held[mistake]?.metadata = metadata
            return false
        }
        guard isFirst else { return }
        logger.log(level: mistake.level, mistake.message, metadata: metadata)
        schedule(mistake, on: eventLoop)
    }

    func finish() { for mistake in ClientMistake.allCases { _ = writeHeld(mistake) } }

    private func schedule(_ mistake: ClientMistake, on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: Self.pause) { [self] in
            if writeHeld(mistake) { schedule(mistake, on: eventLoop) }
        }
    }

    private func writeHeld(_ mistake: ClientMistake) -> Bool {
        let last = held.withLock { held in
            let last = held[mistake]
            held[mistake] = last.map(\.count) ?? 0 > 0 ? Held() : nil
            return last
        }
        guard var last, last.count > 0 else { return false }
        last.metadata["count"] = "\(last.count)"
        logger.log(level: mistake.level, mistake.message, metadata: last.metadata)
        return true
    }
}

extension ProviderServer {
    /// - Parameter firstBytes: What the client sent; the log shows the beginning.
    func log(
        _ mistake: ClientMistake, of context: ChannelHandlerContext, firstBytes: [UInt8] = [],
        _ more: Logger.Metadata = [:]
    ) {
        var more = more
        if !firstBytes.isEmpty {
            let printable = firstBytes.prefix(PrefaceRefusal.shownByteCount).map {
                (0x20..<0x7f).contains($0) ? $0 : 0x2e
            }
            more["bytes"] = "\(String(decoding: printable, as: UTF8.self))"
        }
        mistakes.add(mistake, peer: context.remoteAddress, more, on: context.eventLoop)
    }
}

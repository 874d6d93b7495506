internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import Synchronization

/// What a client does wrong before it is heard, or so that no answer tells it: the log has to.
enum ClientMistake: CaseIterable, Sendable {
    case clearTextOnTLSPort, tlsOnClearTextPort, tlsOnProxyPort
    case http1InsideTLS, brokenPreface, nonsense
    case noH2, distrustedAuthority, failedTLS
    case proxyTarget, clientCertificate
    case refusedStreams

    var level: Logger.Level { self == .failedTLS ? .info : .warning }

    /// What happened, and what to change.
    var message: Logger.Message {
        switch self {
        case .clearTextOnTLSPort: "Clear text on the TLS port: use https, or the clear-text port"
        case .tlsOnClearTextPort: "TLS on the clear-text port: use http, or the provider's port"
        case .tlsOnProxyPort: "TLS on the proxy port: the proxy's own URL begins with http://, whatever it leads to"
        case .http1InsideTLS:
            "HTTP/1.1 where APNs speaks HTTP/2 only: switch the client to HTTP/2, or use the clear-text port"
        case .brokenPreface: "Invalid HTTP/2 connection preface"
        case .nonsense: "The first bytes are neither TLS nor HTTP"
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

/// Writes clients' mistakes to the log: the first of a kind at once, and then one line a second with the last one and how many there
/// were. A scanner, or a back end that tries again and again, would fill the log.
final class MistakeLog: Sendable {
    /// What was not written of a kind since its last line.
    private struct Held {
        var count = 0
        var metadata: Logger.Metadata = [:]
    }

    private static let pause = TimeAmount.seconds(1)

    private let logger: Logger
    /// The kinds that had a line within the pause.
    private let held = Mutex([ClientMistake: Held]())

    init(logger: Logger) { self.logger = logger }

    /// Takes note of a mistake, on the event loop of whoever made it.
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

    /// Writes what is held of every kind: nothing follows.
    func finish() { for mistake in ClientMistake.allCases { _ = writeHeld(mistake) } }

    private func schedule(_ mistake: ClientMistake, on eventLoop: any EventLoop) {
        eventLoop.scheduleTask(in: Self.pause) { [self] in
            if writeHeld(mistake) { schedule(mistake, on: eventLoop) }
        }
    }

    /// - Returns: Whether there was anything to write.
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

extension ServerCore {
    /// Takes note of a mistake of the client at the other end of a channel.
    /// - Parameter firstBytes: What it sent; the beginning is shown.
    func note(
        _ mistake: ClientMistake, of context: ChannelHandlerContext, firstBytes: [UInt8] = [],
        _ more: Logger.Metadata = [:]
    ) {
        var more = more
        if !firstBytes.isEmpty {
            more["bytes"] = "\(PrefaceRefusal.printable(Array(firstBytes.prefix(PrefaceRefusal.shownByteCount))))"
        }
        mistakes.add(mistake, peer: context.remoteAddress, more, on: context.eventLoop)
    }
}

internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// Installs HTTP/2 or HTTP/1.1 according to the first bytes of a clear-text connection.
final class ClearTextSniffer: FirstHandler {
    /// Enough of `PRI * HTTP/2.0` to exclude every HTTP/1.1 method.
    private static let preface = Array("PRI ".utf8)

    private let server: ProviderServer
    private let description: ConnectionDescription
    let loop: EventLoopState
    var context: ChannelHandlerContext?
    private var first = ByteBuffer()
    private let since: Int64

    init(server: ProviderServer, description: ConnectionDescription, loop: EventLoopState) {
        self.server = server
        self.description = description
        self.loop = loop
        since = loop.now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        first.writeImmutableBuffer(unwrapInboundIn(data))
        let start = first.readableBytesView.prefix(Self.preface.count)
        let greeting = Greeting(first.readableBytesView.prefix(PrefaceRefusal.shownByteCount))
        if greeting == .tls {
            server.log(.tlsOnClearTextPort, of: context.channel)
            return close()
        }
        guard Self.preface.starts(with: start) else {
            // `HTTP1Handler` answers 400.
            if greeting == .other {
                server.log(.nonsense, of: context.channel, firstBytes: Array(first.readableBytesView))
            }
            return handOver(first, context) { makeHTTP1Handlers(isNonsense: greeting == .other) }
        }
        guard start.count == Self.preface.count else { return }
        handOver(first, context) {
            [ConnectionHandler(server: server, transport: .clearText, description: description, loop: loop)]
        }
    }

    private func makeHTTP1Handlers(isNonsense: Bool) -> [any ChannelHandler] {
        let handler = HTTP1Handler(server: server, description: description, loop: loop)
        handler.isNonsense = isNonsense
        return [
            HTTP1ByteObserver(handler: handler), HTTPResponseEncoder(),
            ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTPServerPipelineHandler(), handler,
        ]
    }

    func checkTimeouts(at now: Int64) {
        guard now - since >= server.timeouts.preface else { return }
        server.attacks.add(.slowPreface)
        close()
    }
}

/// The protocol that a client's first bytes suggest.
enum Greeting: Equatable {
    /// The HTTP/2 preface (RFC 9113 §3.4), or something similar.
    case http2
    case http1
    case tls
    case other

    /// The record type and major version of a ClientHello (RFC 8446 §5.1).
    private static let handshakeRecord: [UInt8] = [22, 3]
    private static let preface = Array("PRI * HTTP/2".utf8)
    private static let version = Array(" HTTP/1.".utf8)
    /// No registered method is longer.
    private static let longestMethod = 17

    init(_ bytes: some Collection<UInt8>) {
        if !bytes.isEmpty, Self.handshakeRecord.starts(with: bytes.prefix(2)) {
            self = .tls
        } else if bytes.starts(with: Self.preface) {
            self = .http2
        } else {
            self = Self.isRequest(bytes) ? .http1 : .other
        }
    }

    /// Whether text starts like a request line (RFC 9112 §3): method in capitals, target, version if received.
    private static func isRequest(_ bytes: some Collection<UInt8>) -> Bool {
        let method = bytes.prefix { (0x41...0x5a).contains($0) || $0 == UInt8(ascii: "-") }
        guard 1...longestMethod ~= method.count else { return false }
        let rest = bytes.dropFirst(method.count)
        guard rest.first == UInt8(ascii: " ") else { return rest.isEmpty }
        let line = rest.prefix { $0 != 13 && $0 != 10 }
        guard line.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return false }
        guard line.count < rest.count else { return true }
        return line.dropLast().suffix(version.count).elementsEqual(version)
    }
}

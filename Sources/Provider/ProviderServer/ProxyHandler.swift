internal import HTTP2Engine
internal import Logging
internal import NIOCore

/// A CONNECT proxy that answers for Apple's host names with this gateway and refuses every other target.
final class ProxyHandler: FirstHandler {
    private let server: ProviderServer
    private var description: ConnectionDescription
    let loop: EventLoopState
    var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private let since: Int64
    /// The fault for the client's TLS; nil serves it.
    private let tlsFault: AcceptFault?
    /// The refusal was sent; the connection is closing.
    private var isRefused = false

    init(
        server: ProviderServer, description: ConnectionDescription, loop: EventLoopState, tlsFault: AcceptFault?
    ) {
        self.server = server
        self.description = description
        self.loop = loop
        self.tlsFault = tlsFault
        since = loop.now
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        received.writeImmutableBuffer(unwrapInboundIn(data))
        let first = Array(received.readableBytesView.prefix(PrefaceRefusal.shownByteCount))
        switch Greeting(first) {
        case .tls:
            server.log(.tlsOnProxyPort, of: context.channel)
            return refuse(
                context, status: "400 Bad Request",
                "This is TLS on the port of an HTTP proxy: the proxy's URL must begin with http://, even for https:// targets."
            )
        case .other where !first.contains(13):
            // Not a request head, so its end may never arrive.
            server.log(.nonsense, of: context.channel, firstBytes: first)
            return refuse(context, status: "400 Bad Request", ConnectRequest.expected)
        case .http1, .http2, .other: break
        }
        switch ConnectRequest.parse(received.readableBytesView) {
        case .incomplete: break
        case .malformed(let why): refuse(context, status: "400 Bad Request", why)
        case .complete(let request, let byteCount):
            received.moveReaderIndex(forwardBy: byteCount)
            answer(request, context)
        }
    }

    private func answer(_ request: ConnectRequest, _ context: ChannelHandlerContext) {
        guard request.method == "CONNECT" else {
            return refuse(
                context, status: "405 Method Not Allowed",
                "This is a CONNECT proxy. Speak HTTP/2 to the provider port, or set this address as the HTTPS proxy.",
                hasBody: request.method != "HEAD")
        }
        guard server.configuration.proxyTargets.contains(request.host),
            server.configuration.proxyPorts.contains(request.port)
        else {
            let hosts = server.configuration.proxyTargets.sorted().joined(separator: ", ")
            server.log(.proxyTarget, of: context.channel, ["target": "\(request.target)"])
            return refuse(
                context, status: "403 Forbidden",
                "Pushcote opens no outgoing connections. Accepted targets: \(hosts); ports "
                    + server.configuration.proxyPorts.sorted().map(String.init).joined(separator: ", ") + ".")
        }
        description.connectTarget = request.host
        handOver(received, context) {
            let handler = try makeNext()
            context.send(Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8))
            return [handler]
        }
    }

    private func makeNext() throws -> any ChannelHandler {
        let (server, description, loop) = (server, description, loop)
        let serve = { try server.makeTLSHandler(for: description, on: loop) }
        guard let tlsFault else { return try serve() }
        return AcceptFaultHandler(tlsFault, server: server, description: description, loop: loop, next: serve)
    }

    private func refuse(_ context: ChannelHandlerContext, status: String, _ why: String, hasBody: Bool = true) {
        isRefused = true
        let body = why + "\n"
        let head = "HTTP/1.1 \(status)\r\ncontent-type: text/plain\r\ncontent-length: \(body.utf8.count)\r\n"
        context.send(Array((head + "connection: close\r\n\r\n" + (hasBody ? body : "")).utf8))
        context.closeHalf()
    }

    func checkTimeouts(at now: Int64) {
        guard !isRefused, now - since >= server.timeouts.handshake else { return }
        server.attacks.add(.slowHandshake)
        close()
    }
}

/// The head of a CONNECT request (RFC 9110 §9.3.6).
struct ConnectRequest: Equatable {
    /// In bytes. Real heads have one line and a few fields at most.
    static let maximumByteCount = 8192

    var method: String
    /// `host:port` as sent.
    var target: String
    /// In lower case, without a final dot.
    var host: String
    /// -1 when it is no number.
    var port: Int

    enum Outcome: Equatable {
        case incomplete
        case malformed(String)
        case complete(ConnectRequest, byteCount: Int)
    }

    /// The detail in the response to anything else.
    static let expected = "Not an HTTP/1.1 request: expected 'CONNECT api.push.apple.com:443 HTTP/1.1'."

    /// Ignores the header fields.
    static func parse(_ bytes: some RandomAccessCollection<UInt8>) -> Outcome {
        let end: [UInt8] = [13, 10, 13, 10]
        var offset = 0
        var matched = 0
        for byte in bytes.prefix(maximumByteCount) {
            offset += 1
            matched = byte == end[matched] ? matched + 1 : (byte == 13 ? 1 : 0)
            if matched == end.count { return parse(head: bytes.prefix(offset), byteCount: offset) }
        }
        return bytes.count < maximumByteCount
            ? .incomplete : .malformed("The request head is longer than \(maximumByteCount) bytes.")
    }

    private static func parse(head: some RandomAccessCollection<UInt8>, byteCount: Int) -> Outcome {
        let line = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
        let words = line.split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return .malformed(expected) }
        let target = words[1]
        let host = target.lastIndex(of: ":").map { target[..<$0] }
        let port = target.dropFirst(host.map { $0.count + 1 } ?? target.count)
        // RFC 9110 §9.3.6; there is no default port.
        guard words[0] != "CONNECT" || !port.isEmpty && port.allSatisfy(\.isNumber) else {
            return .malformed("CONNECT needs a port: 'CONNECT \(host ?? target):443'.")
        }
        let request = ConnectRequest(
            method: String(words[0]), target: String(target), host: canonical(String(host ?? target)),
            port: Int(port) ?? -1)
        return .complete(request, byteCount: byteCount)
    }

    static func canonical(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

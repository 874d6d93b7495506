internal import HTTP2Engine
internal import Logging
internal import NIOCore
internal import TLSEngine

extension ConnectionHandler {
    /// HTTP/2 cannot go on: GOAWAY leaves if there is one, then the socket closes.
    func fail(_ error: HTTP2Error) {
        server.logger.debug("HTTP/2 ended", metadata: ["error": "\(error)"])
        closeAfterFlush()
    }

    /// The client is not welcome: it learns why as soon as it has introduced itself. No stream counts as processed, as
    /// with APNs.
    func dismiss(_ debugData: [UInt8]) {
        try? session?.submitGoAway(.noError, lastStream: 0, debugData: debugData)
        server.logger.warning(
            "Connection refused by its client certificate",
            metadata: [
                "peer": "\(context?.remoteAddress?.text ?? "")",
                "reason": "\(String(decoding: debugData, as: UTF8.self))",
            ])
        closeAfterFlush()
    }

    /// TLS cannot go on: its alert leaves, then the socket closes.
    func refuse(_ error: TLSError) {
        if error.kind == .handshakeFlood { note(.handshakeFlood) }
        let peer: Logger.MetadataValue = "\(context?.remoteAddress?.text ?? "")"
        if case .clearText(let firstBytes) = error.kind {
            server.logger.warning(
                "Clear text on the TLS port: use https, or the clear-text port",
                metadata: ["peer": peer, "bytes": "\(PrefaceRefusal.printable(firstBytes))"])
            let answer = PrefaceRefusal(firstBytes: firstBytes, settings: server.configuration.http2).bytes
            if let context {
                context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: answer)), promise: nil)
            }
        } else {
            server.logger.info("TLS failed", metadata: ["peer": peer, "error": "\(error)"])
        }
        closeAfterFlush()
    }

    /// The client does not speak HTTP/2: it gets APNs' GOAWAY, which names what it sent.
    func refusePreface(_ bytes: RawSpan) {
        let first = bytes.withUnsafeBytes { Array($0.prefix(PrefaceRefusal.shownByteCount)) }
        server.logger.warning(
            "HTTP/1.1 where APNs speaks HTTP/2 only: switch the client to HTTP/2, or use the clear-text port",
            metadata: [
                "peer": "\(context?.remoteAddress?.text ?? "")", "bytes": "\(PrefaceRefusal.printable(first))",
            ])
        isInTurn = false
        flush()
        writePlaintext(PrefaceRefusal(firstBytes: first, settings: nil).bytes)
        writeCiphertext()
        closeAfterFlush()
    }
}

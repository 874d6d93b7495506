package import NIOCore
package import TLSEngine

/// TLS on a client's socket: the handlers behind it read and write plaintext.
///
/// What they write before the handshake is done waits for it. `errorCaught` reports a `Failure` before the socket is
/// closed.
package final class TLSClientHandler: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer
    package typealias OutboundIn = ByteBuffer
    package typealias OutboundOut = ByteBuffer

    /// The event after the handshake.
    package struct Established: Sendable {
        /// ALPN; nil when the server selected none.
        package let selectedProtocol: String?
    }

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let client: TLSClientContext
    private let host: String
    private var tls: TLSConnection?
    private var isEstablished = false
    private var waiting: [(bytes: ByteBuffer, promise: EventLoopPromise<Void>?)] = []

    /// - Parameter host: A name or an address, which the server's certificate must have.
    package init(_ client: TLSClientContext, host: String) { (self.client, self.host) = (client, host) }

    package func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        do throws(TLSError) {
            tls = try client.connect(to: host)
            try receive(ByteBuffer(), context)
        } catch {
            fail(error, context)
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        do throws(TLSError) {
            try receive(unwrapInboundIn(data), context)
        } catch {
            fail(error, context)
        }
    }

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        guard isEstablished, let tls else { return waiting.append((bytes, promise)) }
        do throws(TLSError) {
            try tls.send(bytes.readableBytesSpan)
            writeOutput(context, promise)
        } catch {
            promise?.fail(error)
            fail(error, context)
        }
    }

    package func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        tls?.close()
        writeOutput(context, nil)
        context.flush()
        context.close(mode: mode, promise: promise)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        for (_, promise) in waiting { promise?.fail(ChannelError.ioOnClosedChannel) }
        waiting = []
    }

    private func receive(_ ciphertext: ByteBuffer, _ context: ChannelHandlerContext) throws(TLSError) {
        guard let tls else { return }
        var plaintext: [UInt8] = []
        let progress = try tls.receive(ciphertext.readableBytesSpan, into: &plaintext)
        writeOutput(context, nil)
        context.flush()
        if !isEstablished, let handshake = tls.handshake {
            isEstablished = true
            context.fireUserInboundEventTriggered(Established(selectedProtocol: handshake.selectedProtocol))
            for (bytes, promise) in waiting { write(context: context, data: wrapOutboundOut(bytes), promise: promise) }
            waiting = []
            context.flush()
        }
        if !plaintext.isEmpty {
            context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: plaintext)))
        }
        if progress == .closed { context.close(promise: nil) }
    }

    private func writeOutput(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        let output = tls?.takeOutput() ?? []
        guard !output.isEmpty else {
            promise?.succeed()
            return
        }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: output)), promise: promise)
    }

    private func fail(_ error: TLSError, _ context: ChannelHandlerContext) {
        // The alert.
        writeOutput(context, nil)
        context.flush()
        let reason = tls?.distrust.map { "the certificate is not trusted: \($0)" } ?? "\(error)"
        context.fireErrorCaught(Failure(description: reason))
        context.close(promise: nil)
    }
}

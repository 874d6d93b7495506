internal import NIOCore

/// Makes lines of a process's standard output.
///
/// - Note: Confined to the host's event loop.
final class OutputHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let process: ExtensionProcess
    private var lines: LineSplitter

    init(_ process: ExtensionProcess) {
        self.process = process
        lines = LineSplitter(maximumByteCount: process.settings.maximumMessageByteCount)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        if process.isIgnored { return }
        lines.append(&bytes)
        do throws(LineSplitter.TooLong) {
            while let line = try lines.next() { process.receive(line) }
        } catch {
            process.breaksProtocol(
                "a line is longer than \(process.settings.maximumMessageByteCount) bytes: end each message with a line break, "
                    + "and pass pictures as files")
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { process.receiveComplete() }

    func channelInactive(context: ChannelHandlerContext) {
        if !process.isIgnored, let line = lines.remainder() { process.receive(line) }
        process.receiveComplete()
        process.hasClosed(context.channel)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Keeps the end of a process's standard error.
///
/// - Note: Confined to the host's event loop.
final class ErrorHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let process: ExtensionProcess

    init(_ process: ExtensionProcess) { self.process = process }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { process.receiveError(unwrapInboundIn(data)) }

    func channelInactive(context: ChannelHandlerContext) { process.hasClosed(context.channel) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

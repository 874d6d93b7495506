package import NIOCore
internal import NIOPosix
internal import RequestWire
package import TLSEngine

/// A TCP client that sends and expects raw bytes, including those that no library would send.
/// A wait without progress for `Patience.limit` throws `OutOfPatience`, which names the expected event and the line.
package final class RawClient {
    private var inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
    private let outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>
    /// Received bytes not yet consumed.
    private var buffer: [UInt8] = []
    /// nil while bytes are in clear text.
    private var tls: TLSConnection?
    /// The channel closes when it times out.
    private let waiting: WaitNote
    /// The last frame returned, for failure messages.
    private var lastFrame: SentFrame?

    private init(
        inbound: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
        outbound: NIOAsyncChannelOutboundWriter<ByteBuffer>, waiting: WaitNote
    ) {
        self.inbound = inbound
        self.outbound = outbound
        self.waiting = waiting
    }

    /// Connects to loopback, runs `body`, and closes.
    /// - Parameter patience: the timeout of a wait without progress.
    package static func withConnection<Result>(
        to port: Int, host: String = "127.0.0.1", patience: Duration = Patience.limit,
        _ body: (RawClient) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        let waiting = WaitNote(patience: patience)
        let guardian = guardian(of: waiting, channel.channel)
        defer { guardian.cancel() }
        return try await channel.executeThenClose { inbound, outbound in
            try await body(
                RawClient(inbound: inbound.makeAsyncIterator(), outbound: outbound, waiting: waiting))
        }
    }

    /// As `withConnection`, but never reads; all of it must end within `Patience.limit`.
    package static func withSilentConnection<Result>(
        to port: Int, file: StaticString = #fileID, line: Int = #line, _ body: (any Channel) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .connect(host: "127.0.0.1", port: port).get()
        let waiting = WaitNote(patience: Patience.limit)
        waiting.begin()
        let guardian = guardian(of: waiting, channel)
        defer {
            guardian.cancel()
            channel.close(promise: nil)
        }
        let result = try await body(channel)
        guard !waiting.hasRunOut else {
            let awaited = "the end of a connection that reads nothing"
            throw OutOfPatience(awaited, Patience.limit, file: file, line: line)
        }
        return result
    }

    /// Closes a channel when a wait times out.
    private static func guardian(of waiting: WaitNote, _ channel: any Channel) -> RepeatedTask {
        let pause = TimeAmount(min(waiting.patience / 4, .seconds(1)))
        return channel.eventLoop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { _ in
            if waiting.runsOut() { channel.close(promise: nil) }
        }
    }

    /// Starts TLS; returns when the client's side of the handshake is complete.
    package func startTLS(
        _ client: TLSClient = TLSClient(), file: StaticString = #fileID, line: Int = #line
    ) async throws {
        let tls = try client.connect()
        self.tls = tls
        _ = try tls.receive([UInt8]().span.bytes, into: &buffer)
        try await sendCiphertext()
        while tls.handshake == nil, try await readMore(for: "the end of the TLS handshake", file, line) {}
    }

    package func send(_ bytes: [UInt8]) async throws {
        guard let tls else { return try await write(bytes) }
        try tls.send(bytes.span.bytes)
        try await sendCiphertext()
    }

    private func sendCiphertext() async throws {
        guard let bytes = tls?.takeOutput(), !bytes.isEmpty else { return }
        try await write(bytes)
    }

    private func write(_ bytes: [UInt8]) async throws {
        waiting.begin()
        defer { waiting.end() }
        try await outbound.write(ByteBuffer(bytes: bytes))
    }

    /// Runs `body` on the TLS connection and sends the resulting bytes.
    package func handshake(_ body: (TLSConnection) -> Void) async throws {
        guard let tls else { return }
        body(tls)
        try await sendCiphertext()
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Waits for at least one frame and returns all complete frames; empty when the peer closed.
    package func frames(
        for awaited: @autoclosure () -> String = "a frame", file: StaticString = #fileID, line: Int = #line
    ) async throws -> [SentFrame] {
        while true {
            let frames = SentFrame.all(in: buffer)
            if !frames.isEmpty {
                buffer.removeFirst(frames.reduce(0) { $0 + 9 + $1.payload.count })
                lastFrame = frames.last
                return frames
            }
            guard try await readMore(for: awaited(), file, line) else { return [] }
        }
    }

    /// Waits for a matching frame and discards earlier ones.
    /// - Parameter awaited: its name in a failure.
    /// - Returns: nil when the peer closed.
    package func frame(
        for awaited: @autoclosure () -> String = "the frame of this line", file: StaticString = #fileID,
        line: Int = #line, where matches: (SentFrame) -> Bool
    ) async throws -> SentFrame? {
        while true {
            let next = try await frames(for: awaited(), file: file, line: line)
            if next.isEmpty { return nil }
            if let index = next.firstIndex(where: matches) {
                buffer = next[(index + 1)...].flatMap(\.bytes) + buffer
                return next[index]
            }
        }
    }

    package func rest(file: StaticString = #fileID, line: Int = #line) async throws -> [UInt8] {
        while try await readMore(for: "the end of the connection", file, line) {}
        return buffer
    }

    /// Everything until the peer closes; throws the error of a reset.
    package func restOrReset() async throws -> [UInt8] {
        while let chunk = try await inbound.next() { buffer += chunk.readableBytesView }
        return buffer
    }

    /// Reads text until it contains `end` or the peer closes.
    package func text(
        until end: String, file: StaticString = #fileID, line: Int = #line
    ) async throws -> String {
        while !String(decoding: buffer, as: UTF8.self).contains(end),
            try await readMore(for: end.debugDescription, file, line)
        {}
        defer { buffer = [] }
        return String(decoding: buffer, as: UTF8.self)
    }

    private func readMore(
        for awaited: @autoclosure () -> String, _ file: StaticString, _ line: Int
    ) async throws -> Bool {
        waiting.begin()
        defer { waiting.end() }
        // A reset by the server ends the byte stream just as a close does.
        guard let chunk = try? await inbound.next() else {
            guard waiting.hasRunOut else { return false }
            let last = lastFrame.map { "the last frame was of type \($0.type) on stream \($0.stream)" }
            throw OutOfPatience(awaited(), waiting.patience, file: file, line: line, last ?? "")
        }
        guard let tls else {
            buffer += chunk.readableBytesView
            return true
        }
        _ = try tls.receive(Array(chunk.readableBytesView).span.bytes, into: &buffer)
        try await sendCiphertext()
        return true
    }
}

internal import DeviceSimulator
internal import Gateway
internal import NIOCore

/// Sends the feed to one reader until the gateway stops or the connection ends.
struct EventStream {
    /// Idle streams send heartbeats, so that both ends notice a lost connection.
    static let beatInterval = Duration.seconds(15)

    private let reader: FeedReader
    private let view: StreamView
    private let gateway: Gateway
    private var number: UInt64
    private var sentAt: ContinuousClock.Instant

    init(_ reader: FeedReader, _ view: StreamView) {
        self.reader = reader
        self.view = view
        gateway = reader.feed.gateway
        number = reader.start
        sentAt = reader.feed.now()
    }

    private var feed: EventFeed { reader.feed }

    private var position: FeedPosition { FeedPosition(run: feed.run, number: number) }

    /// - Parameter write: Suspends while the client does not read.
    mutating func run(_ write: (ByteBuffer) async throws -> Void) async throws {
        try await greet(write)
        if try await drain(write) { return }
        for await _ in reader.wakeUps {
            if try await drain(write) { return }
        }
    }

    mutating func greet(_ write: (ByteBuffer) async throws -> Void) async throws {
        let reader = reader
        // After another run, a gap follows.
        let first = FeedPosition(run: feed.run, number: number == .max ? 0 : number)
        try await send(write) { $0.hello(reader, at: first) }
    }

    /// Sends everything after the position, or a heartbeat if nothing was sent for a while.
    /// - Returns: Whether the stream is over.
    mutating func drain(_ write: (ByteBuffer) async throws -> Void) async throws -> Bool {
        while true {
            switch feed.next(after: number) {
            case .upToDate:
                guard feed.now() - sentAt >= Self.beatInterval else { return false }
                let position = position
                try await send(write) { $0.beat(at: position) }
            case .message(let message):
                number += 1
                let position = position
                try await send(write) { $0.event(message, at: position) }
            case .gap(let last, let notification):
                number = last
                let position = position
                try await send(write) { $0.event(.gap(next: notification), at: position) }
            case .stopping:
                try await write(ByteBuffer(bytes: view.stopping(at: position)))
                return true
            }
        }
    }

    /// Waits until the journal has stored everything that is sent, so that a crash cannot undo it.
    /// - Throws: After a rollback; the client connects again, and has a gap.
    private mutating func send(
        _ write: (ByteBuffer) async throws -> Void, _ text: (StreamView) -> [UInt8]?
    ) async throws {
        let rollbackCount = gateway.keeper?.rollbackCount ?? 0
        guard let bytes = text(view) else { return }
        if let keeper = gateway.keeper, await keeper.awaitOutcome(since: rollbackCount) != .written {
            throw CancellationError()
        }
        try await write(ByteBuffer(bytes: bytes))
        sentAt = feed.now()
    }
}

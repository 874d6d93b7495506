internal import DeviceSimulator
internal import Gateway
internal import ServiceLifecycle
internal import Synchronization

/// Reads what changes on the gateway while a stream is open, and stores the latest messages for all readers.
///
/// Reads at most every `interval`, so a flood of pushes causes few messages; the first push after a pause is reported at
/// once. A reader has no queue of its own, only its position in the ring: one that reads too slowly has a gap.
package final class EventFeed: Service, CustomStringConvertible {
    static let interval = Duration.milliseconds(100)
    /// How long messages are retained after the last reader disconnects.
    static let retention = Duration.seconds(60)
    static let maximumReaderCount = 16
    /// How often readers check whether a heartbeat is due.
    private static let wakeInterval = Duration.seconds(1)

    struct State {
        var ring = FeedRing<FeedMessage>()
        /// nil without readers, once `retention` is over.
        var cursor: FeedCursor?
        var readers: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var lastReader: UInt64 = 0
        var leftAt: ContinuousClock.Instant
        var wokenAt: ContinuousClock.Instant
        var isStopping = false
    }

    let gateway: Gateway
    /// 24 bits.
    let run: UInt32
    let now: @Sendable () -> ContinuousClock.Instant
    private let clock = ContinuousClock()
    private let state: Mutex<State>
    private let starts = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// - Parameter run: Random for each start; 24 bits count.
    init(
        _ gateway: Gateway, run: UInt32,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock.now }
    ) {
        self.gateway = gateway
        self.run = run & 0xFF_FFFF
        self.now = now
        state = Mutex(State(leftAt: now(), wokenAt: now()))
    }

    package var description: String { "EventFeed" }

    var readerCount: Int { state.withLock { $0.readers.count } }

    // MARK: Readers

    /// - Parameter position: The message to continue after; nil begins now.
    /// - Throws: 503 when there are too many readers, or the gateway is stopping.
    func open(after position: FeedPosition? = nil) throws(AdminError) -> FeedReader {
        let (wakeUps, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let reader = try state.withLock { state throws(AdminError) in
            if state.isStopping { throw .unavailable("The gateway is stopping.") }
            guard state.readers.count < Self.maximumReaderCount else {
                throw .unavailable(
                    "\(Self.maximumReaderCount) event streams are open, the most at a time; close one.")
            }
            // A new reader gets no earlier changes.
            let notification = state.read(gateway, at: now())
            state.lastReader += 1
            state.readers[state.lastReader] = continuation
            let start = position.map { $0.run == run ? $0.number : .max } ?? state.ring.last
            return FeedReader(self, state.lastReader, start: start, notification: notification, wakeUps)
        }
        starts.continuation.yield()
        return reader
    }

    func leave(_ number: UInt64) {
        let continuation = state.withLock { state in
            state.leftAt = now()
            return state.readers.removeValue(forKey: number)
        }
        continuation?.finish()
    }

    enum Step {
        case message(FeedMessage)
        case upToDate
        /// Messages were evicted; continue after `last`.
        case gap(last: UInt64, notification: UInt64)
        case stopping
    }

    func next(after number: UInt64) -> Step {
        state.withLock { state in
            if state.isStopping { return .stopping }
            switch state.ring.next(after: number) {
            case .message(let message): return .message(message)
            case .upToDate: return .upToDate
            case .gap: return .gap(last: state.ring.last, notification: state.cursor?.notification ?? 0)
            }
        }
    }

    // MARK: Reading

    /// Ends all streams.
    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wake(at: now())
        }
    }

    package func run() async throws {
        for await _ in starts.stream.cancelOnGracefulShutdown() {
            var latest: UInt64?
            while true {
                // Before reading, so that no change is missed.
                let count = gateway.simulator.changeCount
                guard let hasReaders = tick() else { break }
                if hasReaders, count == latest {
                    await gateway.simulator.awaitChange(
                        after: count, .init(device: nil, topic: nil, isPoll: false), for: Self.interval)
                } else {
                    try await clock.sleep(for: Self.interval)
                }
                latest = count
            }
        }
    }

    /// Reads the changes since the last call.
    /// - Returns: Whether there are readers; nil once `retention` is over, and reading stops.
    func tick() -> Bool? {
        state.withLock { state in
            let now = now()
            guard state.cursor != nil, !state.isStopping else { return nil }
            guard state.readers.isEmpty else {
                _ = state.read(gateway, at: now)
                if now - state.wokenAt >= Self.wakeInterval { state.wake(at: now) }
                return true
            }
            // The store records changes meanwhile; one message will report them.
            guard now - state.leftAt >= Self.retention else { return false }
            gateway.simulator.ignoreChanges()
            state.ring.clear()
            state.cursor = nil
            return nil
        }
    }
}

extension EventFeed.State {
    /// - Returns: The newest notification.
    fileprivate mutating func read(_ gateway: Gateway, at now: ContinuousClock.Instant) -> UInt64 {
        guard var cursor else {
            ring.clear()
            let fresh = FeedCursor(gateway, at: now)
            cursor = fresh
            return fresh.notification
        }
        let messages = cursor.read(gateway, at: now)
        self.cursor = cursor
        for message in messages { ring.append(message, byteCount: message.byteCount) }
        if !messages.isEmpty { wake(at: now) }
        return cursor.notification
    }

    fileprivate mutating func wake(at now: ContinuousClock.Instant) {
        wokenAt = now
        for reader in readers.values { reader.yield() }
    }
}

/// One of the feed's readers; it leaves the feed when it is deallocated.
final class FeedReader: Sendable {
    let feed: EventFeed
    /// The message to continue after.
    let start: UInt64
    /// The newest notification when the reader connected.
    let notification: UInt64
    /// Yields when there may be something to send; for one listener.
    let wakeUps: AsyncStream<Void>
    private let number: UInt64

    init(
        _ feed: EventFeed, _ number: UInt64, start: UInt64, notification: UInt64, _ wakeUps: AsyncStream<Void>
    ) {
        self.feed = feed
        self.number = number
        self.start = start
        self.notification = notification
        self.wakeUps = wakeUps
    }

    deinit { feed.leave(number) }
}

/// The latest messages of the feed, numbered from 1 without gaps.
package struct FeedRing<Message: Sendable>: Sendable {
    package enum Step: Sendable {
        case message(Message)
        case upToDate
        /// The next message was evicted, or the position is of another ring; continue after `last`.
        case gap
    }

    package static var maximumCount: Int { 512 }
    package static var maximumByteCount: Int { 4 << 20 }

    private var entries: [(message: Message, byteCount: Int)] = []
    private var byteCount = 0
    /// The newest message, or the newest evicted one.
    package private(set) var last: UInt64 = 0

    package init() {}

    /// Evicts the oldest messages beyond the limits, but never the new one.
    package mutating func append(_ message: Message, byteCount size: Int) {
        last += 1
        entries.append((message, size))
        byteCount += size
        while entries.count > Self.maximumCount || byteCount > Self.maximumByteCount, entries.count > 1 {
            byteCount -= entries.removeFirst().byteCount
        }
    }

    /// Evicts everything. Every earlier position has a gap, even the newest: changes may be missed meanwhile.
    package mutating func clear() {
        last += 1
        entries = []
        byteCount = 0
    }

    /// The message after a number; 0 precedes all.
    package func next(after number: UInt64) -> Step {
        let lost = last - UInt64(entries.count)
        guard number >= lost, number <= last else { return .gap }
        return number == last ? .upToDate : .message(entries[Int(number - lost)].message)
    }
}

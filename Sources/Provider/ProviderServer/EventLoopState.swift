internal import NIOCore

/// State shared by an event loop's connections and confined to that loop.
final class EventLoopState {
    /// Decrypted bytes of the current turn; idle connections own no buffer.
    var plaintext: [UInt8] = []
    /// Frames of the current turn.
    var frames: [UInt8] = []
    /// Monotonic milliseconds; at most `Timeouts.interval` old.
    var now: Int64 { isPolling ? polledAt : Self.milliseconds }
    private var polledAt: Int64 = 0
    private let eventLoop: any EventLoop
    private let timeouts: Timeouts
    private var isPolling = false
    private(set) var connections: [ObjectIdentifier: any ClientHandler] = [:]
    private var whenEmpty: EventLoopPromise<Void>?

    init(eventLoop: any EventLoop, timeouts: Timeouts) {
        self.eventLoop = eventLoop
        self.timeouts = timeouts
    }

    func insert(_ connection: any ClientHandler) {
        connections[ObjectIdentifier(connection)] = connection
        if !isPolling { poll() }
    }

    private static var milliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Polls every connection's timeouts periodically while any are open.
    private func poll() {
        polledAt = Self.milliseconds
        for connection in connections.values { connection.checkTimeouts(at: polledAt) }
        isPolling = !connections.isEmpty
        guard isPolling else { return }
        eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(timeouts.interval)) { self.poll() }
    }

    func remove(_ connection: any ClientHandler) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { whenEmpty.take()?.succeed() }
    }

    /// Shuts every connection down gracefully; completes when the last one closes.
    func stop() -> EventLoopFuture<Void> {
        guard !connections.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        whenEmpty = promise
        for connection in connections.values { connection.stop() }
        return promise.futureResult
    }

    func closeAll() {
        for connection in connections.values { connection.close() }
    }
}

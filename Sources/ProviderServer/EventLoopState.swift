internal import HTTP2Engine
internal import NIOCore

/// What the connections of one event loop share. Confined to that loop.
final class EventLoopState {
    /// Decrypted bytes of the turn that is running; a connection at rest owns no buffer.
    var plaintext: [UInt8] = []
    /// Frames of the turn that is running.
    var frames: [UInt8] = []
    /// Milliseconds since the machine started; not older than `Timeouts.interval`.
    var now: Int64 { isLooking ? seen : Self.milliseconds }
    private var seen: Int64 = 0
    private let eventLoop: any EventLoop
    private let timeouts: Timeouts
    private var isLooking = false
    private(set) var connections: [ObjectIdentifier: any StoppableConnection] = [:]
    private var whenEmpty: EventLoopPromise<Void>?

    init(eventLoop: any EventLoop, timeouts: Timeouts) {
        self.eventLoop = eventLoop
        self.timeouts = timeouts
    }

    func insert(_ connection: any StoppableConnection) {
        connections[ObjectIdentifier(connection)] = connection
        if !isLooking { look() }
    }

    private static var milliseconds: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    /// Lets every connection see whether its time has run out, again and again while there are any.
    private func look() {
        seen = Self.milliseconds
        for connection in connections.values { connection.look(at: seen) }
        isLooking = !connections.isEmpty
        guard isLooking else { return }
        eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(timeouts.interval)) { self.look() }
    }

    func remove(_ connection: any StoppableConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { whenEmpty.take()?.succeed() }
    }

    /// Asks every connection to end in good order.
    /// - Returns: Done when the last one is gone.
    func stop() -> EventLoopFuture<Void> {
        guard !connections.isEmpty else { return eventLoop.makeSucceededVoidFuture() }
        let promise = eventLoop.makePromise(of: Void.self)
        whenEmpty = promise
        for connection in connections.values { connection.stop() }
        return promise.futureResult
    }

    /// Closes what is left when the grace period is over.
    func closeAll() {
        for connection in connections.values { connection.close() }
    }
}

/// A connection that can be asked to end.
protocol StoppableConnection: AnyObject {
    /// Finishes what is open, then closes.
    func stop()
    /// Closes at once.
    func close()
    /// Sees whether its time has run out; `now` is in milliseconds.
    func look(at now: Int64)
}

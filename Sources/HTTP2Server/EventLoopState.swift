internal import NIOCore

/// What the connections of one event loop share. Confined to that loop.
final class EventLoopState {
    /// Decrypted bytes of the turn that is running; a connection at rest owns no buffer.
    var plaintext: [UInt8] = []
    /// Frames of the turn that is running.
    var frames: [UInt8] = []
    private(set) var connections: [ObjectIdentifier: any StoppableConnection] = [:]
    private var whenEmpty: EventLoopPromise<Void>?

    func insert(_ connection: any StoppableConnection) {
        connections[ObjectIdentifier(connection)] = connection
    }

    func remove(_ connection: any StoppableConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if connections.isEmpty { whenEmpty.take()?.succeed() }
    }

    /// Asks every connection to end in good order.
    /// - Returns: Done when the last one is gone.
    func stop(on eventLoop: any EventLoop) -> EventLoopFuture<Void> {
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
}

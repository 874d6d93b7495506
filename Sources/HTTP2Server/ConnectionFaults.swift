internal import NIOCore

/// What faults have made of a connection.
struct ConnectionFaults {
    /// Streams that are never answered.
    var abandoned: Set<Int32> = []
    /// Nothing is read or written any more, though the socket is open.
    var isSilent = false
    /// GOAWAY was sent and nothing else changed: new streams are refused, whatever limit is announced.
    var isLingering = false
    /// GOAWAY was sent with this last stream; the connection ends once the streams up to it are answered.
    var lastPromised: Int32?
    /// What is to be done later.
    private var timers: [Int: Scheduled<Void>] = [:]
    private var lastTimer = 0

    /// - Returns: The timer's name, for `forget`.
    mutating func nextTimer() -> Int {
        lastTimer += 1
        return lastTimer
    }

    mutating func keep(_ timer: Scheduled<Void>, as name: Int) { timers[name] = timer }

    mutating func forget(_ name: Int) { timers[name] = nil }

    /// Nothing is done later any more.
    mutating func cancel() {
        for timer in timers.values { timer.cancel() }
        timers = [:]
    }
}

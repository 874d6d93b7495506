internal import NIOCore

struct ConnectionFaults {
    /// Streams that are never answered.
    var abandoned: Set<Int32> = []
    /// Nothing is read or written any more, though the socket is open.
    var isSilent = false
    /// GOAWAY was sent and nothing else changed: new streams are refused, whatever limit is announced.
    var isLingering = false
    /// GOAWAY was sent; the connection ends once the streams up to the last one are answered.
    var isEnding = false
    /// The highest stream whose request was processed, and the highest one before the latest request.
    private(set) var processed: (last: Int32, before: Int32) = (0, 0)
    /// The last request, while a GOAWAY waits for a time without any.
    var idleSince: NIODeadline?
    /// What is to be done later.
    private var timers: [Int: Scheduled<Void>] = [:]
    private var lastTimer = 0

    /// A request is handed over.
    mutating func process(_ stream: Int32) {
        if idleSince != nil { idleSince = .now() }
        processed = (max(processed.last, stream), processed.last)
    }

    /// The latest request is not processed after all.
    mutating func disown(_ stream: Int32) {
        if processed.last == stream { processed.last = processed.before }
    }

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

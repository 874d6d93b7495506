import Glibc

/// The CPU time of one thread, readable from any thread while it lives.
struct ThreadClock: Sendable {
    private let id: clockid_t

    /// - Returns: The clock of the calling thread.
    static var ofThisThread: Self {
        var id = clockid_t()
        let status = pthread_getcpuclockid(pthread_self(), &id)
        precondition(status == 0, "a running thread has a clock: error \(status)")
        return Self(id: id)
    }

    /// The CPU time used so far.
    var nanoseconds: Int {
        var time = timespec()
        clock_gettime(id, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

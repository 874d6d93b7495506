internal import APNs

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// The wall clock, read nowhere else.
enum SystemClock {
    @Sendable static func now() -> Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// Whole seconds since 1970.
    @Sendable static func seconds() -> Int64 { now().milliseconds / 1000 }
}

@preconcurrency internal import Foundation

/// What the extension has set in `UserDefaults`, of whatever suite. iOS writes it by itself; Foundation on Linux writes only what
/// somebody synchronizes.
enum Defaults {
    /// Writes what is not written yet.
    ///
    /// Only as the process ends: Core Foundation forgets what it knows, and another thread may be using that.
    static func write() { flushPreferences() }

    /// Has it written by `exit` and by SIGTERM.
    static func writeAtTheEnd() {
        atexit { Defaults.write() }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        bell = ends[1]
        // The main thread, which `dispatchMain` parks, takes every signal, so that nobody can wait for one with `sigwait`.
        signal(SIGTERM) { _ in _ = Foundation.write(bell, "!", 1) }
        Thread.detachNewThread { [bell = ends[0]] in
            var byte: UInt8 = 0
            while read(bell, &byte, 1) < 0, errno == EINTR {}
            write()
            fflush(nil)
            // It ends the process as if nobody had caught it.
            signal(SIGTERM, SIG_DFL)
            kill(getpid(), SIGTERM)
        }
    }
}

/// Where the handler of SIGTERM rings.
///
/// `nonisolated(unsafe)`: set before there is a handler, and never changed again.
private nonisolated(unsafe) var bell: Int32 = -1

// Foundation on Linux exports it and declares it nowhere; it takes nothing and returns nothing, as in C.
@_silgen_name("CFPreferencesFlushCaches") private func flushPreferences()

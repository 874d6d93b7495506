internal import CProcess
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Sees processes end, and only those that it was told of: other children of this program are left alone.
final class Reaper: Sendable {
    private struct Watch {
        var child: ChildHandle
        var hasEnded: @Sendable (ExitStatus) -> Void
    }

    private struct State {
        var watches: [CInt: Watch] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())
    /// What is written to the second comes out of the first and ends a `poll`.
    private let bell: (read: CInt, write: CInt)

    /// - Throws: `LaunchError` when the system has no descriptors left.
    init() throws(LaunchError) {
        var ends: [CInt] = [-1, -1]
        guard pipe2(&ends, O_CLOEXEC | O_NONBLOCK) == 0 else {
            throw LaunchError("cannot watch processes: raise the gateway's limit of open files")
        }
        bell = (ends[0], ends[1])
    }

    deinit {
        close(bell.read)
        close(bell.write)
    }

    /// Reports the end of a process, once, from `run()`'s thread.
    func watch(_ child: ChildHandle, hasEnded: @escaping @Sendable (ExitStatus) -> Void) {
        state.withLock { $0.watches[child.endDescriptor] = Watch(child: child, hasEnded: hasEnded) }
        ring()
    }

    /// Lets `run()` return.
    func stop() {
        state.withLock { $0.isStopped = true }
        ring()
    }

    private func ring() {
        var byte: UInt8 = 0
        // A full pipe rings as well.
        _ = write(bell.write, &byte, 1)
    }

    /// Blocks its thread until `stop()`.
    func run() {
        while true {
            let (watched, isStopped) = state.withLock { (Array($0.watches.keys), $0.isStopped) }
            if isStopped { return }
            var entries = ([bell.read] + watched).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&entries, nfds_t(entries.count), -1) > 0 else { continue }
            if entries[0].revents != 0 { silence() }
            for entry in entries.dropFirst() where entry.revents != 0 {
                guard let watch = state.withLock({ $0.watches.removeValue(forKey: entry.fd) }) else { continue }
                watch.hasEnded(watch.child.reap())
            }
        }
    }

    private func silence() {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(bell.read, &bytes, bytes.count) > 0 {}
    }
}

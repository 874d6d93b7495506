internal import CProcess
internal import Foundation
internal import Synchronization

/// A thread that waits for registered children to end.
package final class ChildReaper: Sendable {
    private struct Watch {
        var child: ChildProcess
        var hasEnded: @Sendable (ChildExit) -> Void
    }

    /// An epoll instance of pidfds, which become readable when their process ends.
    private let queue: CInt
    private let watches = Mutex<[CInt: Watch]>([:])

    package init() throws(SystemError) {
        queue = epoll_create1(CInt(EPOLL_CLOEXEC))
        guard queue >= 0 else { throw SystemError(code: errno) }
        Thread.detachNewThread { self.run() }
    }

    /// Calls `hasEnded` once, on the reaper's thread.
    package func watch(
        _ child: ChildProcess, hasEnded: @escaping @Sendable (ChildExit) -> Void
    ) throws(SystemError) {
        let descriptor = shim_pidfd_open(child.pid)
        guard descriptor >= 0 else { throw SystemError(code: errno) }
        watches.withLock { $0[descriptor] = Watch(child: child, hasEnded: hasEnded) }
        add(descriptor)
    }

    /// Ends the thread; no watched process may be left.
    package func stop() { add(eventfd(1, CInt(EFD_CLOEXEC))) }

    private func add(_ descriptor: CInt) {
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data(fd: descriptor))
        epoll_ctl(queue, EPOLL_CTL_ADD, descriptor, &event)
    }

    private func run() {
        var event = epoll_event()
        while true {
            guard epoll_wait(queue, &event, 1, -1) == 1 else { continue }
            let descriptor = event.data.fd
            let watch = watches.withLock { $0.removeValue(forKey: descriptor) }
            // Before closing: a child between fork and exec may still have it open.
            epoll_ctl(queue, EPOLL_CTL_DEL, descriptor, nil)
            close(descriptor)
            guard let watch else { break }
            watch.hasEnded(watch.child.wait())
        }
        close(queue)
    }
}

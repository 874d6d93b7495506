internal import CAllocator
package import NIOCore
internal import NIOPosix

/// Memory that the process has freed and still holds: glibc by itself returns it only at the end of its heap.
package enum FreedMemory {
    /// Late, so that what is freed together is returned together.
    private static let delay = TimeAmount.seconds(1)

    /// Returns it to the system soon. Call it where much is freed.
    package static func giveBack(
        on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any(),
        then done: @escaping @Sendable () -> Void = {}
    ) {
        eventLoop.scheduleTask(in: delay) {
            // Takes milliseconds, too long for an event loop.
            NIOThreadPool.singleton.submit { _ in
                shim_malloc_trim()
                done()
            }
        }
    }
}

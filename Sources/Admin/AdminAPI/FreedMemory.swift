internal import CAllocator
internal import NIOCore
internal import NIOPosix

/// Memory that the process has freed and still holds: glibc by itself returns it only at the end of its heap.
enum FreedMemory {
    /// By then, what a request used is free, too.
    private static let delay = TimeAmount.seconds(1)

    /// Returns it to the system soon. Call it where a request frees much.
    static func giveBack() {
        MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: delay) {
            // Takes milliseconds, too long for an event loop.
            NIOThreadPool.singleton.submit { _ in shim_malloc_trim() }
        }
    }
}

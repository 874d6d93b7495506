internal import CAllocator
internal import Glibc
package import NIOCore
internal import NIOPosix

/// Memory that the process has freed and still holds: glibc by itself returns it only at the end of its heap.
package enum FreedMemory {
    /// Late, so that what is freed together is returned together.
    private static let delay = TimeAmount.seconds(1)

    /// Merges freed memory with its free neighbors at once, in the whole process. By default, glibc collects pieces of up to
    /// 128 bytes until a larger allocation merges them all, under a lock that the threads share: while 100,000 devices are
    /// freed, pushes wait 10 ms for it.
    package static func mergeAtOnce() { shim_malloc_without_fastbins() }

    /// Returns the whole pages of an array's memory to the system at once. Their contents are lost, the memory is not: it
    /// may be written again, and its owner frees it.
    package static func discard(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        let page = Int(getpagesize())
        let offset = (page - Int(bitPattern: start) % page) % page
        let count = (bytes.count - offset) / page * page
        guard count > 0 else { return }
        // A failure leaves the memory as it is.
        madvise(start + offset, count, MADV_DONTNEED)
    }

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

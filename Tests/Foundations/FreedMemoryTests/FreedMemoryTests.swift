import Foundation
import Memory
import Testing

@Suite struct FreedMemoryTests {
    @Test func `no allocation merges all that was freed before`() {
        FreedMemory.mergeAtOnce()
        let pieces = (0..<2_000_000).map { _ in UnsafeMutableRawPointer.allocate(byteCount: 48, alignment: 8) }
        // Every second one, so that none has a free neighbor.
        let freeing = Self.processorTime {
            for place in stride(from: 0, to: pieces.count, by: 2) { pieces[place].deallocate() }
        }
        let next = Self.processorTime {
            UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 8).deallocate()
        }
        for place in stride(from: 1, to: pieces.count, by: 2) { pieces[place].deallocate() }
        #expect(next < freeing / 30)
    }

    /// Of this thread, in nanoseconds.
    private static func processorTime(_ work: () -> Void) -> Int {
        func now() -> Int {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        let start = now()
        work()
        return now() - start
    }
}

internal import NIOPosix
internal import Synchronization

/// Two threads that take turns, for work whose result replaces that of the work before. Each thread has a part of glibc's heap
/// to itself: in one part, the new result would fill gaps between pieces of the former, and hold their pages.
package final class AlternatingThreads: Sendable {
    private let threads = [NIOThreadPool(numberOfThreads: 1), NIOThreadPool(numberOfThreads: 1)]
    /// How often a result was replaced.
    private let count = Atomic<Int>(0)

    package init() {
        for thread in threads { thread.start() }
    }

    package func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let result = try await threads[count.load(ordering: .relaxed) % threads.count].runIfActive(body)
        count.add(1, ordering: .relaxed)
        return result
    }
}

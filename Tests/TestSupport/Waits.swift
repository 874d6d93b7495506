import Synchronization

/// Tasks that wait for conditions. A cancelled wait returns, so that a test's time limit ends it.
package final class Waits: Sendable {
    private struct Waiter {
        let isMet: @Sendable () -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let waiters = Mutex<(last: Int, pending: [Int: Waiter])>((0, [:]))

    package init() {}

    /// Waits until `isMet` holds at a call of `check`, or already.
    package func wait(until isMet: @escaping @Sendable () -> Bool) async {
        let number = waiters.withLock { waiters in
            waiters.last += 1
            return waiters.last
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                waiters.withLock { $0.pending[number] = Waiter(isMet: isMet, continuation: continuation) }
                check()
                if Task.isCancelled { end(number) }
            }
        } onCancel: {
            end(number)
        }
    }

    /// Resumes the waits whose condition holds now. Not while a lock is held that a condition needs.
    package func check() {
        for (number, waiter) in waiters.withLock(\.pending) where waiter.isMet() { end(number) }
    }

    private func end(_ number: Int) {
        waiters.withLock { $0.pending.removeValue(forKey: number) }?.continuation.resume()
    }
}

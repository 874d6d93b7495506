internal import Synchronization

extension JournalKeeper {
    /// nil while the outcome is open.
    package func outcome(of position: UInt64) -> JournalOutcome? {
        // In this order: a loss is recorded before any later input is written.
        let written = written.load(ordering: .sequentiallyConsistent)
        if position <= lastLost.load(ordering: .sequentiallyConsistent) {
            // Reached only after a failed commit, so pushes normally take no lock.
            return state.withLock { outcome(of: position, $0) }
        }
        return position <= written ? .written : nil
    }

    private func outcome(of position: UInt64, _ state: borrowing State) -> JournalOutcome? {
        if state.lost.contains(position) { return .lost }
        return position <= written.load(ordering: .sequentiallyConsistent) ? .written : nil
    }

    /// Calls back once the outcome is known: at once, or later on the writer's thread.
    package func onOutcome(of position: UInt64, _ body: @escaping @Sendable (JournalOutcome) -> Void) {
        // `written` and `lost` change under the lock, so no outcome is missed.
        let outcome = state.withLock { state -> JournalOutcome? in
            if let known = self.outcome(of: position, state) { return known }
            if state.phase == .finished { return .lost }
            state.waiters.append((position, body))
            return nil
        }
        if let outcome { body(outcome) }
    }

    /// Calls back once the outcome of all inputs so far is known.
    ///
    /// - Parameter rollbackCount: the count before the inputs; if it has changed, the outcome is `.lost`.
    package func onOutcome(since rollbackCount: UInt64, _ body: @escaping @Sendable (JournalOutcome) -> Void) {
        onOutcome(of: position) { [self] outcome in body(self.rollbackCount == rollbackCount ? outcome : .lost) }
    }

    package func awaitOutcome(of position: UInt64) async -> JournalOutcome {
        await withCheckedContinuation { continuation in
            onOutcome(of: position) { continuation.resume(returning: $0) }
        }
    }

    package func awaitOutcome(since rollbackCount: UInt64) async -> JournalOutcome {
        await withCheckedContinuation { continuation in
            onOutcome(since: rollbackCount) { continuation.resume(returning: $0) }
        }
    }

    /// Calls back on the writer's thread after every commit, successful or failed.
    package func onProgress(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Calls back after a rollback, which also restores the metadata.
    package func onRollback(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.rollbackListeners.append(listener) }
    }

    /// The newest input whose outcome may still be open; 0 when there is none.
    package var position: UInt64 {
        let last = simulator.store.withLock { $0.queue?.last ?? 0 }
        return state.withLock { $0.lost.contains(last) } ? 0 : last
    }

    /// An answer must not combine state from before and after a rollback.
    package var rollbackCount: UInt64 { failureCount.load(ordering: .sequentiallyConsistent) }
}

extension JournalKeeper.State {
    mutating func takeWaiters(upTo position: UInt64) -> [@Sendable (JournalOutcome) -> Void] {
        if waiters.isEmpty { return [] }
        let woken = waiters.filter { $0.position <= position }.map(\.resume)
        waiters.removeAll { $0.position <= position }
        return woken
    }
}

/// Positions of inputs that were never written. Only the latest ranges are stored, because a position is queried within
/// moments of the failure.
struct LostPositions {
    /// Each range needs a failure and a recovery, which takes at least a tenth of a second.
    static let capacity = 64

    private(set) var ranges: [ClosedRange<UInt64>] = []
    /// The end of the newest evicted range. Earlier positions count as lost: refusing a stored push does less harm than
    /// accepting a lost one.
    private var horizon: UInt64 = 0

    /// Adds positions after all others; a range with the start of the last one replaces it.
    mutating func add(_ range: ClosedRange<UInt64>) {
        if ranges.last?.lowerBound == range.lowerBound { ranges.removeLast() }
        ranges.append(range)
        if ranges.count > Self.capacity { horizon = ranges.removeFirst().upperBound }
    }

    /// Position 0 is no input.
    func contains(_ position: UInt64) -> Bool {
        position > 0 && position <= horizon || ranges.contains { $0.contains(position) }
    }
}

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

    /// Calls back once the outcome of an input is known: at once, or later on the writer's thread.
    package func onOutcome(of position: UInt64, _ body: @escaping @Sendable (JournalOutcome) -> Void) {
        // `written` and `lost` change under the lock, so no outcome is missed.
        let outcome = state.withLock { state -> JournalOutcome? in
            if let known = self.outcome(of: position, state) { return known }
            if state.phase == .finished { return .lost }
            state.sleepers.append((position, body))
            return nil
        }
        if let outcome { body(outcome) }
    }

    /// Calls back once the outcome of everything done so far is known.
    ///
    /// - Parameter rollbackCount: the count before it was done; after a rollback since, it is lost.
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

    /// Calls back, on the writer's thread, after every commit and every failed one.
    package func onProgress(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Calls back after a rollback, which restores the metadata, too.
    package func onRollback(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.rollbackListeners.append(listener) }
    }

    /// The position of the newest input whose outcome may still be open; 0 when none is.
    package var position: UInt64 {
        let last = simulator.store.withLock { $0.queue?.last ?? 0 }
        return state.withLock { $0.lost.contains(last) } ? 0 : last
    }

    /// An answer must not combine state from before and after a rollback.
    package var rollbackCount: UInt64 { failureCount.load(ordering: .sequentiallyConsistent) }
}

extension JournalKeeper.State {
    mutating func takeSleepers(upTo position: UInt64) -> [@Sendable (JournalOutcome) -> Void] {
        if sleepers.isEmpty { return [] }
        let woken = sleepers.filter { $0.position <= position }.map(\.resume)
        sleepers.removeAll { $0.position <= position }
        return woken
    }
}

/// Positions of inputs that were never written.
///
/// A position is queried within moments of the failure, so only the latest ranges are stored.
struct LostPositions {
    /// Each range needs a failure and a recovery, which takes at least a tenth of a second.
    static let capacity = 64

    private var ranges: [ClosedRange<UInt64>] = []
    /// The end of the newest range that was evicted. Earlier positions count as lost: a push that is refused although it was
    /// stored does less harm than one that is accepted and gone.
    private var horizon: UInt64 = 0

    var count: Int { ranges.count }

    /// Adds positions after all others, except those of a failure without a write in between.
    mutating func add(_ range: ClosedRange<UInt64>) {
        if ranges.last?.lowerBound == range.lowerBound { ranges.removeLast() }
        ranges.append(range)
        if ranges.count > Self.capacity { horizon = ranges.removeFirst().upperBound }
    }

    /// Whether an input was lost; position 0 is no input.
    func contains(_ position: UInt64) -> Bool {
        position > 0 && position <= horizon || ranges.contains { $0.contains(position) }
    }
}

internal import Synchronization

/// Whether inputs are on disk.
extension JournalKeeper {
    /// Whether an input is on disk; nil while that is open.
    package func outcome(of position: UInt64) -> JournalOutcome? {
        // In this order: a loss is known before anything after it is written.
        let written = written.load(ordering: .sequentiallyConsistent)
        if position <= lastLost.load(ordering: .sequentiallyConsistent) {
            // Only who was there when the last commit failed comes here, so pushes take no lock.
            return state.withLock { outcome(of: position, $0) }
        }
        return position <= written ? .written : nil
    }

    private func outcome(of position: UInt64, _ state: borrowing State) -> JournalOutcome? {
        if state.lost.contains(position) { return .lost }
        return position <= written.load(ordering: .sequentiallyConsistent) ? .written : nil
    }

    /// Calls back once it is known whether an input is on disk: at once, or later on the writer's thread.
    package func whenSettled(_ position: UInt64, _ body: @escaping @Sendable (JournalOutcome) -> Void) {
        // Both change under the lock, so it cannot be settled unseen.
        let outcome = state.withLock { state -> JournalOutcome? in
            if let known = self.outcome(of: position, state) { return known }
            if state.isFinished { return .lost }
            state.sleepers.append((position, body))
            return nil
        }
        if let outcome { body(outcome) }
    }

    /// Calls back once it is known whether everything that was done so far is on disk.
    ///
    /// - Parameter undoCount: The count before it was done. What was undone since is lost.
    package func whenSettled(since undoCount: UInt64, _ body: @escaping @Sendable (JournalOutcome) -> Void) {
        whenSettled(position) { [self] outcome in body(self.undoCount == undoCount ? outcome : .lost) }
    }

    /// Waits until it is known whether an input is on disk.
    package func settledOutcome(of position: UInt64) async -> JournalOutcome {
        if let outcome = outcome(of: position) { return outcome }
        return await withCheckedContinuation { continuation in
            whenSettled(position) { continuation.resume(returning: $0) }
        }
    }

    /// Waits until it is known whether everything that was done so far is on disk.
    ///
    /// - Parameter undoCount: The count before it was done. What was undone since is lost.
    package func settledOutcome(since undoCount: UInt64) async -> JournalOutcome {
        await withCheckedContinuation { continuation in
            whenSettled(since: undoCount) { continuation.resume(returning: $0) }
        }
    }

    /// Calls back, on the writer's thread, whenever more is known about what is on disk.
    package func onSettled(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.listeners.append(listener) }
    }

    /// Calls back when the state was read anew from the journal, so that what was noted can be followed again.
    package func onUndone(_ listener: @escaping @Sendable () -> Void) {
        state.withLock { $0.undoers.append(listener) }
    }

    /// The position of the newest input whose outcome may still be open; 0 when none is.
    package var position: UInt64 { simulator.store.withLock { $0.queue?.newest ?? 0 } }

    /// How often the state was read anew; what was seen before and after belongs not together.
    package var undoCount: UInt64 { failureCount.load(ordering: .sequentiallyConsistent) }
}

extension JournalKeeper.State {
    /// Takes out who waits for an input up to a position.
    mutating func takeSleepers(upTo position: UInt64) -> [@Sendable (JournalOutcome) -> Void] {
        if sleepers.isEmpty { return [] }
        let woken = sleepers.filter { $0.position <= position }.map(\.resume)
        sleepers.removeAll { $0.position <= position }
        return woken
    }
}

package import DeviceSimulator
internal import Synchronization

/// A journal in memory that a test can make fail or damage.
package final class MemoryJournal: Journal {
    private struct State {
        var batches: [JournalBatch] = []
        var checkpoint: JournalCheckpoint?
        var problem: JournalProblem?
        var ownership: JournalOwnership?
    }

    package let file = "memory"
    private let state = Mutex(State())

    package init() {}

    /// Writing throws it while it is set.
    package var problem: JournalProblem? {
        get { state.withLock { $0.problem } }
        set { state.withLock { $0.problem = newValue } }
    }

    /// Held again after a probe.
    package var ownership: JournalOwnership? {
        get { state.withLock { $0.ownership } }
        set { state.withLock { $0.ownership = newValue } }
    }

    /// Everything written; a test may damage it.
    package var contents: [JournalBatch] {
        get { state.withLock { $0.batches } }
        set { state.withLock { $0.batches = newValue } }
    }

    private func change(_ body: (inout State) -> Void) throws(JournalProblem) {
        let problem = state.withLock { state in
            if state.problem == nil { body(&state) }
            return state.problem
        }
        if let problem { throw problem }
    }

    package func append(_ batches: [JournalBatch]) throws(JournalProblem) {
        try change { $0.batches += batches }
    }

    package func batches(after position: UInt64, limit: Int) -> [JournalBatch] {
        state.withLock { Array($0.batches.lazy.filter { $0.last > position }.prefix(limit)) }
    }

    package func checkpoint() -> JournalCheckpoint? { state.withLock { $0.checkpoint } }

    package func replaceCheckpoint(_ checkpoint: JournalCheckpoint) throws(JournalProblem) {
        try change { $0.checkpoint = checkpoint }
    }

    package func trim(_ settings: JournalSettings, now: Int64) throws(JournalProblem) {
        try change { state in
            guard let position = state.checkpoint?.position else { return }
            state.batches.removeAll { batch in
                let isRetained =
                    batch.last + UInt64(settings.retainedCount) > position
                    && batch.writtenAt >= now - settings.retainedAge
                return batch.last <= position && !isRetained
            }
        }
    }

    package func probe() throws(JournalProblem) { try change { $0.ownership?.isHeld = true } }

    package func byteCount() -> Int64 { state.withLock { $0.batches.reduce(0) { $0 + Int64($1.bytes.count) } } }

    package func close() {}
}

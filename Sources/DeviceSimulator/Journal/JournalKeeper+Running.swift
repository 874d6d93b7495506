internal import Dispatch
internal import Synchronization

extension JournalKeeper {
    /// Writes whatever comes until `stop()`; keeps its thread.
    package func run() {
        var pause = Self.shortestPause
        while true {
            if problem != nil {
                // Nothing tells when a disk has room again, so it is tried now and then.
                _ = wake.wait(timeout: .now() + .milliseconds(pause))
                pause = recover() ? Self.shortestPause : min(Self.longestPause, pause * 2)
            } else if !commit() {
                if problem != nil { continue }
                if state.withLock({ $0.isStopping }) { break }
                wake.wait()
            }
            if problem != nil, state.withLock({ $0.isStopping }) { break }
        }
        writeCheckpoint()
        finish()
    }

    private static let shortestPause = 100
    private static let longestPause = 2000

    /// Lets `run()` write what is queued, and a checkpoint, and end.
    package func stop() {
        state.withLock { $0.isStopping = true }
        wake.signal()
    }

    private func finish() {
        waitForCheckpoint()
        journal.close()
        let sleepers = state.withLock { state in
            state.isFinished = true
            return state.takeSleepers(upTo: .max)
        }
        for sleeper in sleepers { sleeper(.lost) }
    }
}

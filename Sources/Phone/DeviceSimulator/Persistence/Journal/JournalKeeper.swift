internal import DeviceModel
internal import Dispatch
internal import Synchronization

/// Writes a simulator's inputs to a journal in groups, reports when they are on disk, and replays them at the start.
///
/// Memory is ahead of the journal by the group being written; provider and admin answers wait for the commit. A failed
/// commit rereads the state from the journal, which undoes the refused inputs.
///
/// Only one thread at a time may call `commit`, `recover` and `writeCheckpoint`. `commit` starts a due checkpoint,
/// which is written concurrently with the next groups.
package final class JournalKeeper: Sendable {
    let simulator: DeviceSimulator
    package let journal: any Journal
    let settings: JournalSettings
    /// Signaled when inputs are queued, and at the end.
    let wake = DispatchSemaphore(value: 0)
    let state = Mutex(State())
    /// The newest position on disk.
    let written = Atomic<UInt64>(0)
    /// The newest lost position.
    let lastLost = Atomic<UInt64>(0)
    let failureCount = Atomic<UInt64>(0)
    /// Serializes checkpoints; reading the journal waits for them.
    private let checkpoints = DispatchQueue(label: "checkpoints")
    private let now: @Sendable () -> Int64

    struct State {
        enum Phase { case running, stopping, finished }

        var phase = Phase.running
        var problem: JournalProblem?
        var lost = LostPositions()
        var inputsSinceCheckpoint = 0
        var isWritingCheckpoint = false
        var figures = JournalFigures()
        var listeners: [@Sendable () -> Void] = []
        var rollbackListeners: [@Sendable () -> Void] = []
        var waiters: [(position: UInt64, resume: @Sendable (JournalOutcome) -> Void)] = []
    }

    /// - Parameters:
    ///   - simulator: must have no devices.
    ///   - now: the machine's time, in milliseconds since 1970.
    package init(
        _ simulator: DeviceSimulator, in journal: any Journal, settings: JournalSettings = JournalSettings(),
        now: @escaping @Sendable () -> Int64
    ) {
        self.simulator = simulator
        self.journal = journal
        self.settings = settings
        self.now = now
    }

    /// nil while the journal can be written.
    package var problem: JournalProblem? { state.withLock { $0.problem } }

    /// Why nothing may be answered from the state, which another process may have changed; nil for the owner.
    package var suspension: String? {
        journal.ownership?.isHeld != false
            ? nil : "\(journal.file): the lease ran out; the database is out of reach, or another gateway owns it"
    }

    package var figures: JournalFigures {
        let last = position
        var figures = state.withLock { $0.figures }
        figures.isFailing = problem != nil
        figures.lag = problem == nil ? last - min(last, written.load(ordering: .sequentiallyConsistent)) : 0
        figures.byteCount = journal.byteCount()
        figures.ownership = journal.ownership
        return figures
    }

    // MARK: Writing

    /// Returns false when there was nothing to write or it could not be written.
    @discardableResult
    package func commit() -> Bool {
        let wantsImage = state.withLock { state in
            state.inputsSinceCheckpoint >= settings.checkpointInterval && !state.isWritingCheckpoint
        }
        let (inputs, last, image) = simulator.store.withLock { store in
            let inputs = store.queue?.take() ?? []
            return (inputs, store.queue?.last ?? 0, wantsImage && !inputs.isEmpty ? StoreImage(&store) : nil)
        }
        guard !inputs.isEmpty else { return false }
        let previous = written.load(ordering: .sequentiallyConsistent)
        let batches = JournalBatch.batches(of: inputs, last: last, previous: previous, writtenAt: now())
        do throws(JournalProblem) {
            try journal.append(batches)
        } catch {
            // Frees the states that the devices saved for this checkpoint.
            image?.collect(simulator.store)
            fail(error)
            return false
        }
        report(.written, upTo: last) { state in
            state.inputsSinceCheckpoint = image == nil ? state.inputsSinceCheckpoint + inputs.count : 0
            state.isWritingCheckpoint = state.isWritingCheckpoint || image != nil
            state.figures.commits += 1
            state.figures.inputs += UInt64(inputs.count)
            written.store(last, ordering: .sequentiallyConsistent)
        }
        if let image { checkpoints.async { self.write(image, position: last) } }
        return true
    }

    /// Rolls back unwritten inputs, and refuses new ones until the journal is writable again.
    private func fail(_ problem: JournalProblem) {
        let last = simulator.store.withLock { store in
            store.queue?.refuse(problem.description)
            return store.queue?.last ?? 0
        }
        let first = written.load(ordering: .sequentiallyConsistent) + 1
        state.withLock { state in
            state.problem = problem
            state.figures.failedCommits += 1
        }
        // Roll back before reporting the loss.
        do throws(JournalProblem) {
            try rollBack(accepting: false)
        } catch {
            state.withLock { $0.problem = error }
        }
        report(.lost, upTo: last) { state in
            if first <= last {
                state.lost.add(first...last)
                lastLost.store(last, ordering: .sequentiallyConsistent)
            }
            failureCount.add(1, ordering: .sequentiallyConsistent)
        }
    }

    /// Changes the state and reports the outcome of the inputs up to a position.
    private func report(_ outcome: JournalOutcome, upTo last: UInt64, _ change: (inout State) -> Void) {
        let (listeners, waiters) = state.withLock { state in
            change(&state)
            return (state.listeners, state.takeWaiters(upTo: last))
        }
        for listener in listeners { listener() }
        for waiter in waiters { waiter(outcome) }
    }

    /// - Parameter accepting: whether the simulator accepts inputs afterwards.
    private func rollBack(accepting: Bool) throws(JournalProblem) {
        let restored = try read()
        let replaced = simulator.store.withLock { store in
            if accepting { store.queue?.accept() }
            let last = store.lastSequence
            let isAhead = last > restored.state.store.lastSequence
            let replaced = store.replace(with: restored.state.store)
            // A group whose outcome was unknown may have been written after all.
            written.store(restored.position, ordering: .sequentiallyConsistent)
            store.tape?.stop("the journal could not be written, so inputs were undone")
            if accepting, isAhead { store.record(.numbered(last: last)) }
            return replaced
        }
        for listener in state.withLock({ $0.rollbackListeners }) { listener() }
        simulator.finish(replaced)
    }

    /// Accepts inputs again if the journal is writable, and returns whether it is.
    @discardableResult
    package func recover() -> Bool {
        guard problem != nil else { return true }
        do throws(JournalProblem) {
            try journal.probe()
            // Inputs since the failure were not recorded, so undo them.
            try rollBack(accepting: true)
            state.withLock { $0.problem = nil }
            // The numbers that the rollback undid.
            commit()
            return true
        } catch {
            state.withLock { $0.problem = error }
            return false
        }
    }

    // MARK: Checkpoints

    /// Writes the state so that the next start does not replay the inputs. All inputs must be committed.
    package func writeCheckpoint() {
        waitForCheckpoint()
        guard problem == nil, state.withLock({ $0.inputsSinceCheckpoint > 0 }) else { return }
        let position = written.load(ordering: .sequentiallyConsistent)
        let (image, isCommitted) = simulator.takeImage { $0.queue?.isEmpty == true }
        guard isCommitted else {
            image.collect(simulator.store)
            return
        }
        state.withLock { $0.inputsSinceCheckpoint = 0 }
        checkpoints.sync { write(image, position: position) }
    }

    package func waitForCheckpoint() { checkpoints.sync {} }

    private func write(_ image: StoreImage, position: UInt64) {
        let isWritten: Bool
        do throws(JournalProblem) {
            let parts = image.parts(simulator.store)
            try journal.replaceCheckpoint(JournalCheckpoint(position: position, parts: parts))
            try journal.trim(settings, now: now())
            isWritten = true
        } catch {
            // The inputs are in the journal, so nothing is lost. Retried after `checkpointInterval` inputs.
            isWritten = false
        }
        state.withLock { state in
            state.isWritingCheckpoint = false
            if isWritten { state.figures.checkpoints += 1 } else { state.figures.failedCheckpoints += 1 }
        }
    }

    // MARK: Reading

    /// Restores the simulator from the journal, then journals every input.
    package func open() throws(JournalProblem) {
        let restored = try read()
        let wake = wake
        let replaced = simulator.store.withLock { store in
            let (limits, assumptions) = (store.limits, store.catalog.assumptions)
            let replaced = store.replace(with: restored.state.store)
            store.queue = InputQueue(after: restored.position) { wake.signal() }
            if restored.position == 0 {
                store.limits = limits
                store.catalog.assumptions = assumptions
                store.record(.setup(limits: limits, assumptions: assumptions))
            }
            store.set(up: limits, assumptions)
            return replaced
        }
        written.store(restored.position, ordering: .sequentiallyConsistent)
        state.withLock { state in
            state.inputsSinceCheckpoint = restored.inputCount
            state.figures.replayed = UInt64(restored.inputCount)
        }
        simulator.finish(replaced)
    }

    private func read() throws(JournalProblem) -> (state: DetachedStore, position: UInt64, inputCount: Int) {
        // A checkpoint deletes batches that are read here.
        waitForCheckpoint()
        var store = SimulatorState(
            limits: InboxLimits(),
            catalog: AppCatalog(assumptions: Assumptions(), conditions: simulator.plainConditions),
            deriveToken: simulator.deriveToken)
        do {
            var position: UInt64 = 0
            if let checkpoint = try journal.checkpoint() {
                store = try SimulatorState(
                    parts: checkpoint.parts, plainConditions: simulator.plainConditions,
                    deriveToken: simulator.deriveToken)
                position = checkpoint.position
            }
            var inputCount = 0
            while true {
                let batches = try journal.batches(after: position, limit: 16)
                for batch in batches {
                    guard batch.previous == position else { throw RecordDamage() }
                    for input in try batch.inputs() { try store.replay(input) }
                    position = batch.last
                    inputCount += batch.count
                }
                guard batches.isEmpty else { continue }
                store.requestExtensionsAgain()
                return (DetachedStore(store), position, inputCount)
            }
        } catch {
            store.abandon()
            if let problem = error as? JournalProblem { throw problem }
            throw JournalProblem(
                file: journal.file, reason: "is damaged: an input is missing or was changed",
                remedy: "Restore a copy of the file, or remove it to start empty")
        }
    }
}

extension DispatchSemaphore {
    /// Waits for a signal, or until `limit` has passed on the monotonic clock; sometimes it returns earlier.
    ///
    /// On Linux, `wait(timeout:)` follows the machine's clock: setting that clock back prolongs the wait.
    package func wait(atMost limit: Duration) {
        let alarm = DispatchWorkItem { _ = self.signal() }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1), execute: alarm)
        wait()
        alarm.cancel()
    }
}

extension JournalKeeper {
    /// Writes inputs until `stop()`; blocks its thread.
    package func run() {
        var pause = Self.shortestPause
        while true {
            if problem != nil {
                // Nothing signals that a disk has space again, so poll.
                wake.wait(atMost: .milliseconds(pause))
                pause = recover() ? Self.shortestPause : min(Self.longestPause, pause * 2)
            } else if !commit() {
                if problem != nil { continue }
                if state.withLock({ $0.phase == .stopping }) { break }
                // A failed reading or checkpoint suspends requests, so no input would make `commit` try again.
                if journal.ownership == nil { wake.wait() } else { wake.wait(atMost: .seconds(1)) }
                if suspension != nil { try? journal.probe() }
            }
            if problem != nil, state.withLock({ $0.phase == .stopping }) { break }
        }
        writeCheckpoint()
        finish()
    }

    private static let shortestPause = 100
    private static let longestPause = 2000

    /// Makes `run()` write the queued inputs and a checkpoint, then return.
    package func stop() {
        state.withLock { $0.phase = .stopping }
        wake.signal()
    }

    private func finish() {
        waitForCheckpoint()
        journal.close()
        let waiters = state.withLock { state in
            state.phase = .finished
            return state.takeWaiters(upTo: .max)
        }
        for waiter in waiters { waiter(.lost) }
    }
}

internal import APNs
internal import Synchronization

/// The host's state that other threads read: settings and the next deadline.
final class HostStatus: Sendable {
    private struct State {
        var settings: ExtensionSettings
        /// By run; only deadlines not yet enforced.
        var deadlines: [Int: Instant] = [:]
    }

    private let state: Mutex<State>
    private let signal: AsyncStream<Void>.Continuation
    let dueChanges: AsyncStream<Void>

    init(settings: ExtensionSettings) {
        state = Mutex(State(settings: settings))
        (dueChanges, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var settings: ExtensionSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    var nextDue: Instant? { state.withLock { $0.deadlines.values.min() } }

    /// - Parameter due: nil if the run has no deadline.
    func set(due: Instant?, run number: Int) {
        let isNext = state.withLock { state in
            defer { state.deadlines[number] = due }
            guard let due else { return false }
            return state.deadlines.values.min().map { due < $0 } ?? true
        }
        if isNext { signal.yield() }
    }

    func takeDue(upTo instant: Instant) -> [Int] {
        state.withLock { state in
            let runs = state.deadlines.filter { $0.value <= instant }.map(\.key)
            for run in runs { state.deadlines[run] = nil }
            return runs
        }
    }

    func stop() { signal.finish() }
}

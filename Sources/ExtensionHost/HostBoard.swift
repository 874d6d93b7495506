internal import APNs
internal import Synchronization

/// What other threads see of the host: settings, processes, and when the next deadline is.
final class HostBoard: Sendable {
    private struct State {
        var settings: ExtensionSettings
        var processes: [Int: ExtensionProcessInfo] = [:]
        var dues: [Int: Instant] = [:]
        /// The earliest deadline that `dueChanges` or `nextDue` has told.
        var told: Instant?
    }

    private let state: Mutex<State>
    private let signal: AsyncStream<Void>.Continuation
    /// An element whenever `nextDue` becomes earlier.
    let dueChanges: AsyncStream<Void>

    init(settings: ExtensionSettings) {
        state = Mutex(State(settings: settings))
        (dueChanges, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var settings: ExtensionSettings {
        get { state.withLock { $0.settings } }
        set { state.withLock { $0.settings = newValue } }
    }

    /// In the order of their launch.
    var processes: [ExtensionProcessInfo] {
        state.withLock { state in state.processes.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Changes what is known of a process, by its number; nil when there is none any more.
    func set(_ process: ExtensionProcessInfo?, number: Int) {
        state.withLock { $0.processes[number] = process }
    }

    var nextDue: Instant? {
        state.withLock { state in
            state.told = state.dues.values.min()
            return state.told
        }
    }

    /// Sets a run's next deadline; nil when it has none.
    func set(due: Instant?, run number: Int) {
        let isEarlier = state.withLock { state in
            state.dues[number] = due
            guard let due, state.told.map({ due < $0 }) ?? true else { return false }
            state.told = due
            return true
        }
        if isEarlier { signal.yield() }
    }

    /// Ends `dueChanges`.
    func stop() { signal.finish() }
}

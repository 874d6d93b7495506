package import APNs
internal import Synchronization

/// What other threads see of the host: settings, processes, and when the next deadline is.
final class HostStatus: Sendable {
    private struct State {
        var settings: ExtensionSettings
        var processes: [Int: ExtensionProcessInfo] = [:]
        var dues: [Int: Instant] = [:]
        /// The earliest deadline that `dueChanges` or `nextDue` has told.
        var told: Instant?
        /// Up to when the host was asked to carry out deadlines, until it does.
        var asked: Instant?
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

    var processes: [ExtensionProcessInfo] {
        state.withLock { state in state.processes.sorted { $0.key < $1.key }.map(\.value) }
    }

    /// Changes what is known of a process, by its number; nil when there is none any more.
    func set(_ process: ExtensionProcessInfo?, number: Int) {
        state.withLock { $0.processes[number] = process }
    }

    /// The next deadline that nobody has asked to carry out.
    var nextDue: Instant? {
        state.withLock { state in
            let asked = state.asked
            state.told = state.dues.values.lazy.filter { due in asked.map { due > $0 } ?? true }.min()
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

    /// Notes that the host was asked to carry out the deadlines up to an instant.
    func ask(upTo instant: Instant) {
        state.withLock { $0.asked = max($0.asked ?? instant, instant) }
    }

    /// The runs whose deadlines are to be carried out, in the order of their submission; they have none any more.
    func takeDue(upTo instant: Instant) -> [Int] {
        state.withLock { state in
            if let asked = state.asked, asked <= instant { state.asked = nil }
            let runs = state.dues.filter { $0.value <= instant }.keys.sorted()
            for run in runs { state.dues[run] = nil }
            return runs
        }
    }

    func stop() { signal.finish() }
}

/// A process that runs an app's service extension, for people to look at.
package struct ExtensionProcessInfo: Sendable, Hashable, Codable {
    package var app: String
    /// The process identifier; nil while it is being started.
    package var pid: Int?
    package var state: State
    package var activeCount = 0
    package var waitingCount = 0
    /// Requests that it was handed so far.
    package var runCount = 0
    /// Calls of a handler that came after their run was over.
    package var lateAnswerCount = 0
    /// The most memory that it was seen to have resident, in bytes; nil before anybody looked.
    package var peakMemoryByteCount: Int?
    /// When it was launched, on the gateway's clock.
    package var startedAt: Instant

    package enum State: String, CaseIterable, Codable, Sendable {
        case launching
        case working
        /// It has none and is kept for the next one.
        case idle
        /// It takes no more requests and ends soon.
        case ending
    }
}

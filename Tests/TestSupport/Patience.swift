internal import Synchronization

/// The timeout for events that should happen at once. Shorter than any suite's time limit, so that a failure names the
/// missing event.
package enum Patience {
    /// Long, for a busy machine: a passing test never waits for it.
    package static let limit = Duration.seconds(60)

    /// Yields until a condition holds, or throws `OutOfPatience`.
    package static func wait(
        for awaited: String, file: StaticString = #fileID, line: Int = #line, until isTrue: () -> Bool
    ) async throws {
        let start = ContinuousClock.now
        while !isTrue() {
            guard start.duration(to: .now) < limit else { throw OutOfPatience(awaited, limit, file: file, line: line) }
            await Task.yield()
        }
    }
}

/// A wait timed out.
package struct OutOfPatience: Error, CustomStringConvertible {
    package let description: String

    init(_ awaited: String, _ patience: Duration, file: StaticString, line: Int, _ more: String = "") {
        let rest = more.isEmpty ? "" : "; \(more)"
        description = "\(file):\(line): waited \(patience) for \(awaited), in vain\(rest)"
    }
}

/// The start of a task's wait, shared with the task that enforces the timeout.
final class WaitNote: Sendable {
    private struct State {
        var since: ContinuousClock.Instant?
        var hasRunOut = false
    }

    let patience: Duration
    private let state = Mutex(State())

    init(patience: Duration) { self.patience = patience }

    func begin() { state.withLock { $0.since = .now } }

    func end() { state.withLock { $0.since = nil } }

    /// Whether the wait has timed out; stays true afterwards.
    func runsOut() -> Bool {
        state.withLock { state in
            if let since = state.since, since.duration(to: .now) >= patience { state.hasRunOut = true }
            return state.hasRunOut
        }
    }

    var hasRunOut: Bool { state.withLock(\.hasRunOut) }
}

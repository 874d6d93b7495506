internal import Foundation
internal import Synchronization

/// How long a test waits for what should come at once. Well within the time limit of any suite, so that a failure says what did
/// not come instead of when the suite was given up.
package enum Patience {
    /// Sanitizers make everything slow.
    package static let limit: Duration =
        ProcessInfo.processInfo.environment["SANITIZED"] == nil ? .seconds(20) : .seconds(50)

    /// Yields until a condition holds.
    /// - Throws: `OutOfPatience`.
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

/// What a test waited for did not come.
package struct OutOfPatience: Error, CustomStringConvertible {
    package let description: String

    init(_ awaited: String, _ patience: Duration, file: StaticString, line: Int, _ more: String = "") {
        let rest = more.isEmpty ? "" : "; \(more)"
        description = "\(file):\(line): waited \(patience) for \(awaited), in vain\(rest)"
    }
}

/// Since when one task waits, as another one may look at it.
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

    /// Whether the wait has taken too long; from then on it stays so.
    func runsOut() -> Bool {
        state.withLock { state in
            if let since = state.since, since.duration(to: .now) >= patience { state.hasRunOut = true }
            return state.hasRunOut
        }
    }

    var hasRunOut: Bool { state.withLock(\.hasRunOut) }
}

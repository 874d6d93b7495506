package import APNs
internal import Synchronization

/// The gateway's clock: real time, or one that stands still until somebody moves it.
///
/// Everything below asks this one, so that a test can let a day pass in a moment.
package final class SimulatedClock: Sendable {
    /// How the clock goes.
    package enum Mode: String, CaseIterable, Sendable {
        /// With real time.
        case real
        /// Only when it is told to.
        case manual
    }

    /// Why the clock cannot be set.
    package enum Problem: Error, Sendable, Hashable {
        /// Only a manual clock can be moved.
        case isReal
        /// The past cannot be changed, so the clock does not go back.
        case goesBack(from: Instant, to: Instant)
        /// Each day between would have to be lived through.
        case goesTooFar(from: Instant, to: Instant)

        /// A sentence for people.
        package var message: String {
            switch self {
            case .isReal: "the clock follows real time; make it manual first"
            case .goesBack(let now, let then):
                "it is \(now.text), and \(then.text) is earlier; the clock does not go back"
            case .goesTooFar(let now, let then):
                "it is \(now.text), and \(then.text) is more than ten years later, the longest step there is"
            }
        }
    }

    /// How far the clock goes at once; beyond it a day's worth of mistakes hides.
    package static let longestStep = Duration.seconds(10 * 366 * 86_400)

    private let realTime: @Sendable () -> Instant
    /// nil while the clock is real.
    private let manual: Mutex<Instant?>
    private let isManual = Atomic<Bool>(false)

    package init(realTime: @escaping @Sendable () -> Instant) {
        self.realTime = realTime
        manual = Mutex(nil)
    }

    /// What time it is.
    package func now() -> Instant {
        guard isManual.load(ordering: .acquiring) else { return realTime() }
        return manual.withLock { $0 } ?? realTime()
    }

    /// How far a stopped clock is ahead of real time, negative when it is behind; `nil` while it is real.
    package var lead: Duration? { manual.withLock { $0?.since(realTime()) } }

    /// How it goes.
    package var mode: Mode { isManual.load(ordering: .acquiring) ? .manual : .real }

    /// Stops the clock: it shows an instant, or the present, until it is moved.
    ///
    /// - Throws: `Problem.goesBack` or `.goesTooFar`.
    package func stop(at instant: Instant? = nil) throws(Problem) {
        try manual.withLock { manual throws(Problem) in
            let now = manual ?? realTime()
            let then = instant ?? now
            try Self.check(from: now, to: then)
            manual = then
            isManual.store(true, ordering: .releasing)
        }
    }

    /// Moves a manual clock on.
    ///
    /// - Throws: `Problem`.
    /// - Returns: What time it is now.
    @discardableResult
    package func advance(by milliseconds: Int64) throws(Problem) -> Instant {
        try manual.withLock { manual throws(Problem) in
            guard let now = manual else { throw .isReal }
            let then = now.advanced(by: milliseconds)
            try Self.check(from: now, to: then)
            manual = then
            return then
        }
    }

    private static func check(from now: Instant, to then: Instant) throws(Problem) {
        guard then >= now else { throw .goesBack(from: now, to: then) }
        guard then.since(now) <= longestStep else { throw .goesTooFar(from: now, to: then) }
    }

    /// Shows an instant, or real time for nil, even if that is earlier: for when what has happened since is taken back.
    package func show(_ instant: Instant?) {
        manual.withLock { manual in
            manual = instant
            isManual.store(instant != nil, ordering: .releasing)
        }
    }

    /// Lets the clock follow real time again.
    ///
    /// - Throws: `Problem.goesBack` when it was moved into the future.
    package func follow() throws(Problem) {
        try manual.withLock { manual throws(Problem) in
            guard let now = manual else { return }
            let real = realTime()
            guard real >= now else { throw .goesBack(from: now, to: real) }
            manual = nil
            isManual.store(false, ordering: .releasing)
        }
    }
}

package import APNs
internal import Synchronization

/// The gateway's clock: real time, or manual so that a test can skip a day.
package final class SimulatedClock: Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        case real
        /// Advances only on request.
        case manual
    }

    package enum Problem: Error, Sendable, Hashable {
        case isReal
        case goesBack(from: Instant, to: Instant)
        case goesTooFar(from: Instant, to: Instant)

        package var message: String {
            switch self {
            case .isReal:
                "the clock follows real time; stop it first: pushcote clock stop, or PUT /api/v1/clock with mode manual"
            case .goesBack(let now, let then):
                "it is \(now.text), and \(then.text) is earlier; the clock does not go back"
            case .goesTooFar(let now, let then):
                "it is \(now.text), and \(then.text) is more than ten years later, the longest step there is"
            }
        }
    }

    /// A longer step is probably a mistake, and would perform everything due in between.
    package static let longestStep = Duration.seconds(10 * 366 * 86_400)

    private let realTime: @Sendable () -> Instant
    /// nil while the clock is real.
    private let manual: Mutex<Instant?>
    private let isManual = Atomic<Bool>(false)

    package init(realTime: @escaping @Sendable () -> Instant) {
        self.realTime = realTime
        manual = Mutex(nil)
    }

    package func now() -> Instant {
        guard isManual.load(ordering: .acquiring) else { return realTime() }
        return manual.withLock { $0 } ?? realTime()
    }

    /// Negative when a manual clock is behind real time; nil while it is real.
    package var lead: Duration? { manual.withLock { $0?.since(realTime()) } }

    package var mode: Mode { isManual.load(ordering: .acquiring) ? .manual : .real }

    /// Stops the clock at an instant; nil stops it now.
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

    /// Returns the new time of a manual clock.
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

    /// Sets the clock for a rollback, even to an earlier time; nil follows real time.
    package func show(_ instant: Instant?) {
        manual.withLock { manual in
            manual = instant
            isManual.store(instant != nil, ordering: .releasing)
        }
    }

    /// - Throws: `Problem.goesBack` when the clock is ahead of real time.
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

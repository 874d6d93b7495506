internal import Synchronization
package import Time

/// The gateway's clock: real time, faster, or manual so that a test can skip a day.
package final class SimulatedClock: Sendable {
    package enum Mode: String, CaseIterable, Codable, Sendable {
        case real
        /// Advances only on request.
        case manual
        /// Runs faster than real time.
        case scaled
    }

    package enum Problem: Error, Sendable, Hashable {
        case isRunning
        case goesBack(from: Instant, to: Instant)
        case goesTooFar(from: Instant, to: Instant)
        case firesTooOften(limit: UInt64, reached: Instant, to: Instant)

        package var message: String {
            switch self {
            case .isRunning:
                "the clock runs by itself; stop it first: pushcote clock stop, or PUT /api/v1/clock with mode manual"
            case .goesBack(let now, let then):
                "it is \(now.text), and \(then.text) is earlier; the clock does not go back; pushcote clock reset, or "
                    + "POST /api/v1/clock/reset, follows real time at once"
            case .goesTooFar(let now, let then):
                "it is \(now.text), and \(then.text) is more than ten years later, the longest step there is"
            case .firesTooOften(let limit, let reached, let then):
                "more than \(limit) local notifications fired, so the clock stopped at \(reached.text), before \(then.text); "
                    + "advance it again to go on, or remove repeating ones first"
            }
        }
    }

    /// A longer step is probably a mistake, and would apply everything due in between.
    package static let longestStep = Duration.seconds(10 * 366 * 86_400)

    package static let scales: ClosedRange<Double> = 1...3600

    private enum Pace {
        case real
        case stopped(at: Instant)
        /// `scale` times as fast as real time since it was `from`, at `since` of real time.
        case scaled(Double, from: Instant, since: Instant)
    }

    private let realTime: @Sendable () -> Instant
    private let pace = Mutex(Pace.real)
    private let isReal = Atomic<Bool>(true)

    package init(realTime: @escaping @Sendable () -> Instant) { self.realTime = realTime }

    package func now() -> Instant {
        guard !isReal.load(ordering: .acquiring) else { return realTime() }
        return pace.withLock { now(at: $0) }
    }

    private func now(at pace: borrowing Pace) -> Instant {
        switch pace {
        case .real: return realTime()
        case .stopped(let instant): return instant
        case .scaled(let scale, let from, let since):
            let elapsed = max(0, realTime().milliseconds(since: since))
            return from.advanced(by: Int64(Double(elapsed) * scale))
        }
    }

    /// Negative when the clock is behind real time; nil while it is real.
    package var lead: Duration? {
        pace.withLock { if case .real = $0 { nil } else { now(at: $0).since(realTime()) } }
    }

    package var mode: Mode {
        pace.withLock { pace in
            switch pace {
            case .real: .real
            case .stopped: .manual
            case .scaled: .scaled
            }
        }
    }

    /// How many times as fast as real time; nil unless the mode is `scaled`.
    package var scale: Double? {
        pace.withLock { if case .scaled(let scale, _, _) = $0 { scale } else { nil } }
    }

    /// In milliseconds of real time, at least 0; nil for never.
    package func delay(until instant: Instant) -> Int64? {
        pace.withLock { pace in
            let left = max(0, instant.milliseconds(since: now(at: pace)))
            switch pace {
            case .real: return left
            case .stopped: return nil
            case .scaled(let scale, _, _): return Int64((Double(left) / scale).rounded(.up))
            }
        }
    }

    /// Stops the clock at an instant; nil stops it now.
    ///
    /// - Throws: `Problem.goesBack` or `.goesTooFar`.
    package func stop(at instant: Instant? = nil) throws(Problem) {
        try change { (_, now) throws(Problem) in
            try Self.check(from: now, to: instant ?? now)
            return .stopped(at: instant ?? now)
        }
    }

    /// Lets the clock run from an instant, or from now.
    ///
    /// - Parameter scale: one of `scales`.
    /// - Throws: `Problem.goesBack` or `.goesTooFar`.
    package func run(scale: Double, from instant: Instant? = nil) throws(Problem) {
        try change { (_, now) throws(Problem) in
            try Self.check(from: now, to: instant ?? now)
            return .scaled(scale, from: instant ?? now, since: realTime())
        }
    }

    /// Returns the new time of a manual clock.
    @discardableResult
    package func advance(by milliseconds: Int64) throws(Problem) -> Instant {
        try change { (pace, now) throws(Problem) in
            guard case .stopped = pace else { throw .isRunning }
            let then = now.advanced(by: milliseconds)
            try Self.check(from: now, to: then)
            return .stopped(at: then)
        }
    }

    /// Advances a manual clock, unless it is already as late.
    package func advance(to instant: Instant) throws(Problem) {
        try change { (pace, now) throws(Problem) in
            guard case .stopped = pace else { throw .isRunning }
            return .stopped(at: max(now, instant))
        }
    }

    /// - Throws: `Problem.goesBack` when the clock is ahead of real time.
    package func follow() throws(Problem) {
        try change { (_, now) throws(Problem) in
            let real = realTime()
            guard real >= now else { throw .goesBack(from: now, to: real) }
            return .real
        }
    }

    @discardableResult
    private func change(_ next: (borrowing Pace, Instant) throws(Problem) -> Pace) throws(Problem) -> Instant {
        try pace.withLock { pace throws(Problem) in
            set(try next(pace, now(at: pace)), &pace)
            return now(at: pace)
        }
    }

    private func set(_ next: Pace, _ pace: inout Pace) {
        pace = next
        let isReal = if case .real = next { true } else { false }
        self.isReal.store(isReal, ordering: .releasing)
    }

    /// - Throws: `Problem.goesBack` or `.goesTooFar`.
    package func check(_ instant: Instant) throws(Problem) { try Self.check(from: now(), to: instant) }

    private static func check(from now: Instant, to then: Instant) throws(Problem) {
        guard then >= now else { throw .goesBack(from: now, to: then) }
        guard then.since(now) <= longestStep else { throw .goesTooFar(from: now, to: then) }
    }

    // MARK: For restarts and replays

    /// Stops the clock, even at an earlier time.
    package func show(_ instant: Instant) { pace.withLock { set(.stopped(at: instant), &$0) } }

    /// The clock as a text; nil while it is real. A scaled clock also runs while the process does not.
    package var text: String? {
        pace.withLock { pace in
            switch pace {
            case .real: nil
            case .stopped(let instant): "\(instant.milliseconds)"
            case .scaled(let scale, let from, let since): "\(from.milliseconds) \(since.milliseconds) \(scale)"
            }
        }
    }

    /// Sets the clock as of its `text`, even to an earlier time; anything else follows real time.
    package func restore(_ text: String?) {
        let words = text?.split(separator: " ") ?? []
        let instants = words.prefix(2).compactMap { Int64($0) }.map { Instant(milliseconds: $0) }
        pace.withLock { pace in
            switch (words.count, instants.count) {
            case (1, 1): set(.stopped(at: instants[0]), &pace)
            case (3, 2): set(.scaled(Double(words[2]) ?? 1, from: instants[0], since: instants[1]), &pace)
            default: set(.real, &pace)
            }
        }
    }
}

internal import APNs
package import Fields
internal import Foundation

/// Network delays: log-normal, most near the median with a long tail.
package struct FaultLatency: Sendable, Hashable {
    package var median = Duration.zero
    package var p99 = Duration.zero

    package init() {}

    /// Bounds the tail, which has no end.
    private static let longest = 10.0
    /// The 99th percentile of the standard normal distribution.
    private static let quantile = 2.326_347_874_040_841

    func draw(_ generator: inout SplitMix64) -> Duration {
        let (median, p99) = (median / .milliseconds(1), p99 / .milliseconds(1))
        // Box and Muller; 1 - share is never 0.
        let normal = (-2 * log(1 - generator.share())).squareRoot() * cos(2 * .pi * generator.share())
        let milliseconds = median * exp(log(p99 / median) / Self.quantile * normal)
        return .milliseconds(Int64(min(milliseconds, Self.longest * p99)))
    }
}

/// SETTINGS that change at an interval; each list is repeated from its start.
package struct FaultChurn: Sendable, Hashable {
    package var every = Duration.milliseconds(50)
    package var times = 100
    package var streamLimits: [Int] = []
    package var windows: [Int] = []

    package init() {}

    package func streamLimit(_ step: Int) -> UInt32? { Self.value(step, of: streamLimits) }
    package func window(_ step: Int) -> UInt32? { Self.value(step, of: windows) }

    private static func value(_ step: Int, of list: [Int]) -> UInt32? {
        list.isEmpty ? nil : UInt32(list[step % list.count])
    }
}

/// How many requests of a subject pass in each interval; a rule fires for those above it.
package struct FaultRate: Sendable, Hashable {
    package var count = 1
    package var within = Duration.seconds(1)

    package init() {}
}

/// The current interval of each connection, device token or topic.
struct RateIntervals {
    private var intervals: [String: (since: Instant, count: Int)] = [:]

    /// An interval begins with the first request after the last one ended. Beyond the capacity, new subjects are not limited.
    mutating func isAbove(_ rate: FaultRate, _ subject: String, at now: Instant) -> Bool {
        func isOver(_ since: Instant) -> Bool { now < since || now >= since.advanced(by: rate.within) }
        if let known = intervals[subject], !isOver(known.since) {
            intervals[subject]?.count += 1
            return known.count >= rate.count
        }
        if intervals.count >= SubjectCounts<String>.capacity, intervals[subject] == nil {
            intervals = intervals.filter { !isOver($0.value.since) }
            guard intervals.count < SubjectCounts<String>.capacity else { return false }
        }
        intervals[subject] = (now, 1)
        return false
    }
}

extension FaultLatency: FieldDescribed {
    package static let fields: [Field<FaultLatency>] = [
        Field("median", \.median, .positiveDuration, "Half of the delays are below this."),
        Field("p99", \.p99, .positiveDuration, "One delay in a hundred is above this; none is above ten times this."),
    ]

    package static let checks: [FieldCheck<FaultLatency>] = [
        FieldCheck(at: "median", found: "is missing", remedy: "accepted: a duration above 0") { $0.median == .zero },
        FieldCheck(at: "p99", found: "is shorter than median", remedy: "accepted: a duration from median up") {
            $0.p99 < $0.median
        },
    ]
}

extension FaultChurn: FieldDescribed {
    package static let fields: [Field<FaultChurn>] = [
        Field("every", \.every, .positiveDuration, "The pause between two changes, in real time."),
        Field("times", \.times, .integer(in: 1...100_000), "The number of changes; the last one stays."),
        Field(
            "streamLimits", \.streamLimits, .list(.integer(in: 0...1_000_000), count: (0...100, "up to 100")),
            "Values of SETTINGS_MAX_CONCURRENT_STREAMS in order."),
        Field(
            "windows", \.windows, .list(.integer(in: 0...0x7fff_ffff), count: (0...100, "up to 100")),
            "Values of SETTINGS_INITIAL_WINDOW_SIZE in order."),
    ]

    package static let checks: [FieldCheck<FaultChurn>] = [
        FieldCheck(found: "changes nothing", remedy: "accepted: streamLimits, windows or both") {
            $0.streamLimits.isEmpty && $0.windows.isEmpty
        }
    ]
}

extension FaultRate: FieldDescribed {
    package static let fields: [Field<FaultRate>] = [
        Field("count", \.count, .integer(in: 0...1_000_000_000), "How many requests pass in each interval."),
        Field("within", \.within, .positiveDuration, "The length of the interval, on the gateway's clock."),
    ]
}

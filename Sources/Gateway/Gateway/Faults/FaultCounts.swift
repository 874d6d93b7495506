internal import Time

/// Counts per connection or device token; bounded, because providers can send any number of them.
struct SubjectCounts<Subject: Hashable & Sendable> {
    /// About 17 MB of device tokens.
    static var capacity: Int { 100_000 }

    private var counts: [Subject: Int] = [:]

    /// - Returns: `nil` above `limit`, or for a new subject beyond the capacity.
    mutating func next(_ subject: Subject, upTo limit: Int = .max) -> Int? {
        let number = counts[subject, default: 0] + 1
        guard number <= limit, number > 1 || counts.count < Self.capacity else { return nil }
        counts[subject] = number
        return number
    }
}

extension SubjectCounts<UInt32> {
    /// A new connection beyond the capacity evicts the older half, as the oldest connections are closed.
    mutating func next(onConnection number: UInt32) -> Int? {
        if counts.count >= Self.capacity, counts[number] == nil {
            let middle = counts.keys.sorted()[counts.count / 2]
            counts = counts.filter { $0.key >= middle }
        }
        return next(number)
    }
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
        return rate.count == 0
    }
}

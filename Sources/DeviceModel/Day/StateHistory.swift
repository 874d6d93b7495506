package import APNs

/// The values that something had one after the other, such as the active Focus; nil for none.
package struct StateHistory<Value: Equatable & Sendable>: Sendable {
    /// Before the first change.
    private let first: Value?
    private let changes: [(at: Instant, value: Value?)]

    /// - Parameter changes: In order.
    package init(first: Value?, changes: [(at: Instant, value: Value?)]) {
        self.first = first
        self.changes = changes
    }

    /// The periods with a value, cut to a range.
    package func periods(in range: Range<Instant>) -> [(value: Value, range: Range<Instant>)] {
        let starts = [(at: range.lowerBound, value: first)] + changes
        let ends = changes.map(\.at) + [range.upperBound]
        var periods: [(value: Value, range: Range<Instant>)] = []
        for (start, end) in zip(starts, ends) {
            let from = max(start.at, range.lowerBound)
            let to = min(end, range.upperBound)
            guard let value = start.value, from < to else { continue }
            if let last = periods.last, last.value == value, last.range.upperBound == from {
                periods[periods.count - 1].range = last.range.lowerBound..<to
            } else {
                periods.append((value, from..<to))
            }
        }
        return periods
    }
}

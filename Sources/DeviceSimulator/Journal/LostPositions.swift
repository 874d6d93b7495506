/// Positions of inputs that were never written.
///
/// A position is asked about within moments of the failure, so only the latest ranges are stored.
struct LostPositions {
    /// How many ranges are stored. Each needs a failure and a recovery after it, which takes a tenth of a second at least.
    static let capacity = 64

    private var ranges: [ClosedRange<UInt64>] = []
    /// The end of the newest range that was evicted. Nothing is known of what comes before it, so it counts as lost: a
    /// push that is refused although it was stored does less harm than one that is accepted and gone.
    private var horizon: UInt64 = 0

    /// The ranges that are stored.
    var count: Int { ranges.count }

    /// Adds positions that come after all others but those of a failure without a write in between.
    mutating func add(_ range: ClosedRange<UInt64>) {
        if ranges.last?.lowerBound == range.lowerBound { ranges.removeLast() }
        ranges.append(range)
        if ranges.count > Self.capacity { horizon = ranges.removeFirst().upperBound }
    }

    /// Whether an input was lost; position 0 is no input.
    func contains(_ position: UInt64) -> Bool {
        position > 0 && position <= horizon || ranges.contains { $0.contains(position) }
    }
}

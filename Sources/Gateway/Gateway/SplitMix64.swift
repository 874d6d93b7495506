internal import APNs

/// A seeded generator (Steele, Lea, Flood: SplitMix64); the same seed yields the same sequence.
struct SplitMix64 {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func word() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// In 0..<1.
    mutating func share() -> Double { Double(word() >> 11) * 0x1p-53 }

    /// As with APNs, all 128 bits vary; not a UUID of any version.
    mutating func nextID() -> APNsID { APNsID(high: word(), low: word()) }
}

extension Gateway {
    /// Assigns members to parts by share, exact to the rounding, in an order that the seed determines.
    ///
    /// - Parameter shares: each 0 or more, together at most 1.
    /// - Returns: For each member the number of its part, from 1; 0 for none.
    package static func assignment(of count: Int, by shares: [Double], seed: UInt64) -> [UInt8] {
        var assignment = [UInt8](repeating: 0, count: count)
        var (sum, next) = (0.0, 0)
        for (index, share) in shares.enumerated() {
            sum += share
            let end = min(count, Int((sum * Double(count)).rounded()))
            for place in next..<max(next, end) { assignment[place] = UInt8(clamping: index + 1) }
            next = max(next, end)
        }
        var random = SplitMix64(seed: seed)
        for last in stride(from: count - 1, to: 0, by: -1) where next > 0 {
            assignment.swapAt(last, Int(random.word() % UInt64(last + 1)))
        }
        return assignment
    }
}

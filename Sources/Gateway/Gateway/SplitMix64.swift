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

internal import APNs

/// A seeded generator (Steele, Lea, Flood: SplitMix64); the same seed gives the same words in the same order.
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

    /// At least 0 and less than 1.
    mutating func share() -> Double { Double(word() >> 11) * 0x1p-53 }

    /// An identifier as APNs generates them: not a UUID of any version, all 128 bits vary.
    mutating func nextID() -> APNsID { APNsID(high: word(), low: word()) }
}

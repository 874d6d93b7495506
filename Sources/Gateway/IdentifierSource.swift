internal import APNs

/// Makes the identifiers of one connection; the same seed gives the same ones in the same order.
///
/// APNs' own are not UUIDs of any version: all 128 bits vary. So do these.
struct IdentifierSource {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func next() -> APNsID { APNsID(high: generator.word(), low: generator.word()) }
}

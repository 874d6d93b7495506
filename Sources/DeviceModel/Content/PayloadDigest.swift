/// What delivery must know of a payload; made without its texts.
public struct PayloadDigest: Sendable, Hashable {
    /// Why the payload cannot be used; nil when it can.
    public var verdict: DiscardReason?
    /// What decisions depend on; empty when the payload cannot be used.
    public var traits: ContentTraits

    /// Reads a payload; anything at all may be passed.
    public init(_ payload: RawSpan) {
        (verdict, traits) = PayloadScan.traits(of: payload)
    }
}

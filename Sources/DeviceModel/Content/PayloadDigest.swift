/// What delivery must know of a payload; made without its texts.
package struct PayloadDigest: Sendable, Hashable {
    /// Why the payload cannot be used; nil when it can.
    package var verdict: DiscardReason?
    /// What decisions depend on; empty when the payload cannot be used.
    package var traits: ContentTraits

    /// Reads a payload; anything at all may be passed.
    package init(_ payload: RawSpan) {
        (verdict, traits) = PayloadScan.traits(of: payload)
    }
}

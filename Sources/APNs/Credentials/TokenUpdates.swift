/// Counts token changes: a new token within the interval after the last new one is one too many.
///
/// The same token may be used as often as one likes; going back to an earlier one is a change.
public struct TokenUpdates: Sendable {
    private var current: [UInt8]?
    private var since = Instant(milliseconds: 0)

    public init() {}

    /// - Parameters:
    ///   - signature: What tells two tokens apart.
    ///   - now: Earlier than before after the gateway's clock was set back; then nothing is left of the interval.
    public mutating func use(_ signature: [UInt8], now: Instant, interval: Duration) throws(APNsRejection) {
        guard current != signature else { return }
        if current != nil, now >= since, now.since(since) < interval {
            let wait = interval - now.since(since)
            throw APNsRejection(
                .tooManyProviderTokenUpdates,
                Diagnosis(
                    "token.updates",
                    "A second new token \(TokenPolicy.words(now.since(since))) after the last; use the old one for another "
                        + "\(TokenPolicy.words(wait)). Share one token between workers, and renew it every 20 to 60 minutes."
                ))
        }
        current = signature
        since = now
    }
}

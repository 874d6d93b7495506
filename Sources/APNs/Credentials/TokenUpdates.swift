/// Limits how often a provider token changes. Reuse is free; returning to an earlier token counts as a change.
public struct TokenUpdates: Sendable {
    private var current: [UInt8]?
    private var since = Instant(milliseconds: 0)

    public init() {}

    /// Whether the token may change. If the gateway's clock was set back, the interval counts as over.
    public func mayChange(at now: Instant, interval: Duration) -> Bool {
        current == nil || now < since || now.since(since) >= interval
    }

    public mutating func use(_ signature: [UInt8], now: Instant, interval: Duration) throws(APNsRejection) {
        guard current != signature else { return }
        if !mayChange(at: now, interval: interval) {
            let wait = interval - now.since(since)
            throw APNsRejection(
                .tooManyProviderTokenUpdates, "token.updates",
                "A second new token \(TokenPolicy.words(now.since(since))) after the last; use the old one for another "
                    + "\(TokenPolicy.words(wait)). Share one token between workers, and renew it every 20 to 60 minutes."
            )
        }
        current = signature
        since = now
    }
}

internal import DeviceModel
internal import Fields

/// Waits of any length, made of several requests, since proxies end silent connections.
enum Waiting {
    /// How long one request may wait.
    private static let longestRequest = Duration.seconds(20)

    /// What `wait` in a query is to be.
    struct Turn {
        /// In whole milliseconds, rounded up, so that the last request does not come back early.
        var words: String
        /// When nobody will answer any more.
        var timeout: Duration
    }

    /// Asks until the outcome is not that time is up, or it is.
    static func ask<Page>(
        for duration: Duration, outcome: (Page) -> NotificationsAnswer.Outcome?, _ ask: (Turn) async throws -> Page
    ) async throws -> Page {
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: duration)
        while true {
            let wait = min(max(.zero, clock.now.duration(to: deadline)), longestRequest)
            let page = try await ask(Turn(words: words(wait), timeout: wait + .seconds(10)))
            if outcome(page) == .timeout, clock.now < deadline { continue }
            return page
        }
    }

    private static func words(_ wait: Duration) -> String {
        let parts = wait.components
        let milliseconds = parts.seconds * 1000 + (parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return DurationText.text(.milliseconds(milliseconds))
    }
}

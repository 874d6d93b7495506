package import APNs

/// Lengths and points of time, and numbers between bounds.
extension FieldFormat {
    /// A length of time: `5s`, `250ms`, `PT1H`.
    package static var duration: FieldFormat<Duration> {
        text(
            "a duration such as 5s, 250ms, 2m or PT1H", read: { Duration(written: $0) }, write: { $0.writtenText })
    }

    /// A point in time, in UTC or with an offset.
    package static var instant: FieldFormat<Instant> {
        text(
            "a time such as 2026-11-21T07:00:00Z or 2026-11-21T16:00:00+09:00",
            read: { Instant(written: $0) }, write: { $0.text })
    }
}

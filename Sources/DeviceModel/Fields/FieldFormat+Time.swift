package import APNs
package import Fields

/// Lengths and points of time, and numbers between bounds.
extension FieldFormat {
    /// A length of time: `5s`, `250ms`, `PT1H`.
    package static var duration: FieldFormat<Duration> {
        text(
            "a duration such as 5s, 250ms, 2m or PT1H", form: TextForm(pattern: DurationText.pattern),
            read: { Duration(written: $0) }, write: { $0.writtenText })
    }

    /// A point in time, in UTC or with an offset.
    package static var instant: FieldFormat<Instant> {
        text(
            "a time such as 2026-11-21T07:00:00Z or 2026-11-21T16:00:00+09:00",
            form: TextForm(pattern: InstantText.pattern),
            read: { Instant(written: $0) }, write: { $0.text })
    }
}

/// Points in time as people write them: ISO 8601 with at most three digits behind the second.
package enum InstantText {
    /// What they look like, as a regular expression.
    package static let pattern =
        "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{3})?"
        + "(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$"
}

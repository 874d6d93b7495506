/// The unit in which a time since 1970 was probably sent where seconds are expected.
package enum EpochUnit: String, Sendable {
    case milliseconds, microseconds, nanoseconds

    /// nil for a date before the year 3000.
    package init?(ofSeconds seconds: Double) {
        let year3000 = 32_503_680_000.0
        switch seconds {
        case ...year3000: return nil
        case ...(year3000 * 1e3): self = .milliseconds
        case ...(year3000 * 1e6): self = .microseconds
        default: self = .nanoseconds
        }
    }
}

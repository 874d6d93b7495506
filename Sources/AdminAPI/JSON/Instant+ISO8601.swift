internal import APNs

extension Instant {
    /// ISO 8601 with milliseconds, UTC: `2026-11-21T07:16:04.000Z`.
    var iso8601: String {
        let (days, millisecondsOfDay) = milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
        let (year, month, day) = Self.civil(days)
        let seconds = millisecondsOfDay / 1000
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        let date = [Self.padded(year, 4), Self.padded(month, 2), Self.padded(day, 2)].joined(separator: "-")
        return "\(date)T\(time).\(Self.padded(millisecondsOfDay % 1000, 3))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// The proleptic Gregorian date of a day counted from 1970-01-01, by 400-year eras that begin on 1 March.
    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = (days + 719_468).flooredQuotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    fileprivate func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension JSONTree {
    static func time(_ instant: Instant) -> JSONTree { .string(instant.iso8601) }
}

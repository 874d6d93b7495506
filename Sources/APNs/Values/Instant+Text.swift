extension Instant {
    /// Whole seconds since 1970.
    public init(wholeSeconds seconds: Int64) { self.init(milliseconds: seconds.multipliedReportingOverflow(by: 1000).partialValue) }

    /// ISO 8601 in UTC with milliseconds: `2026-11-21T07:10:29.000Z`.
    public var text: String {
        let day = Self.floorDivide(milliseconds, 86_400_000)
        let date = Self.date(fromDay: day)
        let time = milliseconds - day * 86_400_000
        let clock = [time / 3_600_000, time / 60000 % 60, time / 1000 % 60].map { Self.padded($0, 2) }
        return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))-\(Self.padded(date.day, 2))"
            + "T\(clock.joined(separator: ":")).\(Self.padded(time % 1000, 3))Z"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }

    /// The Gregorian date of a day counted from 1970-01-01. Years are counted from March, so that the leap day is a year's
    /// last; 400 years have 146,097 days.
    private static func date(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468    // days from 0000-03-01 to 1970-01-01
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1
        )
    }
}

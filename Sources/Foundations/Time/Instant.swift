/// Whole milliseconds since 1970-01-01T00:00:00Z, the unit of APNs' `timestamp`.
public struct Instant: Hashable, Comparable, Sendable {
    public var milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// - Parameter seconds: Since 1970; truncated to milliseconds.
    public init(seconds: Double) { milliseconds = Int64(max(-9e15, min(9e15, seconds * 1000))) }

    public var seconds: Double { Double(milliseconds) / 1000 }

    public static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }

    /// Saturates.
    public func advanced(by milliseconds: Int64) -> Instant {
        Instant(milliseconds: self.milliseconds.addingSaturated(milliseconds))
    }

    public func advanced(by duration: Duration) -> Instant { advanced(by: duration.wholeMilliseconds) }

    /// Negative when `self` is before `earlier`; saturates.
    public func milliseconds(since earlier: Instant) -> Int64 {
        milliseconds.subtractingSaturated(earlier.milliseconds)
    }

    public func since(_ earlier: Instant) -> Duration { .milliseconds(milliseconds(since: earlier)) }
}

extension Duration {
    /// Rounded towards zero; saturates.
    fileprivate var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        return product.addingSaturated(attoseconds / 1_000_000_000_000_000)
    }
}

/// Lengths of time in milliseconds.
extension Int64 {
    package static var minute: Int64 { 60_000 }
    package static var hour: Int64 { 3_600_000 }
    package static var day: Int64 { 86_400_000 }
}

extension Int64 {
    fileprivate func addingSaturated(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    fileprivate func subtractingSaturated(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

extension Instant {
    public init(wholeSeconds seconds: Int64) {
        self.init(milliseconds: seconds.multipliedReportingOverflow(by: 1000).partialValue)
    }

    /// Seconds since 1970, rounded down.
    public var wholeSeconds: Int64 { Self.floorDivide(milliseconds, 1000) }

    /// Days since 1970-01-01 UTC, rounded down.
    public var day: Int64 { Self.floorDivide(milliseconds, .day) }

    /// ISO 8601 in UTC with milliseconds: `2026-11-21T07:10:29.000Z`. Saturates at the years 0000 and 9999: a year of
    /// more digits could not be read back.
    public var text: String {
        let shown = Instant(milliseconds: max(-62_167_219_200_000, min(253_402_300_799_999, milliseconds)))
        let date = Self.date(fromDay: shown.day)
        let time = shown.milliseconds - shown.day * .day
        let clock = [time / .hour, time / .minute % 60, time / 1000 % 60].map { $0.padded(to: 2) }
        return "\(date.year.padded(to: 4))-\(date.month.padded(to: 2))-\(date.day.padded(to: 2))"
            + "T\(clock.joined(separator: ":")).\((time % 1000).padded(to: 3))Z"
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }

    /// The Gregorian date of a day since 1970-01-01. Years start in March, so a leap day ends its year; 400 years have
    /// 146,097 days.
    public static func date(fromDay day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = day + 719_468  // days from 0000-03-01 to 1970-01-01
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}

extension BinaryInteger {
    /// With zeros before the digits, as in `007`.
    package func padded(to count: Int, radix: Int = 10) -> String {
        let digits = String(magnitude, radix: radix)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

extension Instant {
    /// Parses ISO 8601 in UTC or with an offset, with or without milliseconds: `2026-11-21T16:10:29.000+09:00`.
    /// Rejects second 60, which Unix time cannot represent.
    public init?(text: String) {
        let bytes = Array(text.utf8)
        let isUTC = bytes.last == UInt8(ascii: "Z")
        let zone = bytes.count - (isUTC ? 1 : 6)
        guard zone == 19 || zone == 23, isUTC || [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(bytes[zone]) else {
            return nil
        }
        var separators: [(Int, Character)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        if zone == 23 { separators.append((19, ".")) }
        if !isUTC { separators.append((zone + 3, ":")) }
        guard separators.allSatisfy({ bytes[$0.0] == $0.1.asciiValue }) else { return nil }
        func number(_ range: Range<Int>) -> Int64? {
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19),
            let fraction = zone == 23 ? number(20..<23) : 0,
            let zoneHour = isUTC ? 0 : number(zone + 1..<zone + 3),
            let zoneMinute = isUTC ? 0 : number(zone + 4..<zone + 6),
            (1...12).contains(month), hour < 24, minute < 60, second < 60, zoneHour < 24, zoneMinute < 60
        else { return nil }
        let date = Self.day(year: year, month: month, day: day)
        // A day that the month does not have yields a different date.
        guard Self.date(fromDay: date) == (year, month, day) else { return nil }
        let offset = (zoneHour * 3600 + zoneMinute * 60) * (bytes[zone] == UInt8(ascii: "-") ? -1 : 1)
        let seconds = date * 86400 + hour * 3600 + minute * 60 + second - offset
        milliseconds = seconds * 1000 + fraction
    }

    /// The inverse of `date(fromDay:)`.
    public static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let era = floorDivide(marchYear, 400)
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Instant {
    /// Later than every date.
    public static var never: Instant { Instant(milliseconds: .max) }

    /// The earlier of two instants; nil means never.
    public static func earlier(_ first: Instant?, _ second: Instant?) -> Instant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }
}

extension Instant: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let instant = Instant(text: text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "'\(text.prefix(40))' is not a time such as 2026-11-21T07:10:29.000Z")
        }
        self = instant
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

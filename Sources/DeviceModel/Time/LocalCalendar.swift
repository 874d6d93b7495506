package import APNs
internal import Fields
internal import Foundation

/// What the clock and the calendar on the wall say in a time zone.
///
/// Days are counted from 1970-01-01. Making one costs a look-up that Foundation remembers (16 µs at first, 0.3 µs
/// afterwards), asking it for an offset 0.1 µs; so nothing is remembered here.
package struct LocalCalendar: Sendable, Hashable {
    /// The zone's name as it was given, such as `Asia/Tokyo`.
    package let timeZone: String
    private let zone: TimeZone

    /// Makes the calendar of a zone.
    ///
    /// - Parameter timeZone: an IANA name, in its exact spelling; Foundation's abbreviations (`JST`, `GMT+3`) pass too.
    /// - Returns: nil for an unknown zone.
    package init?(timeZone: String) {
        guard let zone = TimeZone(identifier: timeZone) else { return nil }
        self.timeZone = timeZone
        self.zone = zone
    }

    /// Seconds to add to UTC at an instant.
    package func offset(at instant: Instant) -> Int64 { offset(atSecond: Self.floorDivide(instant.milliseconds, 1000)) }

    /// The local day of an instant, counted from 1970-01-01.
    package func day(at instant: Instant) -> Int64 {
        let second = Self.floorDivide(instant.milliseconds, 1000)
        return Self.floorDivide(second + offset(atSecond: second), 86400)
    }

    /// The local day of the week at an instant.
    package func weekday(at instant: Instant) -> Weekday { Weekday(ofDay: day(at: instant)) }

    /// The first instant after another at which a time comes; `instant(of:onDay:)` says which one of a day counts.
    package func next(_ time: WallTime, after instant: Instant) -> Instant {
        var day = day(at: instant)
        while true {
            let candidate = self.instant(of: time, onDay: day)
            if candidate > instant { return candidate }
            day += 1
        }
    }

    /// When the clock shows a time on a day.
    ///
    /// Of a time that comes twice the first one counts (H.4). A time that is skipped comes when the clock has jumped:
    /// 02:30 at 03:00 (Assumption).
    ///
    /// - Parameter day: counted from 1970-01-01 on the zone's own calendar.
    package func instant(of time: WallTime, onDay day: Int64) -> Instant {
        let wall = day * 86400 + Int64(time.hour) * 3600 + Int64(time.minute) * 60
        // No zone is further than a day from UTC, and none changes its clock twice within two days.
        let before = wall - 86400
        let after = wall + 86400
        // Where both offsets fit the time comes twice; the one before the change is that of the first.
        let candidates = [before, after].map { wall - offset(atSecond: $0) }
        let first = candidates.first { $0 + offset(atSecond: $0) == wall }
        return Instant(wholeSeconds: first ?? endOfGap(skipping: wall, between: before, and: after))
    }

    /// The first second whose wall clock is past a time that the zone skips.
    private func endOfGap(skipping wall: Int64, between before: Int64, and after: Int64) -> Int64 {
        var (early, late) = (before, after)
        while late - early > 1 {
            let middle = (early + late) / 2
            if middle + offset(atSecond: middle) > wall { late = middle } else { early = middle }
        }
        return late
    }

    private func offset(atSecond second: Int64) -> Int64 {
        Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second))))
    }

    private static func floorDivide(_ number: Int64, _ divisor: Int64) -> Int64 {
        number >= 0 ? number / divisor : -((-number + divisor - 1) / divisor)
    }
}

extension LocalCalendar {
    /// ISO 8601 with milliseconds and the zone's offset: `2026-01-05T09:00:00.000+09:00`.
    ///
    /// Of an offset with seconds, as cities had before 1900 or so, the seconds stay in the time, since ISO 8601 has no
    /// place for them in the offset.
    package func text(_ instant: Instant) -> String {
        let minutes = offset(at: instant) / 60
        let shifted = Instant(milliseconds: instant.milliseconds + minutes * 60000)
        let clock = WallTime(hour: Int(minutes.magnitude / 60), minute: Int(minutes.magnitude % 60))
        return "\(shifted.text.dropLast())\(minutes < 0 ? "-" : "+")\(clock.text)"
    }
}

extension LocalCalendar {
    package static func isValid(_ name: String) -> Bool { TimeZone(identifier: name) != nil }

    /// The zones whose names are most like an unknown one, the nearest first, for an error message.
    ///
    /// The name is compared with whole names and with their cities: `Tokio` and `asia/tokyo` both find `Asia/Tokyo`.
    package static func names(near name: String, count: Int = 3) -> [String] {
        let wanted = name.lowercased().prefix(64)
        let known = (TimeZone.knownTimeZoneIdentifiers + ["UTC"]).map { known -> (name: String, distance: Int) in
            let whole = known.lowercased()
            let city = whole.split(separator: "/").last ?? ""
            return (known, min(NearestName.distance(wanted, whole), NearestName.distance(wanted, city)))
        }
        return known.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(count).map(\.name)
    }
}

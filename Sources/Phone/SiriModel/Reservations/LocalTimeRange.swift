internal import DeviceModel
package import Fields
package import Time

/// A wall time with its time zone (`DateComponents`).
package struct LocalTime: FieldDescribed, Hashable {
    /// The wall time, read as UTC.
    package var wall: Instant?
    /// nil counts as UTC (G.1).
    package var timeZone: String?

    package init() {}

    package init(_ instant: Instant, in timeZone: String) {
        self.timeZone = timeZone
        wall = LocalCalendar(timeZone: timeZone)?.wall(at: instant)
    }

    package var instant: Instant? {
        guard let wall else { return nil }
        return LocalCalendar(timeZone: timeZone ?? "UTC")?.instant(ofWall: wall)
    }

    package static let fields: [Field<LocalTime>] = [
        Field("local", \.wall, .optional(.wall), "What a clock in the time zone shows.").required,
        Field("tz", \.timeZone, .optional(.timeZone), "The IANA name of its time zone; UTC if absent."),
    ]
}

/// `INDateComponentsRange`.
package struct LocalTimeRange: FieldDescribed, Hashable {
    package var start: LocalTime?
    package var end: LocalTime?

    package init() {}

    package init(_ start: LocalTime?, _ end: LocalTime?) { (self.start, self.end) = (start, end) }

    /// Whether every time names its zone.
    var hasTimeZones: Bool { [start, end].allSatisfy { $0 == nil || $0?.timeZone != nil } }

    package static let fields: [Field<LocalTimeRange>] = [
        Field("start", \.start, .optional(.object), "When it starts."),
        Field("end", \.end, .optional(.object), "When it ends; absent if unknown."),
    ]

    package static let checks: [FieldCheck<LocalTimeRange>] = [
        FieldCheck(at: "end", found: "is before start", remedy: "accepted: start or a later time") { range in
            guard let start = range.start?.instant, let end = range.end?.instant else { return false }
            return end < start
        }
    ]
}

extension FieldFormat {
    static var wall: FieldFormat<Instant> {
        text(
            "a local time without an offset, such as 2026-01-05T10:00:00",
            form: TextForm(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$"),
            read: { Instant(wall: $0) }, write: { String($0.text.prefix(19)) })
    }
}

extension Instant {
    /// Reads `2026-01-05T10:00` or `2026-01-05T10:00:00`.
    init?(wall text: String) {
        guard [16, 19].contains(text.utf8.count) else { return nil }
        self.init(text: text.utf8.count == 16 ? "\(text):00Z" : "\(text)Z")
    }
}

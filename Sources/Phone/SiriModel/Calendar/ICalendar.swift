internal import Time

/// The events as a file that calendars import (RFC 5545).
package struct ICalendar {
    package private(set) var text = ""

    /// - Parameter device: Makes UIDs unique among devices.
    package init(_ items: [CalendarItem], device: String, locale: String) {
        for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Pushcote//Siri Suggestions//EN"] { add(line) }
        for item in items where item.state != .stored && item.state != .ignored {
            add(item, EventContent(item.reservation, locale: locale), device)
        }
        add("END:VCALENDAR")
    }

    private mutating func add(_ item: CalendarItem, _ content: EventContent, _ device: String) {
        guard let start = content.start, let end = content.end else { return }
        add("BEGIN:VEVENT")
        add("UID:\(Self.escaped("\(item.number)@\(device)"))")
        add("DTSTAMP:\(Self.time(item.updatedAt))")
        add("SEQUENCE:\(item.revision)")
        add("DTSTART:\(Self.time(start))")
        add("DTEND:\(Self.time(end))")
        add("SUMMARY:\(Self.escaped(content.title))")
        if let place = content.place, !place.text.isEmpty { add("LOCATION:\(Self.escaped(place.text))") }
        if let place = content.place, let latitude = place.latitude, let longitude = place.longitude {
            add("GEO:\(latitude);\(longitude)")
        }
        if !content.notes.isEmpty { add("DESCRIPTION:\(Self.escaped(content.notes.joined(separator: "\n")))") }
        if let url = item.reservation.url, url.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) {
            add("URL:\(url)")
        }
        let status =
            switch item.state {
            case .cancelled: "CANCELLED"
            case .added: "CONFIRMED"
            case .inbox, .stored, .ignored: "TENTATIVE"
            }
        add("STATUS:\(status)")
        add("END:VEVENT")
    }

    /// In UTC, so no VTIMEZONE is needed: `20260105T180000Z`.
    private static func time(_ instant: Instant) -> String {
        instant.text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    /// A TEXT value (3.3.11); other control characters are not allowed.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\\", ";", ",": escaped += "\\\(scalar)"
            case "\n": escaped += "\\n"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }

    /// Folded after 75 octets at most, never inside a character (3.1).
    private mutating func add(_ line: String) {
        var length = 0
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if length + size > 75 {
                text += "\r\n "
                length = 1
            }
            text.unicodeScalars.append(scalar)
            length += size
        }
        text += "\r\n"
    }
}

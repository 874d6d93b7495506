internal import APNs
internal import DeviceModel
internal import Fields
package import JSON
internal import LiveModel
internal import SiriModel

package struct CalendarAnswer: APIShape {
    package var whatsNewAcknowledged: Bool
    package var travelTime: String?
    /// In the order in which Siri found them.
    package var events: [CalendarEventAnswer]
    package var evicted: Int

    init(_ table: CalendarTable, _ context: LiveContext) {
        whatsNewAcknowledged = table.settings.isWhatsNewAcknowledged
        travelTime = table.settings.travelTime.map { DurationText.text(.milliseconds($0)) }
        let suggestions = Dictionary(grouping: table.suggestions(context), by: \.event)
        events = table.items.map { CalendarEventAnswer($0, suggestions[$0.number] ?? [], context) }
        evicted = table.evictedCount
    }
}

/// A reservation and its event.
package struct CalendarEventAnswer: APIShape {
    package var event: UInt64
    package var state: String
    package var status: String
    package var source: String
    package var app: String?
    package var item: JSONValue
    package var container: JSONValue?
    package var title: String
    package var start: EventTime?
    package var end: EventTime?
    package var isEndAssumed: Bool
    package var location: EventLocation?
    package var notes: [String]
    /// The words of the link: "Show in Flights".
    package var link: String?
    package var suggestions: [EventSuggestion]
    package var revision: Int
    package var updatedAt: String

    /// In the reservation's time zone and in the device's.
    package struct EventTime: APIShape {
        package var at: String
        package var timeZone: String
        package var local: String?
        package var onDevice: String?

        init(_ instant: Instant, _ zone: String, _ device: LocalCalendar?) {
            (at, timeZone) = (instant.text, zone)
            local = LocalCalendar(timeZone: zone)?.text(instant)
            onDevice = device?.text(instant)
        }
    }

    package struct EventLocation: APIShape {
        package var name: String?
        package var address: String?
        package var latitude: Double?
        package var longitude: Double?
    }

    package struct EventSuggestion: APIShape {
        package var kind: String
        package var title: String
        package var from: String
        package var to: String
    }

    init(_ item: CalendarItem, _ suggestions: [ReservationSuggestion], _ context: LiveContext) {
        let content = EventContent(item.reservation, locale: context.device.locale)
        (event, state, revision) = (item.number, item.state.rawValue, item.revision)
        (status, source, app) = (item.reservation.status.rawValue, item.source.kind.rawValue, item.source.app)
        (self.item, container) = (item.reservation.itemReference.json, item.container?.json)
        (title, notes, isEndAssumed) = (content.title, content.notes, content.isEndAssumed)
        let calendar = context.device.calendar
        start = content.start.map { EventTime($0, content.startZone, calendar) }
        end = content.end.map { EventTime($0, content.endZone, calendar) }
        location = content.place.map {
            EventLocation(name: $0.name, address: $0.address, latitude: $0.latitude, longitude: $0.longitude)
        }
        link = item.link(context)
        updatedAt = item.updatedAt.text
        self.suggestions = suggestions.map {
            EventSuggestion(kind: $0.kind.rawValue, title: $0.title, from: $0.from.text, to: $0.to.text)
        }
    }
}

package struct CalendarActAnswer: APIShape {
    /// What the app is launched with, or the page that Safari opens.
    package var launch: JSONValue?
    package var events: [EventAnswer]
}

/// What Siri takes from a mail or a page.
package struct MarkupAnswer: APIShape {
    package var reservations: [JSONValue]
    package var findings: [FindingAnswer]
    package var events: [EventAnswer]
}

internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
package import SiriModel
internal import Time

/// Reservations in a device's calendar, and the mails and pages that Siri finds them in.
extension AdminAPI {
    var calendarEndpoints: [Endpoint] {
        let path = "/devices/{name}/calendar"
        return [
            Endpoint(
                .get, path, .events, "The events that Siri made from reservations", id: "calendar",
                about: """
                    Texts are in the device's language. Siri adds an event to the inbox of the calendar *Siri
                    Suggestions*; the person adds or ignores it there.
                    """,
                answer: "The calendar.", errors: [404]
            ) { request in try answer(about: try request.deviceName()) },
            Endpoint(
                .patch, path, .events, "Set what a person sets in Calendar", id: "setCalendar",
                body: .required("CalendarSettingsEdit"), answer: "The calendar.", errors: [404, 409]
            ) { request in
                let device = try self.device(request).name
                let members = try await request.members(isNeeded: true)
                try edits.perform {
                    var settings = try calendar(of: device) { table, _ in table.settings }
                    try settings.apply(.object(members), besides: CalendarAnswer.readOnly)
                    try gateway.perform(.calendar(.settings(settings)), on: device)
                }
                return try answer(about: device)
            },
            Endpoint(
                .get, path + ".ics", .events, "The events as a file that calendars import (RFC 5545)",
                id: "calendarFile", answers: [.ok("The file; times are in UTC.", as: ["text/calendar"])],
                errors: [404]
            ) { request in
                let (items, name, locale) = try calendar(of: try request.deviceName()) { table, context in
                    (table.items, context.deviceName, context.device.locale)
                }
                let file = ICalendar(items, device: name, locale: locale)
                return Response(bytes: Array(file.text.utf8), type: "text/calendar; charset=utf-8")
            },
            Endpoint(
                .post, path + "/{event}", .events, "Do what a person does with an event", id: "actOnCalendarEvent",
                about: """
                    `add` and `ignore` answer for it in the calendar's inbox. `open` taps its link, `checkIn` its
                    check-in suggestion; the answer has what the app is launched with, or the page that Safari opens on
                    a device without the app.
                    """,
                body: .required("CalendarEventAct"), answer: "It is done.", errors: [404, 409], act),
            Endpoint(
                .post, "/devices/{name}/markup", .events, "Let Siri find the reservations in a mail or a web page",
                id: "takeMarkup",
                about: """
                    The body is HTML with schema.org's reservations as JSON-LD or Microdata, or JSON-LD alone. What
                    Siri takes changes the calendar as an app's donation does; a reservation that an app donates, too,
                    is recognized by its number, type and day. What is wrong in the markup is a finding, not an error.
                    """,
                body: .any("At most 1 MiB.", as: ["text/html", "application/ld+json", "application/json"]),
                answer: "What Siri takes from it.", errors: [404, 409], query: ["source"], takeMarkup),
        ]
    }

    private func calendar<Result: Sendable>(
        of name: String, _ body: (CalendarTable, DeviceContext) -> Result
    ) throws(AdminError) -> Result {
        let device = try gateway.device(named: name).name
        let found = gateway.simulator.withSiri(of: device, at: gateway.now()) { state, context in
            body(state.calendar, context)
        }
        return try found.found(or: "There is no device '\(device)'.")
    }

    private func answer(about device: String) throws(AdminError) -> CalendarAnswer {
        try calendar(of: device) { table, context in CalendarAnswer(table, context) }
    }

    private func act(_ request: AdminRequest) async throws -> CalendarActAnswer {
        let device = try request.deviceName()
        let number: UInt64 = try request.number("event")
        let body = try await request.object(accepting: ["act", "isWhole"])
        let act = body.required("act", .word(CalendarAct.self))
        let isWhole = body.value("isWhole", .flag) ?? false
        try body.finish()
        let input: CalendarInput =
            switch act {
            case .add, nil: .add(number)
            case .ignore: .ignore(number)
            case .open: .open(number, isWhole: isWhole)
            case .checkIn: .checkIn(number)
            }
        let events = try gateway.perform(.calendar(input), on: device)
        let launch = events.first { $0.kind == .appLaunch }.map { event in
            JSONValue.object(event.details).adding(["app": event.app.map { .string($0) }])
        }
        return CalendarActAnswer(launch: launch, events: events.map { EventAnswer($0) })
    }

    private func takeMarkup(_ request: AdminRequest) async throws -> MarkupAnswer {
        let device = try self.device(request).name
        let source = try request.query.value("source", .word(MarkupSource.self)) ?? .mail
        let markup = Markup(try await request.body(limit: Markup.byteLimit))
        let donation = ReservationDonation(markup.reservations)
        var events: [DeviceEvent] = []
        if !markup.reservations.isEmpty {
            events = try gateway.perform(.calendar(.markup(donation, source == .mail ? .mail : .web)), on: device)
        }
        return MarkupAnswer(
            reservations: markup.reservations.map(\.json), findings: markup.findings.map { FindingAnswer($0) },
            events: events.map { EventAnswer($0) })
    }
}

private enum CalendarAct: String, CaseIterable { case add, ignore, open, checkIn }

private enum MarkupSource: String, CaseIterable { case mail, web }

struct CalendarAnswer: APIShape {
    var whatsNewAcknowledged: Bool
    var travelTime: String?
    /// In the order in which Siri found them.
    var events: [CalendarEventAnswer]
    var evicted: Int

    /// Ignored so that a client can send an answer back.
    static let readOnly = ["events", "evicted"]

    static let shape = Shape([
        "whatsNewAcknowledged": "Whether the person has seen the What's New screen of Calendar.",
        "travelTime": "How long the way to any place takes; absent if it is computed.",
        "evicted": "How many reservations gave way to newer ones.",
    ])

    init(_ table: CalendarTable, _ context: DeviceContext) {
        whatsNewAcknowledged = table.settings.isWhatsNewAcknowledged
        travelTime = table.settings.travelTime.map { DurationText.text(.milliseconds($0)) }
        let suggestions = Dictionary(grouping: table.suggestions(context), by: \.event)
        events = table.items.map { item in
            let content = EventContent(item.reservation, locale: context.device.locale)
            return CalendarEventAnswer(
                (item, content, suggestions[item.number] ?? [], item.link(context), context.device.calendar))
        }
        evicted = table.evictedCount
    }
}

/// A reservation and its event.
struct CalendarEventAnswer: AnswerTable {
    typealias Parts = (
        item: CalendarItem, content: EventContent, suggestions: [ReservationSuggestion], link: String?,
        calendar: LocalCalendar?
    )
    let source: Parts

    static let rows: [Row<Parts>] = [
        Row("event", \.item.number, .positive("Its number on the device.")),
        Row("state", \.item.state, "A stored reservation has no event: it is not confirmed."),
        Row("status", \.item.reservation.status, "As donated last."),
        Row("source", \.item.source.kind),
        Row("app", \.item.source.app, .filled()),
        Row("item", \.item.reservation.itemReference.json, .ref("SpokenReference")),
        Row("container", \.item.container?.json, .ref("SpokenReference")),
        Row("title", \.content.title),
        Row("start") { parts in
            parts.content.start.map { EventTime($0, parts.content.startZone, parts.calendar) }
        },
        Row("end") { parts in
            parts.content.end.map { EventTime($0, parts.content.endZone, parts.calendar) }
        },
        Row("isEndAssumed", \.content.isEndAssumed, "Whether the end is the default of the reservation's type."),
        Row("location", \.content.place),
        Row("notes", \.content.notes),
        Row(
            "link", \.link,
            "The words of the link, such as Show in Flights; absent if nothing can open."),
        Row("suggestions") { $0.suggestions.map { EventSuggestion($0) } },
        Row("revision", \.item.revision, "How often it changed."),
        Row("updatedAt", \.item.updatedAt),
    ]

    /// In the reservation's time zone and in the device's.
    struct EventTime: APIShape {
        var at: Instant
        var timeZone: String
        var local: String?
        var onDevice: String?

        static let shape = Shape(
            name: "CalendarEventTime",
            [
                "timeZone": .filled("The reservation's."),
                "local": "In that time zone.",
                "onDevice": "In the device's time zone.",
            ])

        init(_ instant: Instant, _ zone: String, _ device: LocalCalendar?) {
            (at, timeZone) = (instant, zone)
            local = LocalCalendar(timeZone: zone)?.text(instant)
            onDevice = device?.text(instant)
        }
    }

    struct EventSuggestion: AnswerTable {
        let source: ReservationSuggestion

        static let rows: [Row<ReservationSuggestion>] = [
            Row("kind", \.kind), Row("title", \.title), Row("from", \.from), Row("to", \.to, "Included."),
        ]

        static let shape = Shape(name: "CalendarEventSuggestion", of: rows)
    }
}

extension EventPlace: APIShape {
    package static let shape = Shape(
        name: "CalendarEventLocation",
        [
            "latitude": .with("minimum: -90, maximum: 90"),
            "longitude": .with("minimum: -180, maximum: 180"),
        ])
}

struct CalendarActAnswer: APIShape {
    /// The app's launch activity, or the page that Safari opens.
    var launch: JSONValue?
    var events: [EventAnswer]

    static let shape = Shape(["launch": .ref("CalendarLaunch")])
}

/// The result of reading a mail or a page.
struct MarkupAnswer: APIShape {
    var reservations: [JSONValue]
    var findings: [FindingAnswer]
    var events: [EventAnswer]

    static let shape = Shape(["reservations": .list("Reservation")])
}

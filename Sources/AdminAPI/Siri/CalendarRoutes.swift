internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON
internal import LiveModel
internal import SiriModel

/// Reservations in a device's calendar, and the mails and pages that Siri finds them in.
extension AdminAPI {
    var calendarEndpoints: [Endpoint] {
        let path = "/devices/{name}/calendar"
        return [
            Endpoint(.get, path) { request in Response(try calendar(of: try request.deviceName())) },
            Endpoint(.patch, path) { request in
                let device = try request.deviceName()
                var settings = try scene(of: device).table.settings
                try settings.apply(.object(try await request.members(isNeeded: true)))
                try gateway.perform(.calendar(.settings(settings)), on: device)
                return Response(try calendar(of: device))
            },
            Endpoint(.get, path + ".ics") { request in
                let (table, context) = try scene(of: try request.deviceName())
                let file = ICalendar(table.items, device: context.deviceName, locale: context.device.locale)
                return Response(bytes: Array(file.text.utf8), type: "text/calendar; charset=utf-8")
            },
            Endpoint(.post, path + "/{event}", act),
            Endpoint(.post, "/devices/{name}/markup", query: ["source"], takeMarkup),
        ]
    }

    private func scene(of name: String) throws(AdminError) -> (table: CalendarTable, context: LiveContext) {
        let device = try gateway.device(named: name).name
        guard let (state, context) = gateway.simulator.siri(of: device, at: gateway.now()) else {
            throw .notFound("There is no device '\(device)'.")
        }
        return (state.calendar, context)
    }

    private func calendar(of device: String) throws -> CalendarAnswer {
        let (table, context) = try scene(of: device)
        return CalendarAnswer(table, context)
    }

    private func act(_ request: AdminRequest) async throws -> Response {
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
        return Response(CalendarActAnswer(launch: launch, events: events.map { EventAnswer($0) }))
    }

    private func takeMarkup(_ request: AdminRequest) async throws -> Response {
        let device = try gateway.device(named: try request.deviceName()).name
        let source = try request.query.value("source", .word(MarkupSource.self)) ?? .mail
        let markup = Markup(try await request.body(limit: Markup.byteLimit))
        var donation = ReservationDonation()
        donation.reservations = markup.reservations
        var events: [DeviceEvent] = []
        if !markup.reservations.isEmpty {
            events = try gateway.perform(.calendar(.markup(donation, source == .mail ? .mail : .web)), on: device)
        }
        return Response(
            MarkupAnswer(
                reservations: markup.reservations.map(\.json), findings: markup.findings.map { FindingAnswer($0) },
                events: events.map { EventAnswer($0) }))
    }
}

private enum CalendarAct: String, CaseIterable { case add, ignore, open, checkIn }

private enum MarkupSource: String, CaseIterable { case mail, web }

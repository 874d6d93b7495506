internal import APNs
package import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import HTTPTypes
internal import HummingbirdCore
internal import Pictures
internal import Time

/// What happened on a device on one day, as values and as a plot.
extension AdminAPI {
    var dayEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/devices/{name}/day", .events, "What happened on the device on one day", id: "day",
                about: """
                    The Focuses, outages, summaries and pushes from midnight to midnight in the device's time zone. It
                    includes pushes of earlier days that were shown, or waited, on this one. The plot is in `day.svg`.
                    """,
                answer: "The day, from the device's log and inbox.", errors: [404], query: ["date"]
            ) { request in DayAnswer(try day(request)) },
            Endpoint(
                .get, "/devices/{name}/day.svg", .events, "What happened on the device on one day, as a plot",
                id: "dayPicture", answers: [.picture, .unmodified("The picture matches `If-None-Match`.")],
                errors: [404], query: ["date", "appearance"]
            ) { request in
                let day = try day(request)
                let appearance = try request.appearance()
                return request.svg(DayPicture(day, appearance: appearance).svg, appearance)
            },
        ]
    }

    private func day(_ request: AdminRequest) throws -> DeviceDay {
        let device = try self.device(request)
        let date = request.query["date"] == "latest" ? latestDate(of: device.name) : try Self.date(request)
        return try gateway.simulator.day(date, of: device.name, now: gateway.now()).found(
            or: "There is no device '\(device.name)'.")
    }

    /// The day of the newest push; nil without one.
    private func latestDate(of device: String) -> LocalDate? {
        let newest = NotificationQuery(device: device, before: .max, limit: 1)
        guard let latest = gateway.simulator.notifications(newest).items.first else { return nil }
        return gateway.simulator.conditions(of: device)?.calendar.map {
            LocalDate(day: $0.day(at: latest.push.receivedAt))
        }
    }

    private static func date(_ request: AdminRequest) throws(AdminError) -> LocalDate? {
        guard let text = request.query["date"] else { return nil }
        guard let date = LocalDate(text: text) else {
            throw .badRequest(
                "'date' is '\(text.prefix(40))'; it must be a date such as 2026-11-23, in the device's time zone, or latest "
                    + "for the day of its newest push. Without it, the answer is about the device's today.")
        }
        return date
    }
}

struct DayAnswer: AnswerTable {
    let source: DeviceDay

    static let rows: [Row<DeviceDay>] = [
        Row("device", \.device),
        Row("date", \.date.text, .with("format: date")),
        Row("timeZone", \.timeZone),
        Row("from", \.range.lowerBound, "The day's midnight."),
        Row("to", \.range.upperBound, "The next midnight, 23 to 25 hours later."),
        Row("now", \.now),
        Row("focus", \.focus, "When a Focus was on."),
        Row("outages", \.outages, "When nothing could reach the device."),
        Row(
            "summaries",
            {
                $0.summaries.map {
                    Summary(at: $0.at, isDelivered: $0.notifications != nil, notifications: $0.notifications)
                }
            },
            "Scheduled summaries that were delivered, then those that are due later on this day."),
        Row("lanes", \.lanes, "The pushes by app, most pushes first."),
        Row("omittedCount", \.omittedCount, "How many older pushes are left out; at most 10,000 are listed."),
        Row("hasGap", \.hasGap, "Whether the day's beginning was evicted from the log or the inbox."),
    ]

    struct Summary: APIShape {
        var at: Instant
        var isDelivered: Bool
        var notifications: [UInt64]?

        static let shape = Shape([
            "notifications": .type("type: array, items: {type: integer, minimum: 1}", "What it showed.")
        ])
    }
}

extension DeviceDay.Push: APIShape {
    package static let shape = Shape(
        name: "DayPush",
        [
            "notification": .positive(),
            "text": "The sender, title or body, else the push type; cut to 80 characters.",
            "level": "Only for delivered alerts.",
            "shownAt": "When the person could first see it.",
            "extension": "The run of the service extension.",
        ])
}

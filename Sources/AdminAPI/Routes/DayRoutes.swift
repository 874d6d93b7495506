internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Gateway
internal import Hummingbird
internal import JSON
internal import Pictures

/// What happened on a device on one day, as values and as a plot.
extension AdminAPI {
    var dayEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/devices/{name}/day", query: ["date"]) { request in
                Response(DayAnswer(try day(request)))
            },
            Endpoint(.get, "/devices/{name}/day.svg", query: ["date", "appearance"]) { request in
                let day = try day(request)
                let appearance = try request.appearance()
                return request.svg(DayPicture(day, appearance: appearance).svg, appearance)
            },
        ]
    }

    private func day(_ request: AdminRequest) throws -> DeviceDay {
        let device = try self.device(request)
        let date = request.query["date"] == "latest" ? latestDate(of: device.name) : try Self.date(request)
        guard let day = gateway.simulator.day(date, of: device.name, now: gateway.now()) else {
            throw SimulatorError.noSuchDevice(device.name)
        }
        return day
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

package struct DayAnswer: APIShape {
    package var device: String
    package var date: String
    package var timeZone: String
    package var from: String
    package var to: String
    package var now: String
    package var focus: [Focus]
    package var outages: [Outage]
    package var summaries: [Summary]
    package var lanes: [Lane]
    package var omittedCount: Int
    package var hasGap: Bool

    package struct Focus: APIShape {
        package var id: String
        package var name: String
        package var from: String
        package var to: String
    }

    package struct Outage: APIShape {
        package var kind: String
        package var from: String
        package var to: String
    }

    package struct Summary: APIShape {
        package var at: String
        package var isDelivered: Bool
        package var notifications: [UInt64]?
    }

    package struct Lane: APIShape {
        package var app: String
        package var name: String
        package var pushes: [Push]
    }

    package struct Push: APIShape {
        package var notification: UInt64
        package var text: String
        package var level: String?
        package var outcome: String
        package var receivedAt: String
        package var settledAt: String
        package var shownAt: String?
        package var `extension`: ExtensionRun?
    }

    package struct ExtensionRun: APIShape {
        package var from: String
        package var to: String
        package var end: String
    }

    init(_ day: DeviceDay) {
        device = day.device
        date = day.date.text
        timeZone = day.timeZone
        from = day.range.lowerBound.text
        to = day.range.upperBound.text
        now = day.now.text
        focus = day.focus.map {
            Focus(id: $0.id, name: $0.name, from: $0.range.lowerBound.text, to: $0.range.upperBound.text)
        }
        outages = day.outages.map {
            Outage(kind: $0.kind.rawValue, from: $0.range.lowerBound.text, to: $0.range.upperBound.text)
        }
        summaries = day.summaries.map {
            Summary(at: $0.at.text, isDelivered: $0.notifications != nil, notifications: $0.notifications)
        }
        lanes = day.lanes.map { Lane(app: $0.app, name: $0.name, pushes: $0.pushes.map { Push($0) }) }
        omittedCount = day.omittedCount
        hasGap = day.hasGap
    }
}

extension DayAnswer.Push {
    init(_ push: DeviceDay.Push) {
        self.init(
            notification: push.notification, text: push.text, level: push.level?.rawValue,
            outcome: push.outcome.rawValue, receivedAt: push.receivedAt.text, settledAt: push.settledAt.text,
            shownAt: push.shownAt?.text,
            extension: push.extensionRun.map {
                DayAnswer.ExtensionRun(
                    from: $0.range.lowerBound.text, to: $0.range.upperBound.text, end: $0.end.rawValue)
            })
    }
}

internal import AdminAPI
internal import ArgumentParser
internal import DeviceModel
internal import Time

struct DayCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        "day", abstract: "Show what happened on a device on one day, in its time zone; --svg draws it.",
        discussion: """
            Pushes, Focuses, scheduled summaries, and when the device was off or offline, from midnight to midnight. A push \
            that was shown later than it arrived has both times.

            EXAMPLES
              pushcote day phone
              pushcote day phone --date 2026-11-23
              pushcote day phone --svg day.svg --appearance dark
              pushcote day phone --json | jq '.lanes[].pushes[] | [.text, .outcome]'
            """)

    @OptionGroup var admin: AdminOptions

    @Argument(help: "The device's name.") var device: String

    @Option(help: ArgumentHelp("The date, such as 2026-11-23. (default: the device's today)", valueName: "date"))
    var date: String?

    @OptionGroup var picture: PictureOptions

    func perform(with client: AdminClient) async throws -> CommandResult {
        let query: APICall.Query = [("date", date)]
        let path = ["devices", device, "day.svg"]
        if let result = try await picture.result(of: path, query, with: client, asJSON: admin.json) { return result }
        let call = APICall(.get, ["devices", device, "day"], query: query)
        return try await print(call, with: client) { (day: DayAnswer) in day.table }
    }
}

extension DayAnswer {
    fileprivate var table: String {
        let head = "\(device.onOneLine)  \(date)  \(timeZone)"
        let rows = rows.sorted { ($0.at, $0.cells[1]) < ($1.at, $1.cells[1]) }.map(\.cells)
        guard !rows.isEmpty else { return "\(head)\n\nNothing happened." }
        let omitted = omittedCount > 0 ? "\n\n\(omittedCount) older pushes are left out." : ""
        return "\(head)\n\n" + TextTable(["TIME", "ID", "APP", "LEVEL", "WHAT", "TEXT"], rows).text + omitted
    }

    private var rows: [(at: Instant, cells: [String])] {
        let periods =
            focus.map { (from: $0.from, to: $0.to, what: "focus", text: $0.name) }
            + outages.map { (from: $0.from, to: $0.to, what: $0.kind.rawValue, text: "") }
        var rows = periods.map { period in
            let time = "\(clock(period.from))–\(clock(period.to))"
            return (at: period.from, cells: [time, "-", "-", "-", period.what, period.text.onOneLine])
        }
        rows += summaries.map { summary in
            let count = summary.notifications?.count ?? 0
            let text = summary.isDelivered ? count.counted("notification") : "scheduled"
            return (at: summary.at, cells: [clock(summary.at), "-", "-", "-", "summary", text])
        }
        for lane in lanes {
            rows += lane.pushes.map { push in
                let start = clock(push.receivedAt)
                let end = clock(push.shownAt ?? push.receivedAt)
                return (
                    at: push.receivedAt,
                    cells: [
                        start == end ? start : "\(start)–\(end)", String(push.notification), lane.name.onOneLine,
                        push.level?.rawValue ?? "-", push.outcome.rawValue, push.text.onOneLine,
                    ]
                )
            }
        }
        return rows
    }

    /// The device's clock.
    private func clock(_ instant: Instant) -> String {
        guard let calendar = LocalCalendar(timeZone: timeZone) else { return instant.text }
        let time = calendar.time(at: instant).text
        let day = LocalDate(day: calendar.day(at: instant)).text
        return day == date ? time : instant == to ? "24:00" : "\(day) \(time)"
    }
}

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
        return try await print(call, with: client) { $0.day }
    }
}

extension Answer {
    fileprivate var day: String {
        let head = "\(self.device.line)  \(self.date.line)  \(self.timeZone.line)"
        let rows = rows.sorted { ($0.at, $0.cells[1]) < ($1.at, $1.cells[1]) }.map(\.cells)
        guard !rows.isEmpty else { return "\(head)\n\nNothing happened." }
        let count = self.omittedCount.int ?? 0
        let omitted = count > 0 ? "\n\n\(count) older pushes are left out." : ""
        return "\(head)\n\n" + TextTable(["TIME", "ID", "APP", "LEVEL", "WHAT", "TEXT"], rows).text + omitted
    }

    private var rows: [(at: String, cells: [String])] {
        let periods =
            self.focus.elements.map { (from: $0.from.line, to: $0.to.line, what: "focus", text: $0.name.line) }
            + self.outages.elements.map { (from: $0.from.line, to: $0.to.line, what: $0.kind.line, text: "") }
        var rows = periods.map { period in
            let time = "\(clock(period.from))–\(clock(period.to))"
            return (at: period.from, cells: [time, "-", "-", "-", period.what, period.text])
        }
        rows += self.summaries.elements.map { summary in
            let count = summary.notifications.elements.count
            let text = summary.isDelivered.isTrue ? count.counted("notification") : "scheduled"
            return (at: summary.at.line, cells: [clock(summary.at.line), "-", "-", "-", "summary", text])
        }
        for lane in self.lanes.elements {
            rows += lane.pushes.elements.map { push in
                let start = clock(push.receivedAt.line)
                let end = clock(push.shownAt.word ?? push.receivedAt.line)
                let time = start == end ? start : "\(start)–\(end)"
                let what = [push.notification.line, lane.name.line, push.level.word ?? "-", push.outcome.line]
                return (at: push.receivedAt.line, cells: [time] + what + [push["text"].line])
            }
        }
        return rows
    }

    /// The device's clock.
    private func clock(_ text: String) -> String {
        guard let instant = Instant(text: text), let calendar = LocalCalendar(timeZone: self.timeZone.line) else {
            return text
        }
        let time = calendar.time(at: instant).text
        let day = LocalDate(day: calendar.day(at: instant)).text
        return day == self.date.line ? time : text == self.to.line ? "24:00" : "\(day) \(time)"
    }
}

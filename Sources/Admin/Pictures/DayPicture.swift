package import DeviceModel
internal import Time

/// A device's day as a plot: its apps below each other, the hours from left to right.
package struct DayPicture: Sendable {
    package let svg: String

    package init(_ day: DeviceDay, appearance: Appearance) {
        svg = SVGWriter.text(of: DayPlot(day).node, appearance: appearance)
    }
}

struct DayPlot {
    static let width = 960.0
    static let left = 132.0
    static let right = 16.0
    static let top = 86.0
    static let laneHeight = 44.0
    private static let maximumLaneCount = 12

    let day: DeviceDay
    let lanes: [DeviceDay.Lane]
    /// The hour axis.
    let base: Double
    /// The part of the day that is drawn.
    let shown: Range<Instant>

    init(_ day: DeviceDay) {
        self.day = day
        lanes = Self.lanes(of: day)
        shown = Self.part(of: day)
        base = Self.top + Double(max(1, lanes.count)) * Self.laneHeight
    }

    /// The last one collects the apps that have no lane of their own.
    private static func lanes(of day: DeviceDay) -> [DeviceDay.Lane] {
        let others = day.lanes.dropFirst(maximumLaneCount)
        guard !others.isEmpty else { return day.lanes }
        return day.lanes.prefix(maximumLaneCount) + [
            DeviceDay.Lane(
                app: "", name: "other apps",
                pushes: others.flatMap(\.pushes).sorted { $0.notification < $1.notification })
        ]
    }

    /// The whole day, unless its pushes fit into a few hours: then the time from the first to the last, with margins.
    private static func part(of day: DeviceDay) -> Range<Instant> {
        let pushes = day.lanes.flatMap(\.pushes)
        guard let first = pushes.map(\.receivedAt).min(), let last = pushes.map(\.endedAt).max() else {
            return day.range
        }
        let margin = max(5_000, last.milliseconds(since: first) / 10)
        let from = max(day.range.lowerBound, first.advanced(by: -margin))
        let to = min(day.range.upperBound, last.advanced(by: margin))
        return from < to && to.milliseconds(since: from) < 4 * .hour ? from..<to : day.range
    }

    private var isWhole: Bool { shown == day.range }

    /// By elapsed time: a day can have 23 or 25 hours.
    func x(of instant: Instant) -> Double {
        let length = Double(max(1, shown.upperBound.milliseconds(since: shown.lowerBound)))
        let part = Double(instant.milliseconds(since: shown.lowerBound)) / length
        let x = Self.left + (Self.width - Self.left - Self.right) * min(1, max(0, part))
        return (x * 10).rounded() / 10
    }

    /// In the device's time zone, with the date if it is another.
    func clock(_ instant: Instant) -> String {
        let time = day.calendar.time(at: instant).text
        return day.range.contains(instant)
            ? time : "\(LocalDate(day: day.calendar.day(at: instant)).text) \(time)"
    }

    var node: Node {
        let marks = DayMarks(self)
        return .picture(width: Self.width, height: base + 104, title: title, description: description) {
            hatch
            Node.rectangle(0, 0, Self.width, base + 104, radius: 12, Paint.paper)
            Node.text(day.device, 16, 28, width: 500, size: 16, Paint.ink, isBold: true)
            Node.text(
                "\(day.date.inWords) · \(day.timeZone)", Self.width - Self.right - 400, 28, width: 400, size: 12.5,
                Paint.softInk, anchor: .end)
            laneNodes
            for period in day.focus { focus(period) }
            for outage in day.outages { node(of: outage) }
            axis
            summaries
            if shown.contains(day.now) { now }
            marks.nodes
            Node.path("M\(Self.left) \(base + 36)H\(Self.width - Self.right)", stroke: .grid)
            DayMarks.legend(below: base)
        }
    }

    // MARK: Words

    private var title: String { "\(day.device), \(day.date.inWords)" }

    /// Lists each push if they are few, otherwise counts.
    private var description: String {
        let count = day.lanes.reduce(day.omittedCount) { $0 + $1.pushes.count }
        let words = lanes.map { lane in
            let list =
                count <= 40
                ? lane.pushes.map { "\(clock($0.receivedAt)) \($0.outcome.word)" } : DayMarks.counts(lane.pushes)
            return " \(lane.name.cut(toScalars: 100)): \(list.joined(separator: ", "))."
        }
        return (["\(count) \(count == 1 ? "push" : "pushes")."] + words).joined()
    }

    // MARK: Parts

    private var hatch: Node {
        Node("defs") {
            Node(
                "pattern",
                [
                    "id": "hatch", "width": 7, "height": 7, "patternUnits": "userSpaceOnUse",
                    "patternTransform": "rotate(45)",
                ]
            ) {
                Node.rectangle(0, 0, 2, 7, Paint.softInk, opacity: Opacity(0.28))
            }
        }
    }

    func y(of lane: Int) -> Double { Self.top + (Double(lane) + 0.5) * Self.laneHeight }

    @NodeBuilder private var laneNodes: [Node] {
        for (index, lane) in lanes.enumerated() {
            let y = y(of: index)
            if index % 2 == 0 {
                Node.rectangle(
                    Self.left, y - Self.laneHeight / 2, Self.width - Self.left - Self.right, Self.laneHeight,
                    Paint.lane, opacity: Opacity(0.6))
            }
            Node.appIcon(lane.app, name: lane.app.isEmpty ? "+" : lane.name, 16, y - 11, size: 22)
            let name = TextLine.wrapped(lane.name, size: 12.5, width: Self.left - 54, limit: 2)
            for (line, text) in name.enumerated() {
                let baseline = y + (name.count == 1 ? 4.5 : 15 * Double(line) - 2)
                Node.text(text, 46, baseline, width: Self.left - 54, size: 12.5, Paint.ink)
            }
        }
        if lanes.isEmpty {
            Node.text("No pushes", 16, y(of: 0) + 4.5, width: Self.left - 32, size: 13, Paint.softInk)
        }
    }
}

extension LocalDate {
    /// Such as `Monday 23 November 2026`.
    fileprivate var inWords: String {
        guard let date = DateWords(text, weekday) else { return text }
        return "\(date.weekdayName) \(date.day) \(date.monthName) \(date.year)"
    }
}

/// The background of a day's plot: Focuses, outages, hours, summaries, now.
extension DayPlot {
    func focus(_ period: DeviceDay.FocusPeriod) -> Node? {
        guard period.range.overlaps(shown) else { return nil }
        let (from, width) = place(of: period.range)
        return Node("g") {
            Node("title", text: "\(period.name.cut(toScalars: 100)) \(words(period.range))")
            Node.rectangle(from, 46, width, base - 46, Paint.focus, opacity: Opacity(0.1))
            Node.rectangle(from, 46, width, 20, radius: 4, Paint.focus, opacity: Opacity(0.9))
            if width > 50 {
                Node.text(period.name, from + 8, 60, width: width - 14, size: 12, Paint.onFocus, isBold: true)
            }
        }
    }

    func node(of outage: DeviceDay.Outage) -> Node? {
        guard outage.range.overlaps(shown) else { return nil }
        let (from, width) = place(of: outage.range)
        return Node("g") {
            Node("title", text: "\(outage.kind.rawValue) \(words(outage.range))")
            Node.rectangle(from, 70, width, base - 70, "url(#hatch)")
            if width > 34 {
                Node.text(outage.kind.rawValue, from + 5, base - 6, width: 80, size: 11, Paint.softInk)
            }
        }
    }

    private func place(of range: Range<Instant>) -> (from: Double, width: Double) {
        (x(of: range.lowerBound), x(of: range.upperBound) - x(of: range.lowerBound))
    }

    private func words(_ range: Range<Instant>) -> String { "\(clock(range.lowerBound))–\(clock(range.upperBound))" }

    /// A line every three hours of the device's clock, or at most ten in a part of the day.
    @NodeBuilder var axis: [Node] {
        for (instant, label) in isWhole ? hours : ticks {
            let (x, isEnd) = (x(of: instant), instant == day.range.upperBound)
            Node.path("M\(x) \(Self.top - 14)V\(base)", stroke: .grid)
            if !isCoveredByNow(x) {
                Node.text(
                    label, x - (isEnd ? 58 : 30), base + 18, width: 60, size: 11.5, Paint.softInk,
                    anchor: isEnd ? .end : .middle)
            }
        }
    }

    private var hours: [(Instant, String)] {
        stride(from: 0, to: 24, by: 3).map { hour in
            let instant = day.calendar.instant(of: WallTime(hour: hour, minute: 0), onDay: day.date.day)
            return (instant, clock(instant))
        } + [(day.range.upperBound, "24")]
    }

    private static let steps: [Int64] = [
        1_000, 2_000, 5_000, 15_000, 30_000, .minute, 2 * .minute, 5 * .minute, 15 * .minute,
    ]

    private var ticks: [(Instant, String)] {
        let length = shown.upperBound.milliseconds(since: shown.lowerBound)
        let step = Self.steps.first { length / $0 <= 10 } ?? 30 * .minute
        let offset = shown.lowerBound.milliseconds(since: day.range.lowerBound)
        return stride(from: (offset + step - 1) / step * step, to: offset + length, by: Int(step)).map { elapsed in
            let seconds = elapsed / 1_000 % 60
            let instant = day.range.lowerBound.advanced(by: elapsed)
            return (instant, clock(instant) + (step < .minute ? ":\(seconds.padded(to: 2))" : ""))
        }
    }

    private func isCoveredByNow(_ x: Double) -> Bool { shown.contains(day.now) && abs(x - self.x(of: day.now)) < 34 }

    @NodeBuilder var summaries: [Node] {
        let summaries = day.summaries.filter { isWhole || shown.contains($0.at) }
        for (index, summary) in summaries.enumerated() {
            let x = x(of: summary.at)
            let hasRoom = index == 0 || x - self.x(of: summaries[index - 1].at) > 52
            let opacity = Opacity(summary.notifications == nil ? 0.5 : 1)
            Node(
                "path",
                [
                    "d": "M\(x) 70V\(base)" as Numbers, "stroke": Paint.of(.deferred), "stroke-width": 1.6,
                    "stroke-opacity": summary.notifications == nil ? opacity : nil, "stroke-dasharray": "2 4",
                    "stroke-linecap": "round",
                ])
            if hasRoom {
                let isLeft = x > Self.left + 60
                Node.text(
                    "summary", isLeft ? x - 60 : x + 5, 80, width: 55, size: 11, Paint.of(.deferred),
                    anchor: isLeft ? .end : .start)
            }
        }
    }

    @NodeBuilder var now: [Node] {
        let x = x(of: day.now)
        Node.path("M\(x) 42V\(base + 4)", stroke: .ink, width: 1.6)
        Node.rectangle(x - 17, base + 5, 34, 17, radius: 8.5, Paint.ink)
        Node.text(
            clock(day.now), x - 17, base + 17.5, width: 34, size: 11, Paint.paper, isBold: true, anchor: .middle)
    }
}

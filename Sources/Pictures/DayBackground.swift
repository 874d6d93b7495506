internal import APNs
internal import DeviceModel

/// The background of a day's plot: Focuses, outages, hours, summaries, now.
extension DayPlot {
    func focus(_ period: DeviceDay.FocusPeriod) -> Node {
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

    func node(of outage: DeviceDay.Outage) -> Node {
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

    /// A line every three hours of the device's clock.
    @NodeBuilder var axis: [Node] {
        for hour in stride(from: 0, through: 24, by: 3) {
            let isEnd = hour == 24
            let instant =
                isEnd
                ? day.range.upperBound
                : day.calendar.instant(of: WallTime(hour: hour, minute: 0), onDay: day.date.day)
            let x = x(of: instant)
            Node.path("M\(x) \(Self.top - 14)V\(base)", stroke: .grid)
            if !isCoveredByNow(x) {
                Node.text(
                    isEnd ? "24" : clock(instant), x - (isEnd ? 46 : 24), base + 18, width: 48, size: 11.5,
                    Paint.softInk, anchor: isEnd ? .end : .middle)
            }
        }
    }

    private func isCoveredByNow(_ x: Double) -> Bool {
        day.range.contains(day.now) && abs(x - self.x(of: day.now)) < 34
    }

    @NodeBuilder var summaries: [Node] {
        for (index, summary) in day.summaries.enumerated() {
            let x = x(of: summary.at)
            let hasRoom = index == 0 || x - self.x(of: day.summaries[index - 1].at) > 52
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

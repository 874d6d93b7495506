internal import DeviceModel

/// The pushes of a day's plot. The shape is the level, the colour the outcome; pushes that would overlap share a mark.
struct DayMarks {
    private let plot: DayPlot
    private let marks: [Mark]

    /// With at most 116 marks in each of 13 lanes, a plot has at most 2,000 signs.
    private static let maximumOriginCount = 400
    /// Nearer pushes share a mark.
    private static let distance = 7.0

    init(_ plot: DayPlot) {
        self.plot = plot
        marks = plot.lanes.enumerated().flatMap { index, lane in
            Self.marks(of: lane, in: plot, y: plot.y(of: index))
        }
    }

    private struct Mark {
        let x: Double
        let y: Double
        var pushes: [DeviceDay.Push]

        /// The right edge of its shape and number.
        var reach: Double {
            pushes.count == 1 ? DayMarks.distance : 17 + TextWidths.width(of: "\(pushes.count)", size: 10)
        }

        /// The push with the most severe outcome.
        var gravest: DeviceDay.Push {
            pushes.dropFirst().reduce(pushes[0]) { gravest, push in
                (push.outcome.gravity, push.rank) > (gravest.outcome.gravity, gravest.rank) ? push : gravest
            }
        }
    }

    private static func marks(of lane: DeviceDay.Lane, in plot: DayPlot, y: Double) -> [Mark] {
        var marks: [Mark] = []
        let placed = lane.pushes.map { (x: plot.x(of: $0.endedAt), push: $0) }
        for (x, push) in placed.sorted(by: { $0.x < $1.x }) {
            if let last = marks.last, x - last.x < last.reach {
                marks[marks.count - 1].pushes.append(push)
            } else {
                marks.append(Mark(x: x, y: y, pushes: [push]))
            }
        }
        return marks
    }

    var nodes: [Node] {
        var origins = 0
        return marks.map { mark in
            let starts = self.origins(of: mark, atMost: Self.maximumOriginCount - origins)
            origins += starts.count
            return node(of: mark, from: starts)
        }
    }

    /// Arrivals of pushes that were shown later, at most one in 7 px.
    private func origins(of mark: Mark, atMost count: Int) -> [Double] {
        var origins: [Double] = []
        for x in mark.pushes.map({ plot.x(of: $0.receivedAt) }).sorted() where mark.x - x > 8 && origins.count < count {
            if origins.last.map({ x - $0 >= Self.distance }) ?? true { origins.append(x) }
        }
        return origins
    }

    private func node(of mark: Mark, from origins: [Double]) -> Node {
        let gravest = mark.gravest
        let paint = Paint.of(gravest.outcome)
        let runs = mark.pushes.compactMap(\.extension)
        // For callers that turn it into a link.
        let place: Numbers = "\(mark.x) \(mark.y)"
        return Node("g", ["data-notification": String(gravest.notification), "data-at": place]) {
            Node("title", text: title(of: mark))
            Self.journey(from: origins, to: mark.x, mark.y, paint)
            if let run = runs.first(where: { $0.end != .answered }) ?? runs.first {
                let from = plot.x(of: run.range.lowerBound)
                Node.rectangle(
                    from, mark.y + 10, max(4, plot.x(of: run.range.upperBound) - from), 5, radius: 2.5,
                    run.end == .answered ? Paint.softInk : Paint.of(.dropped))
            }
            Self.shape(gravest.level, gravest.outcome, mark.x, mark.y, paint)
            if mark.pushes.count > 1 {
                Node.text(
                    "\(mark.pushes.count)", mark.x + 8, mark.y + 3.5, width: 40, size: 10, Paint.ink,
                    isBold: true)
            }
        }
    }

    // MARK: Words

    private func title(of mark: Mark) -> String {
        let pushes = mark.pushes
        guard pushes.count == 1, let push = pushes.first else {
            let times = pushes.map(\.receivedAt)
            let span = [times.min(), times.max()].compactMap { $0.map(plot.clock) }
            let names = pushes.prefix(5).map { $0.text.cut(toScalars: 40) } + (pushes.count > 5 ? ["…"] : [])
            return "\(Set(span).count == 1 ? span[0] : span.joined(separator: "–")) "
                + "\(pushes.count) pushes: \(Self.counts(pushes).joined(separator: ", ")) (\(names.joined(separator: "; ")))"
        }
        let end = push.endedAt > push.receivedAt ? plot.clock(push.endedAt) : ""
        let start = plot.clock(push.receivedAt)
        let outcome = push.outcome.word + (end.isEmpty || end == start ? "" : " \(end)")
        let words = [push.level?.rawValue, outcome].compactMap(\.self).joined(separator: ", ")
        return "\(start) \(push.text.cut(toScalars: 200)) (\(words))"
    }

    /// Such as `3 dropped`, worst first.
    static func counts(_ pushes: [DeviceDay.Push]) -> [String] {
        PushOutcome.allCases.sorted { $0.gravity > $1.gravity }.compactMap { outcome in
            let count = pushes.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.word)"
        }
    }

    // MARK: Shapes

    /// An arrow from where pushes arrived to where they were shown.
    @NodeBuilder private static func journey(
        from origins: [Double], to x: Double, _ y: Double, _ paint: Paint
    ) -> [Node] {
        if let first = origins.first {
            Node.path(
                "M\(first + 4) \(y)H\(x - 9)m-5 -4l5 4l-5 4", fill: "none", stroke: paint, width: 1.8, isRound: true)
        }
        for origin in origins { Node.circle(origin, y, radius: 3.4, Paint.paper, stroke: paint, width: 1.8) }
    }

    @NodeBuilder private static func shape(
        _ level: InterruptionLevel?, _ outcome: PushOutcome, _ x: Double, _ y: Double, _ paint: Paint
    ) -> [Node] {
        if outcome == .dropped {
            // For any level.
            Node.path("M\(x - 4.5) \(y - 4.5)l9 9m0 -9l-9 9", stroke: paint, width: 2.4, isRound: true)
        } else {
            switch level {
            case .critical: Node.path("M\(x) \(y - 7)l7 12h-14z", fill: paint)
            case .timeSensitive: Node.path("M\(x) \(y - 7)l7 7l-7 7l-7 -7z", fill: paint)
            case .passive: Node.circle(x, y, radius: 4.2, "none", stroke: paint, width: 2)
            case .active, nil: Node.circle(x, y, radius: 5.2, paint)
            }
        }
    }

    /// The meaning of a sign; it is drawn at the left end of a baseline.
    private struct Sign {
        var meaning: String
        var width = 18.0
        var nodes: (_ x: Double, _ y: Double) -> [Node]
    }

    /// Two rows: outcomes; then levels and other signs.
    @NodeBuilder static func legend(below base: Double) -> [Node] {
        let levels: [(InterruptionLevel, String)] = [
            (.passive, "passive"), (.active, "active"), (.timeSensitive, "Time Sensitive"), (.critical, "critical"),
        ]
        row(
            PushOutcome.allCases.map { outcome in
                Sign(meaning: outcome.word) { shape(.active, outcome, $0 + 6, $1 - 4, .of(outcome)) }
            }, base + 62, .ink)
        row(
            levels.map { level, name in Sign(meaning: name) { shape(level, .other, $0 + 6, $1 - 4, .softInk) } } + [
                Sign(meaning: "sent, and shown later", width: 29) {
                    journey(from: [$0 + 4], to: $0 + 32, $1 - 4, .softInk)
                },
                Sign(meaning: "extension run") { [Node.rectangle($0, $1 - 6, 14, 5, radius: 2.5, Paint.softInk)] },
                Sign(meaning: "offline") { [Node.rectangle($0, $1 - 11, 14, 13, "url(#hatch)")] },
            ], base + 84, .softInk)
    }

    @NodeBuilder private static func row(_ signs: [Sign], _ y: Double, _ ink: Paint) -> [Node] {
        let widths = signs.map { $0.width + TextWidths.width(of: $0.meaning, size: 12) + 18 }
        for (index, sign) in signs.enumerated() {
            let x = widths[..<index].reduce(DayPlot.left, +)
            sign.nodes(x, y)
            Node.text(sign.meaning, x + sign.width, y, width: 150, size: 12, ink)
        }
    }
}

extension PushOutcome {
    fileprivate var gravity: Int {
        switch self {
        case .dropped: 5
        case .alerted: 4
        case .waiting: 3
        case .deferred: 2
        case .quiet: 1
        case .other: 0
        }
    }
}

extension DeviceDay.Push {
    /// Larger for more prominent levels.
    fileprivate var rank: Int { level.flatMap(InterruptionLevel.allCases.firstIndex) ?? -1 }
}

/// The colours of the plot; outcomes have a contrast of at least 3:1 on its paper.
extension Paint {
    static let paper = Paint(0xffffff, 0x15181f)
    static let ink = Paint(0x1a1d24, 0xeef0f4)
    static let softInk = Paint(0x5a616e, 0xa6adba)
    static let grid = Paint(0xe4e7ec, 0x2b303b)
    static let lane = Paint(0xf6f7f9, 0x1b1f28)
    static let focus = Paint(0x7c3aed, 0xa98bff)
    static let onFocus = Paint(0xffffff, 0x15181f)

    static func of(_ outcome: PushOutcome) -> Paint {
        switch outcome {
        case .alerted: Paint(0x1f8a46, 0x54c57d)
        case .quiet: Paint(0x6d4bd8, 0xa98bff)
        case .deferred: Paint(0xa86500, 0xe8a94a)
        case .waiting: Paint(0x2470b8, 0x69b1f0)
        case .dropped: Paint(0xc9302c, 0xff7a72)
        case .other: Paint(0x68707e, 0x9aa3b2)
        }
    }
}

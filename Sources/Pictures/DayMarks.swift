internal import APNs
internal import DeviceModel

/// The pushes of a day's plot. The shape is the level, the colour the outcome; pushes that would overlap share a mark.
struct DayMarks {
    private let plot: DayPlot
    private let marks: [Mark]

    /// Together with 116 marks a lane, at most 2,000.
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

        /// How far to the right its shape and number go.
        var reach: Double {
            pushes.count == 1 ? DayMarks.distance : 17 + TextWidths.width(of: "\(pushes.count)", size: 10)
        }

        /// What is worst to miss.
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

    /// Where pushes arrived that were shown later, at most one in 7 px.
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
        let runs = mark.pushes.compactMap(\.extensionRun)
        return Node("g", ["data-notification": String(gravest.notification)]) {
            Node("title", text: title(of: mark))
            if let first = origins.first {
                Node(
                    "path",
                    [
                        "d": "M\(first + 4) \(mark.y)H\(mark.x - 9)m-5 -4l5 4l-5 4" as Numbers, "stroke": paint,
                        "stroke-width": 1.8, "fill": "none", "stroke-linecap": "round", "stroke-linejoin": "round",
                    ])
            }
            for x in origins {
                Node(
                    "circle",
                    ["cx": x, "cy": mark.y, "r": 3.4, "fill": Paint.paper, "stroke": paint, "stroke-width": 1.8])
            }
            if let run = runs.first(where: { $0.end != .answered }) ?? runs.first {
                let from = plot.x(of: run.range.lowerBound)
                Node.rectangle(
                    from, mark.y + 10, max(4, plot.x(of: run.range.upperBound) - from), 5, radius: 2.5,
                    run.end == .answered ? Paint.softInk : Paint.of(.dropped))
            }
            Self.shape(gravest.level, gravest.outcome, mark.x, mark.y, paint)
            if mark.pushes.count > 1 {
                Node.text(
                    TextLine("\(mark.pushes.count)"), mark.x + 8, mark.y + 3.5, width: 40, size: 10, Paint.ink,
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
            return "\(Set(span).count == 1 ? span[0] : span.joined(separator: "–")) "
                + "\(pushes.count) pushes: \(Self.counts(pushes).joined(separator: ", "))"
        }
        let end = push.endedAt > push.receivedAt ? plot.clock(push.endedAt) : ""
        let start = plot.clock(push.receivedAt)
        let outcome = push.outcome.rawValue + (end.isEmpty || end == start ? "" : " \(end)")
        let words = [push.level?.rawValue, outcome].compactMap(\.self).joined(separator: ", ")
        return "\(start) \(push.text.cut(toScalars: 200)) (\(words))"
    }

    /// Such as `3 dropped`, worst first.
    static func counts(_ pushes: [DeviceDay.Push]) -> [String] {
        PushOutcome.allCases.sorted { $0.gravity > $1.gravity }.compactMap { outcome in
            let count = pushes.count { $0.outcome == outcome }
            return count == 0 ? nil : "\(count) \(outcome.rawValue)"
        }
    }

    // MARK: Shapes

    @NodeBuilder private static func shape(
        _ level: InterruptionLevel?, _ outcome: PushOutcome, _ x: Double, _ y: Double, _ paint: Paint
    ) -> [Node] {
        if outcome == .dropped {
            // Whatever its level.
            Node(
                "path",
                [
                    "d": "M\(x - 4.5) \(y - 4.5)l9 9m0 -9l-9 9" as Numbers, "stroke": paint, "stroke-width": 2.4,
                    "stroke-linecap": "round",
                ])
        } else {
            switch level {
            case .critical: Node("path", ["d": "M\(x) \(y - 7)l7 12h-14z" as Numbers, "fill": paint])
            case .timeSensitive: Node("path", ["d": "M\(x) \(y - 7)l7 7l-7 7l-7 -7z" as Numbers, "fill": paint])
            case .passive:
                Node("circle", ["cx": x, "cy": y, "r": 4.2, "fill": "none", "stroke": paint, "stroke-width": 2])
            case .active, nil: Node("circle", ["cx": x, "cy": y, "r": 5.2, "fill": paint])
            }
        }
    }

    /// Two rows: outcomes, then levels.
    @NodeBuilder static func legend(below base: Double) -> [Node] {
        let outcomes: [(PushOutcome, String)] = [
            (.alerted, "alerted"), (.quiet, "silently in the list"), (.deferred, "for the summary"),
            (.waiting, "waiting for the device"), (.dropped, "dropped"), (.other, "no alert"),
        ]
        for (index, (outcome, text)) in outcomes.enumerated() {
            let x = outcomes[..<index].reduce(DayPlot.left) { $0 + TextWidths.width(of: $1.1, size: 12) + 40 }
            shape(.active, outcome, x + 6, base + 58, .of(outcome))
            Node.text(TextLine(text), x + 17, base + 62, width: 150, size: 12, Paint.ink)
        }
        let levels: [(InterruptionLevel, String)] = [
            (.passive, "passive"), (.active, "active"), (.timeSensitive, "Time Sensitive"), (.critical, "critical"),
        ]
        let widths = levels.map { TextWidths.width(of: $0.1, size: 12) + 36 }
        for (index, (level, text)) in levels.enumerated() {
            let x = widths[..<index].reduce(DayPlot.left, +)
            shape(level, .other, x + 6, base + 80, .softInk)
            Node.text(TextLine(text), x + 18, base + 84, width: 150, size: 12, Paint.softInk)
        }
        let end = widths.reduce(DayPlot.left, +)
        Node.rectangle(end + 4, base + 78, 14, 5, radius: 2.5, Paint.softInk)
        Node.text(TextLine("extension run"), end + 26, base + 84, width: 120, size: 12, Paint.softInk)
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
    /// The louder, the greater.
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

internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import HTTPTypes
internal import Time

extension AdminAPI {
    var clockEndpoints: [Endpoint] {
        [
            Endpoint(
                .get, "/clock", .clock, "The time, and when the next event is due", id: "clock", answer: "The clock."
            ) { _ in clock() },
            Endpoint(
                .put, "/clock", .clock, "Make the clock manual, faster than real time, or real", id: "putClock",
                about: """
                    A `manual` clock stops at `now`, or at the current time, until `POST /clock/advance`. A `scaled`
                    clock runs from there `scale` times as fast as real time; with `scale`, `mode` may be missing. A
                    clock never goes back (409); it can become `real` again only if it is not ahead of real time.
                    """,
                body: .required("ClockEdit"), answer: "The clock.", errors: [409]
            ) { request in
                let body = try await request.object(accepting: ["mode", "now", "scale", "nextDue"])
                let now = body.value("now", .instant)
                let scale = body.value("scale", .number(in: SimulatedClock.scales))
                let format = FieldFormat<SimulatedClock.Mode>.word(SimulatedClock.Mode.self)
                // A scale says the mode.
                let mode = body.has("scale") ? body.value("mode", format) ?? .scaled : body.required("mode", format)
                try body.finish()
                if mode != .scaled, scale != nil {
                    throw AdminError.badRequest("'scale' goes with the mode scaled, or without a mode.")
                }
                switch mode {
                case nil: break
                case .real: try await gateway.followRealTime()
                case .manual: try await gateway.stopClock(at: now)
                case .scaled:
                    guard let scale else { throw AdminError.badRequest("'scale' is missing; accepted: such as 60.") }
                    try await gateway.runClock(scale: scale, from: now)
                }
                return clock()
            },
            Endpoint(
                .post, "/clock/advance", .clock, "Advance a manual clock; everything due by then happens, in order",
                id: "advanceClock", body: .required("NewAdvance"),
                answer: "The clock, and what happened.", errors: [409]
            ) { request in
                let body = try await request.object(accepting: ["by", "to", "limit"])
                guard body.has("by") != body.has("to") else {
                    throw AdminError.badRequest("Give either 'by', such as PT1H or 30s, or 'to', a time.")
                }
                let instant = body.value("to", .instant)
                let step = body.value("by", .duration(atMost: SimulatedClock.longestStep, "ten years"))
                let limit = body.value("limit", .integer(in: 0...AdminRequest.listCounts.upperBound))
                try body.finish()
                let due = try await gateway.advanceClock(to: instant ?? gateway.now().advanced(by: step ?? .zero))
                let page = gateway.simulator.events(of: due, limit: limit ?? AdminRequest.defaultLimit)
                return Joined(clock(), HappeningsAnswer((due, page.events, page.rest)))
            },
            Endpoint(
                .post, "/clock/reset", .clock, "Make the clock real, even if it is ahead of real time",
                id: "resetClock",
                about: """
                    Past events keep their times, which may then be in the future. Events that were already due do not
                    happen again.
                    """,
                answer: "The clock."
            ) { request in
                _ = try await request.object(accepting: [])
                await gateway.resetClock()
                return clock()
            },
        ]
    }

    func clock() -> ClockAnswer {
        ClockAnswer(
            mode: gateway.clock.mode, now: gateway.now(), scale: gateway.clock.scale,
            nextDue: gateway.simulator.nextDue)
    }
}

struct ClockAnswer: APIShape {
    var mode: SimulatedClock.Mode
    var now: Instant
    var scale: Double?
    var nextDue: Instant?

    static let shape = Shape([
        "scale": .with(
            "minimum: 1, maximum: 3600", "How many times as fast as real time; only with the mode `scaled`."),
        "nextDue": "When the next event is due.",
    ])
}

/// What happened while the clock advanced.
struct HappeningsAnswer: AnswerTable {
    typealias Happenings = (
        due: DueEvents, events: [(device: String, event: DeviceEvent)], rest: [DueEvents.Span]
    )
    let source: Happenings

    private static let maximumRestCount = 100

    static let rows: [Row<Happenings>] = [
        Row("devices", \.due.deviceCount, "How many devices had something due."),
        Row("eventCount", \.due.eventCount),
        Row(
            "events", { $0.events.map { Joined(OnDevice(device: $0.device), EventAnswer($0.event)) } },
            .with("maxItems: 1000", "The first of them in the order of time.")),
        Row(
            "rest", { $0.rest.prefix(maximumRestCount).map { Rest($0) } },
            .with(
                "maxItems: 100",
                "Where events begin that are not in `events`, by device; pass `since` to `GET /devices/{name}/events`.")
        ),
    ]

    static let shape = Shape(name: "Advance", of: rows)

    struct OnDevice: APIShape {
        var device: String

        static let shape = Shape(name: "EventOnDevice", ["device": .filled()])
    }

    struct Rest: AnswerTable {
        let source: DueEvents.Span

        static let rows: [Row<DueEvents.Span>] = [
            Row("device", \.device, .filled()),
            Row("since", { String($0.since) }, .with(#"pattern: "^[0-9]+$""#)),
            Row("count", \.count, .positive()),
        ]
    }
}

internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

extension AdminAPI {
    var clockEndpoints: [Endpoint] {
        [
            Endpoint(.get, "/clock") { _ in Response(clock()) },
            Endpoint(.put, "/clock") { request in
                let body = try await request.object(accepting: ["mode", "now", "nextDue"])
                let now = body.value("now", .instant)
                let mode = body.required("mode", .word(SimulatedClock.Mode.self))
                try body.finish()
                switch mode {
                case nil: break
                case .real: try gateway.followRealTime()
                case .manual: try gateway.stopClock(at: now)
                }
                return Response(clock())
            },
            Endpoint(.post, "/clock/advance") { request in
                let body = try await request.object(accepting: ["by", "to"])
                guard body.has("by") != body.has("to") else {
                    throw AdminError.badRequest("Give either 'by', such as PT1H or 30s, or 'to', a time.")
                }
                let instant = body.value("to", .instant)
                let step = body.value("by", .duration(atMost: SimulatedClock.longestStep, "ten years"))
                try body.finish()
                let devices = try gateway.advanceClock(to: instant ?? gateway.now().advanced(by: step ?? .zero))
                return Response(clock(devices: devices))
            },
            Endpoint(.post, "/clock/reset") { request in
                _ = try await request.object(accepting: [])
                gateway.resetClock()
                return Response(clock())
            },
        ]
    }

    func clock(devices: Int? = nil) -> ClockAnswer {
        ClockAnswer(
            mode: gateway.clock.mode.rawValue, now: gateway.now().text, nextDue: gateway.simulator.nextDue?.text,
            devices: devices)
    }
}

package struct ClockAnswer: APIShape {
    package var mode: String
    package var now: String
    package var nextDue: String?
    /// After an advance: the number of devices with due events.
    package var devices: Int?
}

internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird
internal import JSON

/// The gateway's clock: real, or moved by hand.
struct ClockRoutes: Sendable {
    let gateway: Gateway

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/clock") { _ in Response(json: clock) },
            Endpoint(.put, "/clock", put),
            Endpoint(.post, "/clock/advance", advance),
            Endpoint(.post, "/clock/reset") { request in
                _ = try await request.object(accepting: [])
                gateway.resetClock()
                return Response(json: clock)
            },
        ]
    }

    private var clock: JSONValue {
        [
            "mode": .string(gateway.clock.mode.rawValue),
            "now": .time(gateway.now()),
            "nextDue": gateway.simulator.nextDue.map { .time($0) },
        ]
    }

    private func put(_ request: AdminRequest) async throws -> Response {
        let body = try await request.object(accepting: ["mode", "now", "nextDue"])
        let now = body.value("now", .instant)
        let mode = body.required("mode", .word(SimulatedClock.Mode.self))
        try body.finish()
        switch mode {
        case nil: break
        case .real: try moved { () throws(SimulatedClock.Problem) in try gateway.followRealTime() }
        case .manual: try moved { () throws(SimulatedClock.Problem) in try gateway.stopClock(at: now) }
        }
        return Response(json: clock)
    }

    private func advance(_ request: AdminRequest) async throws -> Response {
        let body = try await request.object(accepting: ["by", "to"])
        guard body.has("by") != body.has("to") else {
            throw AdminError.badRequest("Give either 'by', such as PT1H or 30s, or 'to', a time.")
        }
        let instant = body.value("to", .instant)
        let step = body.value("by", .duration(atMost: SimulatedClock.longestStep, "ten years"))
        try body.finish()
        let devices = try moved(to: instant ?? gateway.now().advanced(by: step ?? .zero))
        return Response(json: clock.adding(["devices": .integer(devices)]))
    }

    private func moved(to instant: Instant) throws(AdminError) -> Int {
        try moved { () throws(SimulatedClock.Problem) in try gateway.advanceClock(to: instant) }
    }

    @discardableResult
    private func moved<Result>(
        _ body: () throws(SimulatedClock.Problem) -> Result
    ) throws(AdminError) -> Result {
        do throws(SimulatedClock.Problem) {
            return try body()
        } catch {
            throw .conflict(AdminError.sentence(error.message))
        }
    }
}

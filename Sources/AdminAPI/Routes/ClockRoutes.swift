internal import APNs
internal import DeviceModel
internal import DeviceSimulator
internal import Fields
internal import Gateway
internal import Hummingbird

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

    private var clock: JSONTree {
        [
            "mode": .string(gateway.clock.mode.rawValue),
            "now": .time(gateway.now()),
            "nextDue": gateway.simulator.nextDue.map { .time($0) },
        ]
    }

    private func put(_ request: AdminRequest) async throws -> Response {
        let object = try await request.object(accepting: ["mode", "now", "nextDue"])
        let now = try object.instant("now")
        switch try object.choice("mode", SimulatedClock.Mode.self) {
        case nil: throw AdminError.badRequest("'mode' is missing; accepted are real, manual.")
        case .real: try moved { () throws(SimulatedClock.Problem) in try gateway.followRealTime() }
        case .manual: try moved { () throws(SimulatedClock.Problem) in try gateway.stopClock(at: now) }
        }
        return Response(json: clock)
    }

    private func advance(_ request: AdminRequest) async throws -> Response {
        let object = try await request.object(accepting: ["by", "to"])
        guard object.has("by") != object.has("to") else {
            throw AdminError.badRequest("Give either 'by', such as PT1H or 30s, or 'to', a time.")
        }
        let devices = try moved(to: try target(object))
        return Response(json: clock.adding(["devices": .integer(devices)]))
    }

    /// How far to go on: to an instant, or from now.
    private func target(_ object: RequestObject) throws(AdminError) -> Instant {
        if let instant = try object.instant("to") { return instant }
        let text = try object.requiredString("by")
        guard let step = Duration(written: text), step <= SimulatedClock.longestStep else {
            throw .badRequest(
                "'by' is '\(text.prefix(40))'; it must be a duration such as 30s, 2h or PT1H, at most ten years.")
        }
        return gateway.now().advanced(by: step)
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

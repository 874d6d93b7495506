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
            Endpoint(.get, "/clock") { _ in Response(clock()) },
            Endpoint(.put, "/clock", put),
            Endpoint(.post, "/clock/advance", advance),
            Endpoint(.post, "/clock/reset") { request in
                _ = try await request.object(accepting: [])
                gateway.resetClock()
                return Response(clock())
            },
        ]
    }

    private func clock(devices: Int? = nil) -> ClockAnswer {
        ClockAnswer(
            mode: gateway.clock.mode.rawValue, now: gateway.now().text, nextDue: gateway.simulator.nextDue?.text,
            devices: devices)
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
        return Response(clock())
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
        return Response(clock(devices: devices))
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

package struct ClockAnswer: APIShape {
    package var mode: String
    package var now: String
    /// When something happens by itself next.
    package var nextDue: String?
    /// After an advance, on how many devices something was due.
    package var devices: Int?
}
